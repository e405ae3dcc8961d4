import type { TryKind } from "@countersign/plugin";
import type { ApprovalMethod, ApprovalPolicy, DemandedPolicy, Reason, TaskState } from "@countersign/profile";
import type { Generated } from "kysely";

// Instants are integers: milliseconds since 1970 UTC. Flags are 0 or 1. JSON is text that the database checks.
// docs/storage.md lists each table with its key, content and lifetime.
type Flag = 0 | 1;

export interface Schema {
  setting: { name: string; value: string };
  /** What a person is told of; written by the transaction that makes it so. */
  notice: {
    notice_id: string;
    tenant_id: string;
    person_id: string;
    kind: string;
    /** What it is about. The same is told once. */
    ref: string;
    created_at: number;
  };
  /** A notice on its way by one channel. */
  notice_delivery: {
    notice_id: string;
    channel: string;
    tenant_id: string;
    person_id: string;
    urgency: "waiting" | "security";
    state: "waiting" | "sent" | "dropped" | "gave_up";
    due_at: number;
    tries: number;
    /** 1 once the hour was full: it goes out together with the others that wait. */
    deferred: Flag;
    lease_owner: string | null;
    lease_until: number | null;
    /** Of the message that carries it; several notices can share one. */
    message_id: string | null;
    settled_at: number | null;
    /** By code, never in a server's words. */
    problem: string | null;
  };
  /** Where a person is reached by mail. */
  contact: {
    contact_ref: string;
    tenant_id: string;
    person_id: string;
    state: "pending" | "current" | "replaced";
    sealed: Uint8Array;
    /** The code that was mailed, sealed until it is used. */
    code: Uint8Array | null;
    code_hash: string | null;
    code_tries: number;
    /** The browser session that asked; the code counts there alone. */
    session_hash: string | null;
    created_at: number;
    expires_at: number | null;
    confirmed_at: number | null;
  };
  /** Where an agent is told that a task of its own has moved. */
  task_webhook: {
    webhook_id: string;
    tenant_id: string;
    person_id: string;
    client_id: string;
    /** `gone`: the receiver has said so (410). */
    state: "active" | "gone";
    /** An address may hold a secret of its receiver's: it is found by its hash and kept sealed. */
    url_hash: string;
    url: Uint8Array;
    secret: Uint8Array;
    /** The secret before, which signs beside the new one for a while. */
    secret_before: Uint8Array | null;
    before_until: number | null;
    /** Tries that failed since the last one that did not. */
    failures: number;
    paused_until: number | null;
    created_at: number;
  };
  /** One move of a task on its way to one receiver; written by the transaction that moves the task. */
  task_webhook_delivery: {
    webhook_id: string;
    task_id: string;
    revision: number;
    tenant_id: string;
    task_state: TaskState;
    changed_at: number;
    state: "waiting" | "sent" | "dropped" | "gave_up";
    due_at: number;
    tries: number;
    lease_owner: string | null;
    lease_until: number | null;
    settled_at: number | null;
    /** By code, never in a server's words. */
    problem: string | null;
  };
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
    /** Of the token in force; the first token's is `session_hash`, by which everything else names the session. */
    token_hash: Generated<string | null>;
    began: Generated<"link" | "passkey" | "outside">;
    /** When the link that began it was made. */
    link_made_at: Generated<number | null>;
    /** To the minute. */
    last_seen_at: Generated<number | null>;
    /** Browser and system in words, as the browser said. */
    device: Generated<string>;
  };
  /** Of one WebAuthn ceremony: usable once, for a few minutes, by the browser that asked for it. */
  webauthn_challenge: {
    challenge_hash: string;
    purpose: "enrol" | "sign_in" | "confirm";
    /** The session that asked, or the hash of a browser's pre-session cookie. */
    bound_to: string;
    /** The passkey that is to be confirmed. */
    credential_id: string | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
    passed_at: number | null;
  };
  /** A sign-in that was sent to the outside provider, until it comes back. */
  outside_sign_in: {
    state_hash: string;
    bound_to: string;
    /** Nonce and PKCE verifier. */
    sealed: Uint8Array;
    back: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  /** What a person is told about their own sign-in. */
  sign_in_event: {
    event_id: string;
    tenant_id: string;
    person_id: string;
    kind: "link_used" | "passkey_added" | "passkey_confirmed" | "passkey_removed" | "passkey_copied";
    label: string;
    at: number;
    seen_at: number | null;
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
    /** To the minute: when it last showed an access token that counted. */
    last_seen_at: Generated<number | null>;
    /** The OAuth client that it is, where many people's agents are one client; else `client_id` is the client. */
    oauth_client: Generated<string | null>;
  };
  /** What a person let a client have at its authorization page: one row a yes. */
  oauth_grant: {
    /** Hash of the grant's id: the id of its row in `oauth_record`. */
    grant_hash: string;
    tenant_id: string;
    client_id: string;
    /** Absent where the client was let in and given nothing yet. */
    consent_ref: string | null;
    created_at: number;
  };
  /** A client's own metadata document, as it was published when it was last read. */
  client_document: { client_url: string; document: string; fetched_at: number; fresh_until: number };
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
    /** The site's own lasting key for the account, where it has one. */
    identity: string | null;
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
    kind: "connect" | "task" | "verification";
    task_id: string | null;
    session_hash: string | null;
    created_at: number;
    expires_at: number;
    begun_at: number | null;
    completed_at: number | null;
    /** When another browser session last tried to go on with it. */
    tried_elsewhere_at: number | null;
  };
  /** A password or a one-time code tried at a destination; see connection/sign-in-tries.ts. */
  sign_in_try: {
    try_id: string;
    kind: Generated<TryKind>;
    tenant_id: string;
    person_id: string;
    account_ref: string;
    destination: string;
    at: number;
  };
  continuation_use: { continuation_ref: string; session_hash: string; used_at: number };
  verification: {
    continuation_ref: string;
    task_id: string;
    mode: "form" | "page";
    /** What the adapter finds the waiting submission by. */
    sealed: Uint8Array;
    created_at: number;
    /** Set while what the person typed is on its way to the site; an old one may have arrived. */
    sending_at: number | null;
    closed_at: number | null;
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
  /** What a grant was used for: one row a submission. Released when it certainly did not happen. */
  grant_use: {
    task_id: string;
    tenant_id: string;
    consent_ref: string;
    operation: string;
    /** Reserved: as observed at the boundary. Spent: as the site says that it charged. */
    amount_minor: number | null;
    currency: string | null;
    payee: string | null;
    at: number;
    state: "reserved" | "spent" | "released";
    settled_at: number | null;
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
    reason: Reason | null;
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
    /** Digest of account, operation and parameters: equal wishes have equal ones (STA-7). Absent for reads. */
    wish_digest: string | null;
    /** The unresolved equal task that this one waits for. */
    held_by: string | null;
    /** 1 in a restored store until the site has shown what became of the task (STA-8). */
    suspect: Generated<number>;
    /** Who its request showed to have sent it, as JSON; absent where nobody asked. Evidence, never permission. */
    called_by: Generated<string | null>;
    /** When the watch ends; absent in whatever is no watch. */
    watch_ends_at: Generated<number | null>;
    /** Not looked at again before this, whatever made it due. */
    watch_look_at: Generated<number | null>;
    /** The last try, whether the destination answered or not. */
    watch_looked_at: Generated<number | null>;
    /** How often the destination has answered. */
    watch_looks: Generated<number>;
    /** How often it has not, since it last did. */
    watch_troubles: Generated<number>;
    /** What the last look saw: the result, if nothing better comes before the end. */
    watch_seen: Generated<Uint8Array | null>;
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
    reason: Reason | null;
    step: string | null;
    label: string | null;
  };
  /** Where a door's client hears of one task; ends with the task. */
  task_push: {
    task_id: string;
    plugin: string;
    config_id: string;
    tenant_id: string;
    person_id: string;
    client_id: string;
    /** The address and what its plugin keeps with it. */
    sealed: Uint8Array;
    told_state: string;
    due_at: number;
    tries: number;
    lease_owner: string | null;
    lease_until: number | null;
    created_at: number;
  };
  action: {
    action_id: string;
    task_id: string;
    digest: string;
    record: string;
    disclosures: Uint8Array;
    /** `approved` also stands for a record that needed nobody; it has no row in `approval`. `stopped`: the task ended otherwise. */
    status: "pending" | "approved" | "denied" | "expired" | "superseded" | "withdrawn" | "stopped";
    /** The policy that was in force when it was frozen; the record's digest binds it. */
    policy: Generated<ApprovalPolicy>;
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
    /** Empty where an outside authority decided. */
    session_hash: string;
    method: Generated<ApprovalMethod>;
    /** `countersign.passkey/1`, for the bundle. */
    passkey: Generated<string | null>;
    credential_id: Generated<string | null>;
    authority: Generated<string | null>;
    /** What the authority showed; verified again at the boundary. */
    evidence: Generated<Uint8Array | null>;
    /** The person's own note on their decision, for them alone. */
    note: Uint8Array | null;
    jws: string;
  };
  /** What a tenant demands of an operation beyond the catalogue. */
  approval_policy: { tenant_id: string; operation: string; policy: DemandedPolicy; set_at: number };
  credential: {
    credential_id: string;
    tenant_id: string;
    person_id: string;
    public_key: string;
    alg: "ES256" | "RS256";
    rp_id: string;
    origin: string;
    label: string;
    enrolled_at: number;
    confirmed_at: number | null;
    revoked_at: number | null;
    jws: string;
    /** The authenticator's signature counter, as last seen; 0 where it counts none. */
    sign_count: Generated<number>;
    /** How the authenticator can be reached, as it said: a hint for browsers, JSON. */
    transports: Generated<string>;
    last_used_at: Generated<number | null>;
  };
  authority_enrolment: {
    enrolment_ref: string;
    tenant_id: string;
    person_id: string;
    authority: string;
    /** The operations that the account holder enrolled it for. */
    operations: string;
    parameters: string;
    label: string;
    /** It counts a day later. */
    enrolled_at: number;
    /** When it ended, or, with a successor that is still to count, when it will. */
    removed_at: number | null;
  };
  /** What an authority had consumed with a commit: each key once, for ever. */
  authority_use: { authority: string; key: string; task_id: string; approval_ref: string; used_at: number };
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
    kind: "keys" | "credential" | "approval" | "receipt" | "revocation";
    record_id: string;
    /** Empty where a leaf belongs to no account or task. */
    account_ref: string;
    task_id: string;
    /** What the sequencer will sign; empty where `jws` came signed. */
    payload: string;
    created_at: number;
    account_seq: number | null;
    jws: string | null;
    sequenced_at: number | null;
    /** Of the JWS; with `log_index`, set by the sequencer. */
    digest: string | null;
    log_index: number | null;
  };
  /** One holder at a time; whoever takes it raises the fence, and writes are compared with it. */
  lease: { name: string; owner: string; until: number; fence: number };
  /** Roots of complete subtrees by their in-order number (evidence/tree.ts). */
  log_node: { number: number; hash: Uint8Array };
  log_checkpoint: { checkpoint_id: Generated<number>; size: number; root: Uint8Array; time: number; jws: string };
  /** A merchant's own record, kept as it came (REC-3). */
  merchant_record: {
    record_id: string;
    tenant_id: string;
    task_id: string;
    receipt_id: string;
    kind: string;
    media_type: string;
    sha256: string;
    bytes: number;
    sealed: Uint8Array;
    signature_checked: Flag;
    signed_by: string | null;
    created_at: number;
  };
  signing_key: {
    kid: string;
    role: "approval" | "receipt" | "log" | "oauth" | `plugin.${string}`;
    public_jwk: string;
    sealed: Uint8Array;
    not_before: number;
    not_after: number;
    revoked_at: number | null;
    suspect_from: number | null;
  };
  key_set: { version: number; jws: string; issued_at: number };
  plugin_value: {
    plugin: string;
    tenant_id: string;
    key: string;
    value: string;
    version: number;
    expires_at: number | null;
    /** The others that it is counted with, where something has to stay below a bound. */
    counted_with: string | null;
  };
}
