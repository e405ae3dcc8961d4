import type { FormField, ViewInput, ViewMessage } from "@countersign/plugin";
import type { ApprovalMethod, ApprovalPolicy, DemandedPolicy, TaskState, TermsMeaning } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { ChangeKind } from "./change-kinds.ts";

export type { ChangeKind } from "./change-kinds.ts";

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
 * | POST /accounts/{account_ref}/details `{kind: "fulfillment", label, value}` | `{ref}` |
 * | POST /accounts/{account_ref}/details/{ref}/remove | 204; only what the person added themselves |
 * | POST /accounts/{account_ref}/disconnect | 204 |
 * | GET /continuations/{ref} | ContinuationView |
 * | POST /continuations/{ref}/begin | ContinuationView with mode and fields; binds it to this browser session |
 * | WebSocket /continuations/{ref}/live | see LiveServerMessage and ViewInput |
 * | POST /continuations/{ref}/form `{values: {name: text}}` | FormAnswerView |
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
export interface SessionView {
  readonly person: { readonly name: string };
  readonly expires_at: string;
  readonly issuer: string;
  readonly pin: string;
  /** This is a demonstration with a practice site of its own: there is `GET /practice`. */
  readonly practice?: true;
  readonly began: "link" | "passkey" | "outside";
  /** How many passkeys the person has. */
  readonly passkeys: number;
}

/** Beside a passkey and a one-time link, which there always are. */
export interface SignInWaysView {
  readonly outside?: { readonly title: string };
}

export interface PasskeysView {
  readonly passkeys: readonly PasskeyView[];
  /** What one that is made in this session may do: approve critical actions at once, or after a day. */
  readonly new_passkey: "counts_at_once" | "settles";
  /** This browser in words, as the name of a new one. */
  readonly suggested_label: string;
  readonly sessions: readonly SignedInView[];
  /** The newest first. */
  readonly events: readonly SignInEventView[];
}
export interface PasskeyView {
  readonly credential_id: string;
  readonly label: string;
  readonly added_at: string;
  readonly last_used_at?: string;
  /** `settling`: it signs in, and may approve critical actions from `counts_from` on, or once an older one confirms it. */
  readonly standing: "counts" | "settling";
  readonly counts_from?: string;
}
export interface SignedInView {
  readonly session_ref: string;
  readonly device: string;
  readonly began: SessionView["began"];
  readonly began_at: string;
  readonly last_seen_at: string;
  readonly this_one?: true;
}
export interface SignInEventView {
  readonly event_id: string;
  readonly kind: "link_used" | "passkey_added" | "passkey_confirmed" | "passkey_removed" | "passkey_copied";
  /** The passkey's label, or for a link the browser that used it. */
  readonly label: string;
  readonly at: string;
  readonly is_new?: true;
}

export interface InboxItem {
  /** `unreached`: messages to the person do not arrive; the title is the channel. */
  readonly kind: "agent" | "consent" | "sign_in" | "verification" | "approval" | "review" | "unreached" | "security";
  /** A path of the console, for example `/approvals/act_…`. */
  readonly href: string;
  readonly title: string;
  readonly agent?: string;
  readonly account?: string;
  /** The task that waits for it. */
  readonly task_id?: string;
  readonly created_at: string;
  readonly expires_at?: string;
}
export interface InboxView {
  readonly items: readonly InboxItem[];
}

/** How the person is told of what waits for them. */
export interface ContactView {
  /** What this gateway has: mail, the operator's webhook, files in its data directory. */
  readonly channels: readonly ("email" | "webhook" | "outbox")[];
  readonly email?: { readonly address: string };
  /** An address that waits for the code which was mailed to it. */
  readonly pending?: { readonly address: string; readonly expires_at: string };
  readonly unreached_by: readonly ("email" | "webhook" | "outbox")[];
}

export interface DestinationView {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly routes: readonly string[];
}

export interface ConnectionView {
  readonly route: string;
  readonly state: "connected" | "reauthentication_required" | "disconnected";
  readonly reason?: string;
  /** What the person can do about it; absent while it is connected. */
  readonly next_step?: string;
  readonly verified_at?: string;
}
export interface AccountView {
  readonly account_ref: string;
  readonly destination: string;
  readonly destination_title: string;
  readonly origin: string;
  /** The destination's own name for the account; empty until the first sign-in. */
  readonly name: string;
  readonly connections: readonly ConnectionView[];
  readonly details: readonly AccountDetailView[];
}

export interface AccountDetailView {
  readonly ref: string;
  readonly kind: string;
  readonly label: string;
  /** The person added it here and may remove it; the others come from the site. */
  readonly own: boolean;
}

export interface ContinuationView {
  readonly continuation_ref: string;
  /** `verification`: the site has received the task's submission and asks the person to confirm it (MFA-6). */
  readonly kind: "connect" | "task" | "verification";
  readonly destination_title: string;
  readonly origin: string;
  readonly route: string;
  readonly state: "waiting" | "begun" | "completed" | "expired";
  readonly expires_at: string;
  readonly mode?: "live" | "form";
  readonly fields?: readonly FormField[];
  /** When another browser session tried to go on with it, which it could not. */
  readonly tried_elsewhere_at?: string;
  readonly task?: { readonly task_id: string; readonly operation_title: string; readonly agent: string };
  readonly tries?: SignInTriesView;
}
/** Present when one password more may be tried at the site in this hour, or none: sites lock accounts. */
export interface SignInTriesView {
  readonly left: number;
  /** When the next one is possible; with none left. */
  readonly until?: string;
}
export interface FormAnswerView {
  /** `other_account`: signed in as somebody else than this account stands for; nothing was attached. */
  readonly kind: "more" | "refused" | "done" | "other_account";
  readonly fields?: readonly FormField[];
  readonly message?: string;
  /** The site's own name of the account that is signed in. */
  readonly account_name?: string;
  readonly expected_name?: string;
  /** After a verification: the task's state now. */
  readonly task_state?: TaskState;
  readonly tried_elsewhere_at?: string;
  /** `refused` with none left: nothing was sent to the site. */
  readonly tries?: SignInTriesView;
}
export interface CompletionView {
  /** `verified`: the site has said what came of it; `not_verified`: it still asks. */
  readonly outcome: "connected" | "not_signed_in" | "site_unavailable" | "other_account" | "verified" | "not_verified";
  readonly message?: string;
  readonly account_name?: string;
  readonly expected_name?: string;
  readonly account_ref?: string;
  readonly task_state?: TaskState;
  readonly tried_elsewhere_at?: string;
}

/**
 * A binary message is one picture: 4 bytes big-endian length of a JSON head `{id, width, height}`, the head, the JPEG.
 * The client answers each with `{type: "ack", id}`. Text messages are one of these.
 */
export type LiveServerMessage =
  | Exclude<ViewMessage, { readonly type: "frame" }>
  /** Whether this window drives or watches; `driven`: some window of the session drives. Told first, and when it changes. */
  | { readonly type: "role"; readonly role: "driver" | "watcher"; readonly driven: boolean };
/** `take`: this window wants to drive from now on; the one that drove watches. */
export type LiveClientMessage = ViewInput | { readonly type: "take" };

/** Limits of a grant (CON-3); what is left out is not limited. All amounts are in one currency. */
export interface ConsentLimits {
  /** Minor units of `currency`; the most one action may cost. */
  readonly max_total_minor?: number;
  readonly currency?: string;
  /** Rolling windows that end now: 24 hours, 7 days, 31 days, and the grant's whole life. */
  readonly periods?: Readonly<Partial<Record<ConsentPeriod, ConsentPeriodLimit>>>;
  /** The only ones that may be paid, as the site names them. */
  readonly payees?: readonly string[];
  /** The only ones that may be bought or changed, by the destination's own identifiers. */
  readonly items?: readonly string[];
  readonly hours?: ConsentHours;
}
export type ConsentPeriod = "day" | "week" | "month" | "total";
export interface ConsentPeriodLimit {
  readonly max_total_minor?: number;
  readonly currency?: string;
  readonly max_actions?: number;
}
/** Local times `HH:MM` of an IANA zone; `to` (up to `24:00`) is not within. Past midnight, `days` are those it begins on. */
export interface ConsentHours {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
}
/** What was committed under a grant, and what its limits still allow (CON-4). */
export interface ConsentUsage {
  readonly actions: number;
  /** Of them, submissions whose outcome is not known yet; they are read back even after a revocation (CON-5). */
  readonly uncertain: number;
  readonly sums: readonly { readonly currency: string; readonly total_minor: number }[];
  readonly last_used_at?: string;
  readonly left: Readonly<
    Partial<
      Record<ConsentPeriod, { readonly total_minor?: number; readonly currency?: string; readonly actions?: number }>
    >
  >;
  /** In `GET /consents/{ref}` alone; newest first. */
  readonly tasks?: readonly ConsentTask[];
}
export interface ConsentTask {
  readonly task_id: string;
  readonly operation_title: string;
  readonly state: TaskState;
  readonly created_at: string;
  /** Present when it was submitted and may have happened or did. */
  readonly amount?: { readonly total_minor: number; readonly currency: string };
}
export interface ConsentView {
  readonly consent_ref: string;
  readonly state: "requested" | "granted" | "refused" | "revoked" | "expired";
  readonly agent: string;
  readonly client_id: string;
  readonly destination: string;
  readonly destination_title: string;
  readonly account?: { readonly account_ref: string; readonly name: string };
  /** What was asked for; a granted one also has `granted`. */
  readonly asked: ConsentScope;
  readonly granted?: ConsentScope;
  readonly purpose: string;
  readonly requested_at: string;
  readonly decided_at?: string;
  readonly revoked_at?: string;
  readonly used: { readonly tasks: number; readonly submitted: number };
  readonly usage: ConsentUsage;
  readonly available_operations: readonly OperationLabel[];
  readonly available_routes: readonly string[];
}
export interface OperationLabel {
  readonly id: string;
  readonly title: string;
  readonly effect: "read" | "commit";
}
export interface ConsentScope {
  readonly operations: readonly string[];
  readonly routes: readonly string[];
  readonly limits: ConsentLimits;
  /** Who has to decide each action, beyond what is demanded anyway; only the person sets it. */
  readonly approval?: DemandedPolicy | undefined;
  readonly expires_at: string;
}
/** The person may narrow what was asked, never widen it. */
export type ConsentDecision =
  | { readonly decision: "refuse" }
  | ({ readonly decision: "grant"; readonly account_ref: string } & ConsentScope);

/** A client asks at the authorization endpoint to act for the person. */
export interface AuthorizationView {
  readonly ref: string;
  readonly client: {
    readonly client_id: string;
    /** `document`: the host is proven and the name is the client's own word. `known`: the operator entered both. */
    readonly kind: "document" | "known";
    readonly host?: string;
    readonly name: string;
  };
  /** Where the answer goes. Any program on the machine can take what goes to `this_device` or to an `app`. */
  readonly returns_to:
    | { readonly kind: "site"; readonly origin: string }
    | { readonly kind: "this_device" }
    | { readonly kind: "app"; readonly scheme: string }
    /** A device that showed a code: its address and its own word of what it is, as they were when it asked. */
    | { readonly kind: "device"; readonly address: string; readonly agent: string };
  /** It acts for this person already. */
  readonly is_agent: boolean;
  readonly expires_at: string;
  readonly state: "asked" | "allowed" | "refused";
  /** Once it is answered: the path that takes the answer to the client. */
  readonly onward?: string;
  /** The client named what it wants: only that can be given. Otherwise the person picks, or gives nothing yet. */
  readonly by_name: boolean;
  /** The client's own words. */
  readonly purpose?: string;
  /** Where something can be given. Empty with `by_name`: what it names is not this person's. */
  readonly destinations: readonly AuthorizationDestination[];
}
export interface AuthorizationDestination {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  /** The one account that was named. */
  readonly account_ref?: string;
  /** The most that can be given. */
  readonly asked: ConsentScope;
  readonly available_operations: readonly OperationLabel[];
  readonly available_routes: readonly string[];
}
/** Without a grant the client is let in and may ask for one later. */
export type AuthorizationDecision =
  | { readonly decision: "refuse" }
  | {
      readonly decision: "allow";
      readonly grant?: { readonly destination: string; readonly account_ref: string } & ConsentScope;
    };

export interface ApprovalView {
  readonly action_id: string;
  readonly task_id: string;
  /** The action record itself; the page draws from this and recomputes its digest. */
  readonly action: JsonObject;
  readonly action_digest: string;
  /** Disclosures (approval-evidence: base64url of `[salt, name, value]`) of the record's private members. */
  readonly disclosures: readonly string[];
  readonly meaning: TermsMeaning;
  readonly operation_title: string;
  readonly agent: string;
  readonly account: { readonly name: string; readonly destination_title: string; readonly origin: string };
  /** Who has to decide it now: the tightest of the catalogue's, the tenant's, the grant's and the record's own policy. */
  readonly policy: ApprovalPolicy;
  /**
   * While it waits under the policy `passkey`: the person's passkeys that may approve now, and where there is none yet,
   * when the first one that they have may.
   */
  readonly passkeys?: { readonly ids: readonly string[]; readonly usable_from?: string };
  /** `not_required`: nobody had to decide. `stopped`: the task ended without it, as `task_reason` says. */
  readonly status:
    | "pending"
    | "approved"
    | "denied"
    | "expired"
    | "superseded"
    | "withdrawn_by_agent"
    | "withdrawn_by_holder"
    | "stopped"
    | "not_required";
  readonly decided_at?: string;
  readonly decided_by?: ApprovalMethod;
  /** The name of the authority, where one decided. */
  readonly authority?: string;
  /** What the person noted with their decision; shown to nobody else. */
  readonly note?: string;
  /** Present when an earlier record of the same task was replaced because terms moved. */
  readonly changed_from?: JsonObject;
  /** The disclosures of that record, so that a moved address is seen as well. */
  readonly changed_from_disclosures?: readonly string[];
  /** While it waits: what this account did in the last 30 days that is equal to it, newest first, three at most. */
  readonly earlier?: readonly EarlierView[];
  /** While it waits: since the last decision the site may show this done by the person's own hand; they decide again. */
  readonly may_be_done?: true;
  /** What the agent wrote when it asked for the grant; its own words. */
  readonly purpose?: string;
  /** The task's state now, so that the result page can follow it. */
  readonly task_state: TaskState;
  readonly task_reason?: string;
}
/** An act of the account with an equal wish or the same items that was done, or may have been. */
export interface EarlierView {
  readonly task_id: string;
  readonly state: TaskState;
  readonly at: string;
  readonly amount?: { readonly total_minor: number; readonly currency: string };
}
export interface ApprovalDecision {
  readonly decision: "approved" | "denied";
  readonly action_digest: string;
  /** `display_digest` is of the display text that the page drew. A page that shows a passkey names its build. */
  readonly surface: { readonly version: string; readonly display_digest: string; readonly build_digest?: string };
  readonly reason?: string;
  /** A WebAuthn assertion, the person verified, whose challenge is `action_digest`; raw bytes in base64url. */
  readonly passkey?: {
    readonly credential_id: string;
    readonly authenticator_data: string;
    readonly client_data_json: string;
    readonly signature: string;
  };
}

/** An outside authority that this gateway knows, and how the person enrolled it, if they did. */
export interface AuthorityView {
  readonly authority: string;
  readonly title: string;
  /** The operations that it can be enrolled for. */
  readonly available_operations: readonly OperationLabel[];
  /** The enrolment that counts now. */
  readonly enrolment?: EnrolmentView;
  /** One that does not count yet; at its `counts_from` it takes the place of the one that counts, if there is one. */
  readonly settling?: EnrolmentView;
}

export interface EnrolmentView {
  readonly label: string;
  readonly operations: readonly string[];
  readonly parameters: JsonObject;
  readonly enrolled_at: string;
  /** A day after it was enrolled, so that a stolen session cannot approve by an authority of its own. */
  readonly counts_from: string;
}

export interface TaskView {
  readonly task_id: string;
  readonly operation: string;
  readonly operation_title: string;
  readonly state: TaskState;
  readonly reason?: string;
  readonly reason_title?: string;
  readonly next_step: string;
  readonly agent: string;
  readonly account: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly needs_review: boolean;
  /** The store was restored and only the person can tell whether this was done: `POST /tasks/{task_id}/looked`. */
  readonly asks_what_was_seen?: true;
  readonly events?: readonly TaskEventView[];
  readonly receipt?: JsonObject;
}
/** What the person saw at the site. `not_done`: the task goes on. `done`: it is closed, the gateway saw nothing itself. */
export interface LookedAnswer {
  readonly found: "done" | "not_done";
}
/** A record of the site's own, kept as it came; never the gateway's word. Its bytes are at `tasks/:id/records/:record`. */
export interface MerchantRecordView {
  readonly record_id: string;
  readonly source: "merchant";
  readonly kind: string;
  readonly media_type: string;
  readonly bytes: number;
  /** As the gateway's receipt names it. */
  readonly sha256: string;
  readonly signature_checked: boolean;
  readonly by?: string;
  readonly received_at: string;
}
export interface TaskEventView {
  readonly seq: number;
  readonly at: string;
  readonly state: TaskState;
  readonly reason?: string;
  readonly step?: string;
  readonly label?: string;
}

export interface AgentView {
  readonly client_id: string;
  readonly name: string;
  readonly state: "requested" | "accepted" | "refused" | "revoked";
  readonly created_at: string;
  readonly decided_at?: string;
  /** To the minute: when it last called with a token that counted. */
  readonly last_seen_at?: string;
}

/** A task's receipt in a line. */
export interface ReceiptSummary {
  readonly task_id: string;
  readonly operation_title: string;
  readonly outcome: string;
  readonly account_seq: number;
  readonly finished_at: string;
  readonly agent: string;
  readonly account: string;
  /** What the site charged, where the receipt says so. */
  readonly total?: { readonly total_minor: number; readonly currency: string };
  /** The site did or charged something else than was approved. */
  readonly flagged: boolean;
}

/** `changed`: something of these kinds changed; read it again. Nothing is said about what. */
export interface ChangesView {
  readonly kinds: readonly ChangeKind[];
}

/** A demonstration's practice site. What a switch or a counter is called stands in the console. */
export interface PracticeView {
  readonly shop_origin: string;
  readonly switches: readonly { readonly id: string; readonly on: boolean }[];
  readonly counters: Readonly<Record<string, number>>;
  /** What the practice person's authenticator and bank show now. */
  readonly sign_in_code: string;
  readonly bank_code?: string;
}
