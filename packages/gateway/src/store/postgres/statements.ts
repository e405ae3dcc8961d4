import type { QueryConfig } from "pg";
import { codeOf } from "./errors.ts";

/** Texts beyond this many are sent unprepared: each connection of the server keeps its own plan of each. */
const STATEMENTS_MAX = 300;
const FEATURE_NOT_SUPPORTED = "0A000";

/**
 * Names for prepared statements, so that a text is parsed and planned once a connection; row-level security makes
 * planning the larger part of a small query.
 */
export interface Statements {
  query(text: string, values: readonly unknown[]): QueryConfig;
  /** Another process has changed a table: what was prepared before is prepared again under a new name. */
  forget(): void;
}

/** Two users of one pool name their statements on the same connections. */
let users = 0;

export function createStatements(): Statements {
  const user = users++;
  const names = new Map<string, string>();
  let generation = 0;
  return {
    query(text, values) {
      // Without values it is `begin`, `commit` or the like, and needs no plan.
      if (values.length === 0) return { text };
      const known = names.get(text);
      if (known === undefined && names.size >= STATEMENTS_MAX) return { text, values: [...values] };
      const name = known ?? `s${user}_${generation}_${names.size}`;
      names.set(text, name);
      return { name, text, values: [...values] };
    },
    forget() {
      generation++;
      names.clear();
    },
  };
}

/** `select *` was prepared before another process, of the version after this one, added a column. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === FEATURE_NOT_SUPPORTED && error instanceof Error && error.message.startsWith("cached plan");
}
