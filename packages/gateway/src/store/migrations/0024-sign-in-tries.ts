import { policyStatements } from "../tenancy.ts";
import type { Step } from "./define.ts";

/** How often a password was tried at a destination lately, so that no site locks a person out of their account. */
export const signInTries: Step = async ({ types, table, run }) => {
  await table(
    "sign_in_try",
    `try_id text primary key, tenant_id text not null, person_id text not null references person,
     account_ref text not null references account, destination text not null, at ${types.int} not null`,
  );
  await run("create index sign_in_try_of on sign_in_try (person_id, destination, at)");
  if (types.bytes === "bytea") for (const statement of policyStatements("sign_in_try")) await run(statement);
};
