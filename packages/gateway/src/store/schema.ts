import type { TaskState } from "@countersign/profile";
import type { Generated } from "kysely";

// Instants are integers: milliseconds since 1970 UTC. Flags are 0 or 1. JSON is text that the database checks.
// docs/storage.md lists each table with its key, content and lifetime.
type Flag = 0 | 1;

export interface Schema {
  setting: { name: string; value: string };
  tenant: { tenant_id: string; name: string; created_at: number };
  person: { person_id: string; tenant_id: string; name: string; pseudonym: string; created_at: number };
  sign_in_link: {
    link_hash: string;
    person_id: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  person_session: {
    session_hash: string;
    tenant_id: string;
    person_id: string;
    created_at: number;
    expires_at: number;
  };
  agent: {
    client_id: string;
    tenant_id: string;
    person_id: string;
    name: string;
    state: "requested" | "accepted" | "refused" | "revoked";
    grant_id: string | null;
    /** The first refresh token, until the command that asked for the agent fetches it, once. */
    credential_ref: string | null;
    created_at: number;
    decided_at: number | null;
  };
  oauth_record: {
    model: string;
    id: string;
    grant_id: string | null;
    uid: string | null;
    user_code: string | null;
    sealed: Uint8Array;
    expires_at: number | null;
    consumed_at: number | null;
  };
  account: {
    account_ref: string;
    tenant_id: string;
    person_id: string;
    destination: string;
    name: string;
    created_at: number;
  };
  connection: {
    account_ref: string;
    route: string;
    state: "connected" | "reauthentication_required" | "disconnected";
    reason: string | null;
    material_ref: string | null;
    verified_at: number | null;
    updated_at: number;
  };
  account_detail: {
    ref: string;
    account_ref: string;
    kind: string;
    site_key: string | null;
    label: string;
    sealed: Uint8Array;
    created_at: number;
  };
  continuation: {
    continuation_ref: string;
    tenant_id: string;
    person_id: string;
    account_ref: string;
    route: string;
    kind: "connect" | "task";
    task_id: string | null;
    session_hash: string | null;
    created_at: number;
    expires_at: number;
    begun_at: number | null;
    completed_at: number | null;
  };
  vault: { ref: string; tenant_id: string; sealed: Uint8Array; created_at: number };
  consent: {
    consent_ref: string;
    tenant_id: string;
    person_id: string;
    client_id: string;
    destination: string;
    account_ref: string | null;
    state: "requested" | "granted" | "refused" | "revoked";
    asked: string;
    granted: string | null;
    purpose: string;
    requested_at: number;
    decided_at: number | null;
    revoked_at: number | null;
    expires_at: number | null;
  };
  task: {
    task_id: string;
    tenant_id: string;
    person_id: string;
    client_id: string;
    account_ref: string;
    consent_ref: string;
    profile: string;
    operation: string;
    request_id: string;
    request: string;
    request_digest: string;
    record_digest: string;
    request_expires_at: number;
    state: TaskState;
    reason: string | null;
    version: number;
    submitted: Flag;
    route: string | null;
    adapter_state: Uint8Array | null;
    action_id: string | null;
    approval_ref: string | null;
    continuation_ref: string | null;
    due_at: number | null;
    lease_owner: string | null;
    lease_until: number | null;
    fence: number;
    tries: number;
    result: Uint8Array | null;
    result_expires_at: number | null;
    review_at: number | null;
    created_at: number;
    updated_at: number;
  };
  idempotency: {
    client_id: string;
    person_id: string;
    account_ref: string;
    idempotency_key: string;
    task_id: string;
    record_digest: string;
    created_at: number;
  };
  task_event: {
    event_id: Generated<number>;
    task_id: string;
    seq: number;
    at: number;
    state: TaskState;
    reason: string | null;
    step: string | null;
    label: string | null;
  };
  action: {
    action_id: string;
    task_id: string;
    digest: string;
    record: string;
    disclosures: Uint8Array;
    status: "pending" | "approved" | "denied" | "expired" | "superseded" | "withdrawn";
    replaces: string | null;
    created_at: number;
    expires_at: number;
  };
  approval: {
    approval_ref: string;
    action_id: string;
    task_id: string;
    decision: "approved" | "denied";
    decided_at: number;
    session_hash: string;
    /** The person's own note on their decision, for them alone. */
    note: Uint8Array | null;
    jws: string;
  };
  approval_use: { approval_ref: string; task_id: string; used_at: number };
  submission: {
    task_id: string;
    submission_id: string;
    action_id: string;
    attempt: number;
    fence: number;
    fingerprint: Uint8Array;
    /** The terms as observed at the boundary. */
    observed: Uint8Array;
    submitted_at: number;
  };
  leaf: {
    leaf_id: Generated<number>;
    tenant_id: string;
    kind: "receipt";
    record_id: string;
    account_ref: string;
    task_id: string;
    payload: string;
    created_at: number;
    account_seq: number | null;
    jws: string | null;
    sequenced_at: number | null;
  };
  signing_key: {
    kid: string;
    role: "approval" | "receipt" | "log" | "oauth";
    public_jwk: string;
    sealed: Uint8Array;
    not_before: number;
    not_after: number;
  };
  key_set: { version: number; jws: string; issued_at: number };
  plugin_value: {
    plugin: string;
    tenant_id: string;
    key: string;
    value: string;
    version: number;
    expires_at: number | null;
  };
}
