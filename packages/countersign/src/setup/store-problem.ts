import type { StoreProblem } from "@countersign/gateway";

export const DATABASE_ENV = "DATABASE_URL";

const FIT_ROLE =
  "create role countersign login password '...'; create database countersign owner countersign; (new roles are neither superuser nor BYPASSRLS)";

const WORDS: Readonly<Record<StoreProblem, string>> = {
  bad_url: `${DATABASE_ENV} must be a PostgreSQL URL such as postgres://user:password@host:5432/database`,
  unreachable: `no PostgreSQL answers at ${DATABASE_ENV}; is it running, and is the host right?`,
  login_refused: `PostgreSQL refuses the user or the password of ${DATABASE_ENV}`,
  no_database: `the server has no database of the name in ${DATABASE_ENV}; make one: ${FIT_ROLE}`,
  too_old: "this PostgreSQL is too old; version 15 or newer is needed",
  unsafe_commit:
    "synchronous_commit is off, so a crash could lose the note that an order was sent; run: alter role countersign set synchronous_commit = on",
  role_bypasses_rls: `the user of ${DATABASE_ENV} is a superuser or has BYPASSRLS, so the database would not keep tenants apart; use a role of its own: ${FIT_ROLE}`,
  role_cannot_create: `the user of ${DATABASE_ENV} may not make tables; make it the database's owner: alter database countersign owner to countersign`,
  newer_schema: "a newer version of Countersign has used this store; start that version, or a newer one",
  other_keys:
    "what is in this store was sealed under another master key; give every gateway of one store the same COUNTERSIGN_MASTER_KEY",
};

/** What to do about a store that was refused, in one sentence; never with the URL, which holds a password. */
export function storeProblem(problem: StoreProblem): string {
  return WORDS[problem];
}
