/**
 * What the trusted interface and its server say to each other under `/trusted/v1`.
 * Every call is same-origin. Calls that change something are POSTs with `content-type: application/json` and the
 * header `x-countersign`, which holds the value of the cookie `__Host-countersign-page`, or `1` before a sign-in; a GET never changes anything. Errors are problem documents
 * `{type, title, status, reason, detail?}`. Times are RFC 3339 in UTC. The `date` header of every answer is the clock that
 * the gateway judges deadlines by.
 *
 * | method and path | answer |
 * |---|---|
 * | GET /session | SessionView, or 401 |
 * | POST /session `{link_token}` | 204 and a session cookie; 410 when the link is spent or old |
 * | POST /session/end | 204 |
 * | GET /sign-in | SignInWaysView; takes no session |
 * | POST /sign-in/begin | `{options}` for the browser's passkey window; takes no session, bound to this browser |
 * | POST /sign-in/finish `{answer}` | 204 and a session cookie; 403 `passkey_refused`, always the same |
 * | POST /sign-in/outside/begin `{back}` | `{url}` of the outside provider; takes no session, bound to this browser |
 * | POST /sign-in/outside/finish `{code, state, iss?}` | `{back}` and a session cookie; 403 `forbidden`, always the same |
 * | POST /sessions/end `{session_ref}` | 204 |
 * | POST /sessions/end-all | 204; signs out everywhere, this browser too |
 * | GET /passkeys | PasskeysView |
 * | POST /passkeys/begin | `{options}` to make a passkey |
 * | POST /passkeys/finish `{label, answer}` | PasskeyView and a new session cookie |
 * | POST /passkeys/confirm/begin `{credential_id}` | `{options}` for an older passkey to sign for this one |
 * | POST /passkeys/confirm/finish `{answer}` | PasskeyView and a new session cookie |
 * | POST /passkeys/rename `{credential_id, label}` | PasskeyView |
 * | POST /passkeys/remove `{credential_id}` | 204, at once |
 * | POST /sign-in-events/seen `{event_ids}` | 204; they are no news any more |
 * | GET /inbox | InboxView |
 * | GET /contact | ContactView |
 * | POST /contact/email `{address}` | ContactView; a code is mailed there. 409 where this gateway sends no mail |
 * | POST /contact/email/confirm `{code}` | ContactView; 400 wrong code, 410 none is awaited in this browser |
 * | POST /contact/email/remove | ContactView |
 * | GET /destinations | `{destinations: DestinationView[]}` |
 * | GET /accounts | `{accounts: AccountView[]}` |
 * | POST /connections `{destination, route, account_ref?}` | `{continuation_ref}` |
 * | POST /accounts/{account_ref}/details `{kind: "fulfillment" or "address" or "contact", label, value}` | `{ref}`; 400 names each field that is refused |
 * | POST /accounts/{account_ref}/details/{ref}/remove | 204; only what the person added themselves |
 * | POST /accounts/{account_ref}/disconnect | 204 |
 * | GET /continuations/{ref} | ContinuationView |
 * | POST /continuations/{ref}/begin | ContinuationView with mode and fields; binds it to this browser session |
 * | WebSocket /continuations/{ref}/live | see LiveServerMessage and ViewInput |
 * | POST /continuations/{ref}/form `{values: {name: text}}` | FormAnswerView |
 * | POST /continuations/{ref}/returned `{answer}` | FormAnswerView; the query with which another site sent this browser back, once |
 * | POST /continuations/{ref}/complete | CompletionView |
 * | GET /authorizations/{ref} | AuthorizationView; by the browser that began it alone, 404 for every other |
 * | POST /authorizations/{ref}/decision AuthorizationDecision | `{onward?}`: where this browser takes the answer to the client; a device asks for it itself |
 * | POST /device `{user_code}` | `{ref}` of the authorization whose code it is, for this session alone; 404, and 429 after several that were none |
 * | GET /consents | `{consents: ConsentView[]}` |
 * | GET /consents/{ref} | ConsentView |
 * | POST /consents/{ref}/decision ConsentDecision | ConsentView |
 * | POST /consents/{ref}/narrow ConsentScope | ConsentView; 400 when any member is wider than what was granted |
 * | POST /consents/{ref}/revoke | ConsentView |
 * | GET /approvals/{action_id} | ApprovalView |
 * | POST /approvals/{action_id}/decision ApprovalDecision | ApprovalView; repeating one's own decision is the same answer. Refused: `decided_otherwise`, `decision_expired`, `record_superseded`, `record_withdrawn_by_agent`, `record_withdrawn_by_holder`, `record_stopped`, `passkey_required`, `authority_required`, `passkey_refused`, `conflict` (another digest) |
 * | GET /authorities | `{authorities: AuthorityView[]}` |
 * | POST /authorities/{authority}/enrol `{operations, parameters, label}` | AuthorityView; it counts from `counts_from` on, and an earlier one goes on until then |
 * | POST /authorities/{authority}/remove | AuthorityView; at once, whatever counted or was to count |
 * | GET /tasks | `{tasks: TaskView[]}` newest first |
 * | GET /tasks/{task_id} | TaskView with events |
 * | POST /tasks/{task_id}/withdraw | TaskView |
 * | POST /tasks/{task_id}/looked LookedAnswer | TaskView; only where `asks_what_was_seen`, otherwise 409 `conflict` |
 * | GET /tasks/{task_id}/records | `{records: MerchantRecordView[]}` |
 * | GET /tasks/{task_id}/records/{record_id} | the record's bytes, as a download |
 * | GET /tasks/{task_id}/bundle | the evidence bundle, as a download |
 * | GET /receipts | `{receipts: ReceiptSummary[]}` newest first |
 * | GET /changes | Server-Sent Events: `hello`, `changed` with ChangesView, `ended`; see ChangesView |
 * | GET /practice | PracticeView; 404 outside a demonstration |
 * | POST /practice `{switch, on}` or `{act}` | PracticeView |
 * | GET /agents | `{agents: AgentView[]}` |
 * | POST /agents/{client_id}/decision `{decision: "accept" \| "refuse"}` | AgentView |
 * | POST /agents/{client_id}/revoke | AgentView |
 */
export type { ProtocolsView, PublicProtocol } from "../http/api/protocols.ts";
export type { ChangeKind } from "./change-kinds.ts";
export type { AccountDetailView, AccountView, ConnectionView, DestinationView } from "./views/accounts.ts";
export type { AgentReceiverView, AgentView } from "./views/agents.ts";
export type { ApprovalDecision, ApprovalView, EarlierView } from "./views/approvals.ts";
export type { AuthorityView, EnrolmentView } from "./views/authorities.ts";
export type { AuthorizationDecision, AuthorizationDestination, AuthorizationView } from "./views/authorizations.ts";
export type {
  ConsentDecision,
  ConsentHours,
  ConsentLimits,
  ConsentPeriod,
  ConsentPeriodLimit,
  ConsentScope,
  ConsentTask,
  ConsentUsage,
  ConsentView,
  OperationLabel,
} from "./views/consents.ts";
export type {
  CompletionView,
  ContinuationView,
  FormAnswerView,
  LiveClientMessage,
  LiveServerMessage,
  SignInTriesView,
} from "./views/hand-off.ts";
export type { ChangesView, InboxItem, InboxView } from "./views/inbox.ts";
export type {
  ContactView,
  PasskeysView,
  PasskeyView,
  SessionView,
  SignedInView,
  SignInEventView,
  SignInWaysView,
} from "./views/people.ts";
export type { PracticeView } from "./views/practice.ts";
export type { LookedAnswer, MerchantRecordView, ReceiptSummary, TaskEventView, TaskView } from "./views/tasks.ts";
