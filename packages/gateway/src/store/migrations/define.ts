import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The column types in which the two stores differ. */
export interface Types {
  readonly int: "integer" | "bigint";
  readonly bytes: "blob" | "bytea";
  readonly serial: string;
  readonly suffix: string;
}

export const SQLITE_TYPES: Types = {
  int: "integer",
  bytes: "blob",
  serial: "integer primary key autoincrement",
  suffix: " strict",
};

export const POSTGRES_TYPES: Types = {
  int: "bigint",
  bytes: "bytea",
  serial: "bigint generated always as identity primary key",
  suffix: "",
};

/** What a migration is written with: the types of the store at hand, and plain statements. */
export interface Tools {
  readonly types: Types;
  /** Runs one statement of the schema. */
  run(text: string): Promise<void>;
  /** `create table`, with what this store adds to it. */
  table(name: string, columns: string): Promise<void>;
  /** The names of the tables that are there already. */
  tables(): Promise<ReadonlySet<string>>;
}

/** One step of the schema. It runs in a transaction of its own and, once landed, is never edited. */
export type Step = (tools: Tools) => Promise<void>;

export function migration(types: Types, step: Step): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const run = async (text: string): Promise<void> => {
        await sql.raw(text).execute(db);
      };
      await step({
        types,
        run,
        table: (name, columns) => run(`create table ${name} (${columns})${types.suffix}`),
        tables: async () => new Set((await db.introspection.getTables()).map((present) => present.name)),
      });
    },
  };
}
