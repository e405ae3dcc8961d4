import type { Migration, MigrationProvider } from "kysely/migration";
import { trunk } from "./0001-trunk.ts";
import { migration, type Step, type Types } from "./define.ts";

/** Forward only, in the order of their names; every step leaves processes of the version before it working. */
const STEPS: Readonly<Record<string, Step>> = {
  "0001_trunk": trunk,
};

export function migrations(types: Types): MigrationProvider {
  const all = Object.entries(STEPS).map(([name, step]): [string, Migration] => [name, migration(types, step)]);
  return { getMigrations: async () => Object.fromEntries(all) };
}
