/**
 * Every reason that a caller can be given, with its word on each wire.
 * One closed table, so that no binding invents a reason; two inner causes that an outsider must not tell apart
 * ("unknown" and "not yours") are one reason here (REQ-2).
 */
interface Wire {
  /** HTTP status where the reason refuses a request; tasks that end with it are still answered 200. */
  readonly http: number;
  readonly jsonRpc: number;
  readonly a2a: "rejected" | "failed" | "canceled" | "auth-required" | "input-required" | "working";
  readonly commerce: string;
  /** A sentence for people. Never holds what the caller sent. */
  readonly title: string;
}

function refusal(http: number, jsonRpc: number, title: string, commerce = "invalid_request"): Wire {
  return { http, jsonRpc, a2a: "rejected", commerce, title };
}

function stopped(a2a: Wire["a2a"], title: string, commerce = "request_not_allowed"): Wire {
  return { http: 403, jsonRpc: -32003, a2a, commerce, title };
}

export const REASONS = {
  malformed_body: refusal(400, -32700, "The body is not the JSON this endpoint takes."),
  invalid_request: refusal(400, -32602, "A member of the request breaks a rule."),
  unsupported_profile: refusal(400, -32602, "This gateway does not speak that profile."),
  unknown_operation: refusal(400, -32602, "No such operation in the catalogue."),
  body_too_large: refusal(413, -32600, "The body is larger than this gateway takes."),
  unsupported_media_type: refusal(415, -32600, "Send application/json."),
  unauthenticated: refusal(401, -32001, "A valid access token for this gateway is needed.", "unauthorized"),
  signature_required: refusal(
    403,
    -32003,
    "This gateway asks that the agent's operator signs each request, in the way that Accept-Signature says.",
    "forbidden",
  ),
  forbidden: refusal(403, -32003, "This credential cannot do that.", "forbidden"),
  not_found: refusal(404, -32004, "There is nothing here for you under that reference.", "not_found"),
  method_not_allowed: refusal(405, -32601, "That method is not offered here."),
  idempotency_conflict: refusal(
    409,
    -32009,
    "That idempotency key belongs to another request.",
    "idempotency_conflict",
  ),
  conflict: refusal(409, -32009, "It has been decided already, or has moved on.", "conflict"),
  begun_elsewhere: refusal(409, -32009, "It was begun in another browser window; finish it there.", "conflict"),
  gone: refusal(410, -32010, "It has expired.", "gone"),
  decided_otherwise: refusal(409, -32009, "It has been decided already, and the other way.", "conflict"),
  decision_expired: refusal(410, -32010, "The time to decide it has passed.", "gone"),
  record_superseded: refusal(409, -32009, "Newer terms have taken the place of this record.", "conflict"),
  record_withdrawn_by_agent: refusal(409, -32009, "The agent has withdrawn it.", "conflict"),
  record_withdrawn_by_holder: refusal(409, -32009, "You have withdrawn it.", "conflict"),
  record_stopped: refusal(409, -32009, "The task has ended without it.", "conflict"),
  passkey_required: refusal(403, -32003, "This needs a passkey; nothing less is enough.", "forbidden"),
  authority_required: refusal(
    403,
    -32003,
    "This needs an enrolled authority or a passkey; a signed-in session is not enough.",
    "forbidden",
  ),
  passkey_refused: refusal(403, -32003, "The passkey's answer does not prove this decision.", "forbidden"),
  authority_not_enrolled: stopped("rejected", "The account holder has not enrolled that authority for this."),
  evidence_refused: stopped("rejected", "The authority's evidence does not cover this record."),
  evidence_denied: stopped("rejected", "The authority does not allow this."),
  authority_unavailable: { ...stopped("rejected", "The authority did not answer as it should."), http: 503 },
  evidence_used: stopped("rejected", "The authority's evidence has been used already."),
  capability_gap: refusal(422, -32022, "This account offers no such operation here.", "not_supported"),
  not_ready: refusal(409, -32011, "There is nothing to read yet.", "conflict"),
  twin_unresolved: refusal(409, -32012, "An equal request of yours is still unresolved.", "conflict"),
  rate_limited: refusal(429, -32029, "Too many requests; slow down.", "rate_limit_exceeded"),
  too_many_watches: refusal(
    429,
    -32029,
    "As many watches are open as there may be; withdraw one, or wait until one has ended.",
    "rate_limit_exceeded",
  ),
  busy: refusal(503, -32030, "The gateway is starting or stopping; try again shortly.", "service_unavailable"),
  internal: {
    http: 500,
    jsonRpc: -32603,
    a2a: "failed",
    commerce: "processing_error",
    title: "The gateway failed; it has been logged.",
  },

  grant_not_active: stopped("rejected", "There is no active grant for this."),
  grant_revoked: stopped("rejected", "The account holder has revoked the grant."),
  grant_expired: stopped("rejected", "The grant has run out."),
  operation_not_granted: stopped("rejected", "The grant does not cover this operation."),
  route_not_granted: stopped("rejected", "The grant allows no route that can do this."),
  over_limit: stopped("rejected", "The full cost is above a limit in force."),
  limit_reached: stopped("rejected", "What the grant allows in this period is used up, or would be."),
  payee_not_granted: stopped("rejected", "The grant does not cover this payee."),
  item_not_granted: stopped("rejected", "The grant does not cover this item."),
  outside_hours: stopped("rejected", "The grant does not cover this time of day."),
  request_expired: stopped("rejected", "The request's own time limit passed."),
  sign_in_expired: stopped("rejected", "Nobody signed in at the destination in time."),
  approval_expired: stopped("rejected", "Nobody decided in time."),
  refused_by_holder: stopped("rejected", "The account holder refused."),
  account_disconnected: stopped("rejected", "The account is no longer connected."),
  withdrawn_by_agent: stopped("canceled", "The agent withdrew the task."),
  closed_by_restore: stopped(
    "canceled",
    "The gateway was restored from a backup and cannot tell what became of this task; look at the account before asking again.",
  ),
  withdrawn_by_holder: stopped("canceled", "The account holder withdrew the task."),
  site_gap: stopped("failed", "The destination does not offer this, or refuses access to it."),
  site_refused: stopped("failed", "The destination refused the action."),
  site_unavailable: stopped("failed", "The destination did not answer as it should, before anything was submitted."),
  terms_inconsistent: stopped(
    "failed",
    "The amounts or items read at the destination contradict each other or the request.",
  ),
  not_sent: stopped("failed", "Nothing left the gateway: the connection to the destination could not be made."),
  not_done: stopped("failed", "The destination shows that it was not done."),
  result_withheld: stopped("failed", "The destination's data broke the result's rules and was not passed on."),
  awaiting_confirmation: {
    http: 202,
    jsonRpc: 0,
    a2a: "working",
    commerce: "in_progress",
    title: "It may have happened; the destination is being read back.",
  },
} as const satisfies Readonly<Record<string, Wire>>;

export type Reason = keyof typeof REASONS;
export type ReasonWire = Wire;

export function isReason(text: string): text is Reason {
  return Object.hasOwn(REASONS, text);
}
