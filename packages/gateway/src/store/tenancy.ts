import type { Schema } from "./schema.ts";

/**
 * To whom the rows of each table belong, and so which row-level policy it has on PostgreSQL: `own` has a `tenant_id`
 * (where `published` says so, rows without one may be read by every tenant), a parent is the table whose row decides,
 * and what is `shared` belongs to no tenant and has no policy.
 * A table that is missing here does not compile.
 */
export type Belongs =
  | { readonly by: "own"; readonly published?: true }
  | { readonly by: "parent"; readonly parent: keyof Schema; readonly key: string }
  | { readonly by: "shared"; readonly why: string };

const own: Belongs = { by: "own" };
const through = (parent: keyof Schema, key: string): Belongs => ({ by: "parent", parent, key });
const shared = (why: string): Belongs => ({ by: "shared", why });

export const TENANCY: Readonly<Record<keyof Schema, Belongs>> = {
  setting: shared("settings of the store"),
  notice: own,
  notice_delivery: own,
  contact: own,
  task_webhook: own,
  task_webhook_delivery: own,
  tenant: own,
  person: own,
  sign_in_link: through("person", "person_id"),
  person_session: own,
  webauthn_challenge: shared("asked for before anybody is known; hashes alone"),
  outside_sign_in: shared("asked for before anybody is known; hashed and sealed"),
  sign_in_event: own,
  agent: own,
  oauth_record: shared("read before anybody is known; ids are hashed and payloads sealed"),
  oauth_grant: own,
  client_document: shared("published by the clients themselves"),
  account: own,
  connection: through("account", "account_ref"),
  account_detail: through("account", "account_ref"),
  sign_in_try: own,
  continuation: own,
  continuation_use: through("continuation", "continuation_ref"),
  verification: through("continuation", "continuation_ref"),
  vault: own,
  consent: own,
  grant_use: own,
  task: own,
  idempotency: through("task", "task_id"),
  task_event: through("task", "task_id"),
  task_push: own,
  action: through("task", "task_id"),
  approval: through("task", "task_id"),
  approval_use: through("task", "task_id"),
  approval_policy: own,
  credential: own,
  authority_enrolment: own,
  authority_use: through("task", "task_id"),
  submission: through("task", "task_id"),
  // Key sets are leaves too, and nobody's.
  leaf: { by: "own", published: true },
  lease: shared("who does what only one process may do"),
  log_node: shared("hashes"),
  log_checkpoint: shared("published"),
  merchant_record: own,
  signing_key: shared("the gateway's own keys"),
  key_set: shared("published"),
  plugin_value: own,
};

const SCOPE = "nullif(current_setting('app.tenant', true), '')";

/** Statements for PostgreSQL that put the policy of `table` in force, whatever stood before; none for a shared one. */
export function policyStatements(table: keyof Schema): readonly string[] {
  const belongs = TENANCY[table];
  if (belongs.by === "shared") return [];
  // The parent's own policy holds inside the subquery: what is not seen there does not exist here.
  const mine =
    belongs.by === "own"
      ? `tenant_id = ${SCOPE}`
      : `exists (select 1 from ${belongs.parent} as parent where parent.${belongs.key} = ${table}.${belongs.key})`;
  const rule = `${SCOPE} = '*' or ${mine}`;
  const published = belongs.by === "own" && belongs.published ? ` or (${SCOPE} is not null and tenant_id = '')` : "";
  return [
    `alter table ${table} enable row level security`,
    // Without this the owner, as whom the gateway runs, would pass every policy.
    `alter table ${table} force row level security`,
    `drop policy if exists by_tenant on ${table}`,
    `create policy by_tenant on ${table} using (${rule}${published}) with check (${rule})`,
  ];
}
