import { err, ok, type Result } from "@countersign/wire";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Types } from "./migrations/define.ts";
import { migrations } from "./migrations/migrations.ts";
import { isMissingTable } from "./postgres/errors.ts";
import type { StoreProblem } from "./problems.ts";
import type { Schema } from "./schema.ts";

/**
 * Runs the migrations that this store lacks. A store in which a newer build has run some that this build does not know
 * is left alone: what they mean is not known here.
 */
export async function bringUpToDate(db: Kysely<Schema>, types: Types): Promise<Result<undefined, StoreProblem>> {
  const provider = migrations(types);
  const known = new Set(Object.keys(await provider.getMigrations()));
  if ((await landed(db)).some((name) => !known.has(name))) return err("newer_schema");
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw error;
  return ok(undefined);
}

async function landed(db: Kysely<Schema>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map((row) => row.name);
  } catch (error) {
    // A new store has no such table yet.
    if (isMissingTable(error) || (error instanceof Error && error.message.includes("no such table"))) return [];
    throw error;
  }
}
