import type { Schema } from "../schema.ts";
import { policyStatements, TENANCY } from "../tenancy.ts";
import type { Step } from "./define.ts";

/**
 * The second wall between tenants, on PostgreSQL: the database itself refuses what a query forgot to ask. A later
 * migration that makes a table puts that table's policy in force itself, by the same statements.
 */
export const rowSecurity: Step = async ({ types, run, tables }) => {
  if (types.bytes !== "bytea") return;
  const present = await tables();
  for (const table of Object.keys(TENANCY) as (keyof Schema)[]) {
    if (!present.has(table)) continue;
    for (const statement of policyStatements(table)) await run(statement);
  }
};
