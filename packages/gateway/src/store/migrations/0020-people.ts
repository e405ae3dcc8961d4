import { policyStatements } from "../tenancy.ts";
import type { Step } from "./define.ts";

/** How people sign in: passkeys with their ceremonies, sessions with their lives, an outside provider, and what is told. */
export const people: Step = async ({ types, table, run }) => {
  const { int, bytes } = types;
  // The token's hash moves when a token is renewed; `session_hash` stays, so that what is bound to a session stays bound.
  await run("alter table person_session add column token_hash text");
  await run(
    "alter table person_session add column began text not null default 'link' check (began in ('link','passkey','outside'))",
  );
  await run(`alter table person_session add column link_made_at ${int}`);
  await run(`alter table person_session add column last_seen_at ${int}`);
  await run("alter table person_session add column device text not null default ''");
  await run("create unique index person_session_token on person_session (token_hash) where token_hash is not null");
  await run("create index person_session_of on person_session (person_id)");
  await run(`alter table credential add column sign_count ${int} not null default 0`);
  await run("alter table credential add column transports text not null default '[]'");
  await run(`alter table credential add column last_used_at ${int}`);
  await table(
    "webauthn_challenge",
    `challenge_hash text primary key, purpose text not null check (purpose in ('enrol','sign_in','confirm')),
     bound_to text not null, credential_id text, created_at ${int} not null, expires_at ${int} not null,
     used_at ${int}, passed_at ${int}`,
  );
  await run("create index webauthn_challenge_bound on webauthn_challenge (bound_to)");
  await run("create index webauthn_challenge_end on webauthn_challenge (expires_at)");
  await table(
    "outside_sign_in",
    `state_hash text primary key, bound_to text not null, sealed ${bytes} not null, back text not null,
     created_at ${int} not null, expires_at ${int} not null, used_at ${int}`,
  );
  await run("create index outside_sign_in_end on outside_sign_in (expires_at)");
  await table(
    "sign_in_event",
    `event_id text primary key, tenant_id text not null, person_id text not null references person,
     kind text not null, label text not null, at ${int} not null, seen_at ${int}`,
  );
  await run("create index sign_in_event_of on sign_in_event (person_id, at)");
  if (types.bytes === "bytea") for (const statement of policyStatements("sign_in_event")) await run(statement);
};
