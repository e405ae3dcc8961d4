import type {
  AccountView,
  AgentView,
  ApprovalView,
  AuthorityView,
  ConsentLimits,
  ConsentTask,
  ConsentUsage,
  ConsentView,
  ContinuationView,
  EnrolmentView,
  InboxView,
  MerchantRecordView,
  PracticeView,
  ReceiptSummary,
  TaskView,
} from "@countersign/gateway/trusted-contract";
import { assert, type JsonObject, parseJws } from "@countersign/wire";
import vector from "../../../profile/fixtures/evidence.json" with { type: "json" };
import { approvalView, ORDER_TERMS } from "./records.ts";

/** Canned answers, by the last part of their path. */
export interface FakeData {
  readonly inbox: InboxView;
  readonly agents: AgentView[];
  readonly accounts: AccountView[];
  readonly consents: ConsentView[];
  readonly continuations: ContinuationView[];
  readonly approvals: ApprovalView[];
  readonly tasks: TaskView[];
  readonly receipts: ReceiptSummary[];
  readonly authorities: AuthorityView[];
  readonly records: MerchantRecordView[];
  /** The evidence of `task_done`. */
  bundle: object;
  /** A demonstration's board; undefined in a real gateway. */
  practice: PracticeView | undefined;
}

/** The profile's worked example, as the evidence of one task. */
export const EVIDENCE = vector;

const AT = "2026-11-30T10:00:00Z";
const IN_A_WEEK = "2026-12-07T10:00:00Z";
const scope = {
  operations: ["retail.orders.list", "retail.order.submit"],
  routes: ["browser", "http"],
  limits: { max_total_minor: 6000, currency: "EUR" },
};

const LIMITS: ConsentLimits = {
  ...scope.limits,
  periods: { day: { max_total_minor: 12_000, currency: "EUR", max_actions: 3 }, total: { max_actions: 20 } },
  payees: ["shop.example"],
  items: ["TL-200", "WB-750-SAGE"],
  hours: { zone: "Europe/Berlin", from: "08:00", to: "20:00", days: ["mon", "tue", "wed", "thu", "fri"] },
};
const USAGE: ConsentUsage = {
  actions: 2,
  uncertain: 1,
  sums: [{ currency: "EUR", total_minor: 9980 }],
  last_used_at: AT,
  left: { day: { total_minor: 2020, currency: "EUR", actions: 1 }, total: { actions: 18 } },
  tasks: [
    consentTask("task_review", "outcome_unknown"),
    consentTask("task_done", "succeeded"),
    { task_id: "task_denied", operation_title: "Place an order", state: "denied", created_at: AT },
  ],
};

export async function fakeData(nowMs: number): Promise<FakeData> {
  const later = (minutes: number) => `${new Date(nowMs + minutes * 60_000).toISOString().slice(0, 19)}Z`;
  const expiresAt = later(14);
  const cheaper = { ...ORDER_TERMS, total_minor: 4490, lines: [(ORDER_TERMS["lines"] as object[])[0] ?? {}] };
  const approvals = [
    await approvalView({ id: "act_pending", expiresAt }),
    await approvalView({
      id: "act_changed",
      expiresAt,
      change: { changed_from: (await approvalView({ id: "act_old", expiresAt, terms: cheaper as never })).action },
    }),
    await approvalView({
      id: "act_deceptive",
      expiresAt,
      terms: {
        ...ORDER_TERMS,
        payee: "xn--shp-tdd.example",
        lines: [
          {
            kind: "item",
            ref: "TL-200",
            title: `Trail\u202e Lamp\u200b 200${"\u00a0".repeat(400)}\u{e0100}\nfree`,
            quantity: 1,
            unit_minor: 4990,
          },
        ],
        note: "A very long note. ".repeat(150),
      },
    }),
    await approvalView({
      id: "act_expired",
      expiresAt: AT,
      change: { status: "expired", task_state: "expired", task_reason: "approval_expired" },
    }),
    await approvalView({
      id: "act_done",
      expiresAt,
      change: { status: "approved", decided_at: AT, task_state: "outcome_unknown" },
    }),
  ];
  const tampered = await approvalView({ id: "act_tampered", expiresAt });
  approvals.push({
    ...tampered,
    action: { ...tampered.action, terms: { ...ORDER_TERMS, total_minor: 990 } },
  });
  return {
    inbox: {
      items: [
        { ...item("approval", "/approvals/act_pending", "Place an order", expiresAt), task_id: "task_pending" },
        item("sign_in", "/continuations/cont_live", "Practice shop", expiresAt),
        item("review", "/tasks/task_review", "Place an order"),
        item("consent", "/consents/cons_asked", "Practice shop"),
        item("agent", "/agents/agent_new", "Errand agent"),
      ],
    },
    agents: [
      { client_id: "agent_new", name: "Errand agent", state: "requested", created_at: AT },
      {
        client_id: "agent_old",
        name: "Bookkeeper",
        state: "accepted",
        created_at: AT,
        decided_at: AT,
        last_seen_at: AT,
        receivers: [
          { origin: "https://hooks.books.example", state: "active" },
          { origin: "https://old.books.example", state: "gone" },
        ],
      },
      { client_id: "agent_gone", name: "Old helper", state: "revoked", created_at: AT, decided_at: AT },
    ],
    accounts: [
      {
        account_ref: "acc_1",
        destination: "practice-shop",
        destination_title: "Practice shop",
        origin: "https://shop.example",
        name: "Alex Example",
        connections: [
          { route: "browser", state: "connected", verified_at: AT },
          {
            route: "http",
            state: "reauthentication_required",
            reason: "the session has ended",
            next_step: "Sign in at the site again; tasks that wait for it then go on.",
          },
        ],
        details: [
          { ref: "det_1", kind: "fulfillment", label: "Home", own: true },
          { ref: "det_2", kind: "instrument", label: "Card ending 4242", own: false },
          { ref: "det_3", kind: "contact", label: "Work phone", own: true },
        ],
      },
      {
        account_ref: "acc_2",
        destination: "garden",
        destination_title: "Garden store",
        origin: "https://garden.example",
        name: "alex@garden",
        connections: [
          {
            route: "browser",
            state: "disconnected",
            reason: "disconnected by the account holder",
            next_step: "Connect the account again if agents are to use it; until then nothing is done there.",
          },
        ],
        details: [],
      },
      {
        account_ref: "acc_3",
        destination: "garden",
        destination_title: "Garden store",
        origin: "https://garden.example",
        name: "",
        connections: [],
        details: [],
      },
    ],
    consents: [
      consent("cons_asked", later(60 * 24 * 3), { state: "requested" }),
      consent("cons_open", later(60 * 24 * 3), {
        state: "requested",
        asked: { ...scope, limits: {}, expires_at: later(60 * 24) },
      }),
      consent("cons_granted", later(60 * 24 * 3), {
        state: "granted",
        account: { account_ref: "acc_1", name: "Alex Example" },
        granted: { ...scope, limits: LIMITS, expires_at: later(60 * 24) },
        decided_at: AT,
        used: { tasks: 3, submitted: 2 },
        usage: USAGE,
      }),
      consent("cons_revoked", later(60 * 24 * 3), {
        state: "revoked",
        revoked_at: AT,
        decided_at: AT,
        usage: { ...USAGE, left: {} },
      }),
    ],
    continuations: [
      continuation("cont_live", expiresAt, {
        task: { task_id: "task_pending", operation_title: "Place an order", agent: "Errand agent" },
      }),
      continuation("cont_form", expiresAt, { route: "http" }),
      continuation("cont_agree", expiresAt, { route: "a2a" }),
      continuation("cont_verify", expiresAt, {
        kind: "verification",
        route: "http",
        tried_elsewhere_at: AT,
        task: { task_id: "task_pending", operation_title: "Place an order", agent: "Errand agent" },
      }),
      continuation("cont_expired", AT, { state: "expired" }),
    ],
    approvals,
    tasks: [
      task("task_pending", { state: "approval_required" }),
      task("task_review", { state: "outcome_unknown", reason: "awaiting_confirmation", needs_review: true }),
      task("task_done", { state: "succeeded", receipt: RECEIPT }),
      task("task_denied", {
        state: "denied",
        reason: "over_limit",
        reason_title: "The full cost is above a limit in force.",
      }),
      task("task_watch", {
        operation: "retail.deal.watch",
        operation_title: "Watch an item for a price",
        state: "executing",
        watch: { ends_at: IN_A_WEEK, looks: 41, looked_at: AT, next_look_at: IN_A_WEEK, unanswered: 2 },
        events: [
          { seq: 1, at: AT, state: "received" },
          { seq: 2, at: AT, state: "executing" },
          {
            seq: 3,
            at: AT,
            state: "executing",
            step: "looked",
            label: "Looked: not yet. It is looked at again by itself.",
          },
        ],
      }),
      task("task_restored", { state: "validating", needs_review: true, asks_what_was_seen: true }),
      task("task_running", { state: "executing" }),
    ],
    receipts: [
      receipt("task_done", { total: { total_minor: 4990, currency: "EUR" } }),
      receipt("task_review", { outcome: "outcome_unknown", account_seq: 6 }),
      receipt("task_over", { total: { total_minor: 5090, currency: "EUR" }, account_seq: 5, flagged: true }),
      receipt("task_denied", { outcome: "denied", account_seq: 4 }),
    ],
    authorities: [
      { authority: "bank-mandate", title: "Bank mandates", available_operations: COMMITS },
      {
        authority: "family",
        title: "Family approvals",
        available_operations: COMMITS,
        enrolment: enrolment("Grandma's tablet", AT),
        settling: enrolment("Grandma's new tablet", later(60 * 20)),
      },
    ],
    records: [
      {
        record_id: "mrc_1",
        source: "merchant",
        kind: "order_confirmation",
        media_type: "text/html",
        bytes: 18_234,
        sha256: "rJk_AtSEGnlJlqeP7PTG-jjuVoX6Itm1yrp923S-Ckc",
        signature_checked: false,
        received_at: AT,
      },
    ],
    bundle: EVIDENCE.bundle,
    practice: undefined,
  };
}

const COMMITS = [{ id: "retail.order.submit", title: "Place an order", effect: "commit" }] as const;

function enrolment(label: string, countsFrom: string): EnrolmentView {
  const operations = ["retail.order.submit"];
  return { label, operations, parameters: {}, enrolled_at: AT, counts_from: countsFrom };
}

function receipt(taskId: string, change: Partial<ReceiptSummary>): ReceiptSummary {
  return {
    task_id: taskId,
    operation_title: "Place an order",
    outcome: "succeeded",
    account_seq: 7,
    finished_at: AT,
    agent: "Errand agent",
    account: "Alex Example, Practice shop",
    flagged: false,
    ...change,
  };
}

export const PRACTICE: PracticeView = {
  shop_origin: "http://127.0.0.1:4700",
  switches: [
    "lose_answer",
    "error_after",
    "lose_request",
    "refuse",
    "bank_code",
    "overcharge",
    "dearer",
    "history_down",
  ].map((id) => ({ id, on: id === "refuse" })),
  counters: {
    submits: 2,
    orders: 1,
    cancels: 0,
    verifications: 0,
    wrongCodes: 0,
    signIns: 3,
    pageViews: 14,
    apiCalls: 20,
  },
  sign_in_code: "123456",
};

const RECEIPT = receiptOf(EVIDENCE.bundle.receipt);

function receiptOf(jws: string): JsonObject {
  const parsed = parseJws(jws);
  assert(parsed.ok, "the example's receipt is readable");
  return parsed.value.payload;
}

function item(kind: InboxView["items"][number]["kind"], href: string, title: string, expiresAt?: string) {
  const due = expiresAt === undefined ? {} : { expires_at: expiresAt };
  return { kind, href, title, agent: "Errand agent", account: "Alex Example", created_at: AT, ...due };
}

function consentTask(taskId: string, state: "outcome_unknown" | "succeeded"): ConsentTask {
  const amount = { total_minor: 4990, currency: "EUR" };
  return { task_id: taskId, operation_title: "Place an order", state, created_at: AT, amount };
}

function consent(ref: string, expiresAt: string, change: Partial<ConsentView>): ConsentView {
  return {
    consent_ref: ref,
    state: "requested",
    agent: "Errand agent",
    client_id: "agent_old",
    destination: "practice-shop",
    destination_title: "Practice shop",
    asked: { ...scope, expires_at: expiresAt },
    purpose: "To keep your camping kit complete, I look at what you own and order what is missing.",
    requested_at: AT,
    used: { tasks: 0, submitted: 0 },
    usage: { actions: 0, uncertain: 0, sums: [], left: {}, tasks: [] },
    available_operations: [
      { id: "retail.orders.list", title: "List past orders", effect: "read" },
      { id: "retail.order.submit", title: "Place an order", effect: "commit" },
    ],
    available_routes: ["browser", "http"],
    ...change,
  };
}

function continuation(ref: string, expiresAt: string, change: Partial<ContinuationView>): ContinuationView {
  return {
    continuation_ref: ref,
    kind: "connect",
    destination_title: "Practice shop",
    origin: "https://shop.example",
    route: "browser",
    state: "waiting",
    expires_at: expiresAt,
    ...change,
  };
}

function task(id: string, change: Partial<TaskView>): TaskView {
  return {
    task_id: id,
    operation: "retail.order.submit",
    operation_title: "Place an order",
    state: "received",
    next_step: "Poll.",
    agent: "Errand agent",
    account: "Alex Example, Practice shop",
    created_at: AT,
    updated_at: AT,
    needs_review: false,
    events: [
      { seq: 1, at: AT, state: "received" },
      { seq: 2, at: AT, state: "validating", step: "checkout", label: "Going to the shop's checkout" },
      { seq: 3, at: AT, state: change.state ?? "received", ...(change.reason ? { reason: change.reason } : {}) },
    ],
    ...change,
  };
}
