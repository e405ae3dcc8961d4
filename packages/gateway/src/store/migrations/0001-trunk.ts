import type { Step } from "./define.ts";

export const trunk: Step = async ({ types: { int, bytes, serial }, table, run }) => {
  await table("setting", "name text primary key, value text not null");
  await table("tenant", `tenant_id text primary key, name text not null, created_at ${int} not null`);
  await table(
    "person",
    `person_id text primary key, tenant_id text not null references tenant, name text not null,
     pseudonym text not null unique, created_at ${int} not null`,
  );
  await table(
    "sign_in_link",
    `link_hash text primary key, person_id text not null references person, created_at ${int} not null,
     expires_at ${int} not null, used_at ${int}`,
  );
  await table(
    "person_session",
    `session_hash text primary key, tenant_id text not null, person_id text not null references person,
     created_at ${int} not null, expires_at ${int} not null`,
  );
  await table(
    "agent",
    `client_id text primary key, tenant_id text not null references tenant, person_id text not null references person,
     name text not null, state text not null check (state in ('requested','accepted','refused','revoked')),
     grant_id text, credential_ref text, created_at ${int} not null, decided_at ${int}`,
  );
  await table(
    "oauth_record",
    `model text not null, id text not null, grant_id text, uid text, user_code text, sealed ${bytes} not null,
     expires_at ${int}, consumed_at ${int}, primary key (model, id)`,
  );
  await run("create index oauth_record_grant on oauth_record (grant_id)");
  await table(
    "account",
    `account_ref text primary key, tenant_id text not null references tenant, person_id text not null references person,
     destination text not null, name text not null, created_at ${int} not null`,
  );
  await table(
    "connection",
    `account_ref text not null references account, route text not null,
     state text not null check (state in ('connected','reauthentication_required','disconnected')),
     reason text, material_ref text, verified_at ${int}, updated_at ${int} not null, primary key (account_ref, route)`,
  );
  await table(
    "account_detail",
    `ref text primary key, account_ref text not null references account, kind text not null, site_key text,
     label text not null, sealed ${bytes} not null, created_at ${int} not null`,
  );
  await table(
    "continuation",
    `continuation_ref text primary key, tenant_id text not null, person_id text not null references person,
     account_ref text not null references account, route text not null, kind text not null, task_id text,
     session_hash text, created_at ${int} not null, expires_at ${int} not null, begun_at ${int}, completed_at ${int}`,
  );
  await table(
    "vault",
    `ref text primary key, tenant_id text not null, sealed ${bytes} not null, created_at ${int} not null`,
  );
  await table(
    "consent",
    `consent_ref text primary key, tenant_id text not null references tenant, person_id text not null references person,
     client_id text not null references agent, destination text not null, account_ref text references account,
     state text not null check (state in ('requested','granted','refused','revoked')), asked text not null,
     granted text, purpose text not null, requested_at ${int} not null, decided_at ${int}, revoked_at ${int},
     expires_at ${int}, check (state <> 'granted' or (granted is not null and account_ref is not null and expires_at is not null))`,
  );
  await table(
    "task",
    `task_id text primary key, tenant_id text not null references tenant, person_id text not null references person,
     client_id text not null references agent, account_ref text not null references account,
     consent_ref text not null references consent, profile text not null, operation text not null,
     request_id text not null, request text not null, request_digest text not null, record_digest text not null,
     request_expires_at ${int} not null, state text not null, reason text, version ${int} not null,
     submitted ${int} not null check (submitted in (0, 1)), route text, adapter_state ${bytes}, action_id text,
     approval_ref text, continuation_ref text, due_at ${int}, lease_owner text, lease_until ${int},
     fence ${int} not null, tries ${int} not null, result ${bytes}, result_expires_at ${int}, review_at ${int},
     created_at ${int} not null, updated_at ${int} not null`,
  );
  await run("create index task_due on task (due_at) where due_at is not null");
  await run("create index task_of on task (tenant_id, person_id, created_at)");
  await table(
    "idempotency",
    `client_id text not null, person_id text not null, account_ref text not null, idempotency_key text not null,
     task_id text not null references task, record_digest text not null, created_at ${int} not null,
     primary key (client_id, person_id, account_ref, idempotency_key)`,
  );
  await table(
    "task_event",
    `event_id ${serial}, task_id text not null references task, seq ${int} not null, at ${int} not null,
     state text not null, reason text, step text, label text, unique (task_id, seq)`,
  );
  await table(
    "action",
    `action_id text primary key, task_id text not null references task, digest text not null, record text not null,
     disclosures ${bytes} not null, status text not null, replaces text, created_at ${int} not null, expires_at ${int} not null`,
  );
  // One living record a task: two could otherwise both be approved.
  await run("create unique index action_live on action (task_id) where status in ('pending', 'approved')");
  await table(
    "approval",
    `approval_ref text primary key, action_id text not null unique references action, task_id text not null references task,
     decision text not null check (decision in ('approved','denied')), decided_at ${int} not null,
     session_hash text not null, note ${bytes}, jws text not null`,
  );
  await table(
    "approval_use",
    `approval_ref text primary key references approval, task_id text not null references task, used_at ${int} not null`,
  );
  await table(
    "submission",
    `task_id text primary key references task, submission_id text not null unique, action_id text not null unique references action,
     attempt ${int} not null, fence ${int} not null, fingerprint ${bytes} not null, observed ${bytes} not null, submitted_at ${int} not null`,
  );
  await table(
    "leaf",
    `leaf_id ${serial}, tenant_id text not null, kind text not null, record_id text not null unique,
     account_ref text not null, task_id text not null, payload text not null, created_at ${int} not null,
     account_seq ${int}, jws text, sequenced_at ${int}, unique (account_ref, account_seq)`,
  );
  await table(
    "signing_key",
    `kid text primary key, role text not null, public_jwk text not null, sealed ${bytes} not null,
     not_before ${int} not null, not_after ${int} not null`,
  );
  await table("key_set", `version ${int} primary key, jws text not null, issued_at ${int} not null`);
  await table(
    "plugin_value",
    `plugin text not null, tenant_id text not null, key text not null, value text not null, version ${int} not null,
     expires_at ${int}, primary key (plugin, tenant_id, key)`,
  );
};
