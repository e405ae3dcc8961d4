import type { JsonObject } from "@countersign/wire";
import type { House } from "./house.ts";
import { simulatedNow } from "./platform.ts";
import type { Shop } from "./shop.ts";

/** What must never be; each is counted over all runs and must be zero. */
export const FAULTS = [
  "duplicates",
  "unapproved",
  "after_revocation",
  "after_expiry",
  "over_grant",
  "lost",
  "invented",
  "unsettled",
  "unflagged",
  "evidence",
  "put_back",
  "broken",
] as const;
export type Fault = (typeof FAULTS)[number];

export const FAULT_SAID: Readonly<Record<Fault, string>> = {
  duplicates: "ordered or sent twice for one task, or two tasks for one idempotency key",
  unapproved: "crossed without the person's approval of those terms, or after they had denied or withdrawn it",
  after_revocation: "crossed after the person had been told that the grant is revoked",
  after_expiry: "crossed after the request, the grant or the approval had run out",
  over_grant: "crossed more often than the grant allows",
  lost: "ordered at the shop, and the task is not called succeeded",
  invented: "called succeeded, and the shop knows nothing of it",
  unsettled: "still unsettled when everything had been given its time",
  unflagged: "charged above the approved total, and the receipt does not say so",
  evidence: "a receipt is missing, unsigned, out of order or says another outcome; an event is missing",
  put_back: "what was made ready at the site was put back, and the request had left",
  broken: "a step ended by an error that is the gateway's own",
};

export interface Approved {
  readonly totalMinor: number;
  readonly payee: string;
  readonly instrument: string;
  readonly until: number;
}

/** What the people of a run know by themselves, apart from the gateway's rows. */
export interface Knowledge {
  requestUntil: Map<string, number>;
  /** By action id: terms that the person said yes to, as their page showed them. */
  readonly approved: Map<string, Approved>;
  /** Actions and tasks of which the person, or the agent, has been told that they are off. */
  readonly refused: Set<string>;
  readonly withdrawn: Set<string>;
  revokedAt: number | undefined;
  grantUntil: number;
  grantUses: number;
  readonly keys: Map<string, string>;
}

export interface Found {
  readonly fault: Fault;
  readonly what: string;
}

interface Submission {
  readonly action_id: string;
  readonly submitted_at: number;
  readonly record: string;
}

/** Called at the instant after a boundary transaction, before anything else can happen. */
export function judgeCrossingNow(house: House, known: Knowledge, shop: Shop, taskId: string): readonly Found[] {
  const row = house
    .ask(
      "select s.action_id, s.submitted_at, a.record from submission s join action a on a.action_id = s.action_id where s.task_id = ?",
    )
    .get(taskId) as Submission | undefined;
  if (row === undefined) return [{ fault: "unapproved", what: `${taskId} crossed without a submission` }];
  const found: Found[] = [];
  const say = (fault: Fault, what: string): void => void found.push({ fault, what: `${taskId} ${what}` });
  const now = simulatedNow();
  const yes = known.approved.get(row.action_id);
  if (yes === undefined) say("unapproved", "crossed, and nobody approved its record");
  if (yes !== undefined && !covers(yes, shop.readAgain.get(row.action_id)))
    say("unapproved", "crossed on other terms than the approved ones");
  if (known.refused.has(row.action_id)) say("unapproved", "crossed after the person had denied it");
  if (known.withdrawn.has(taskId)) say("unapproved", "crossed after it had been withdrawn");
  if (known.revokedAt !== undefined) say("after_revocation", "crossed after the revocation");
  if (now >= known.grantUntil) say("after_expiry", "crossed after the grant had run out");
  if (now >= (known.requestUntil.get(taskId) ?? 0)) say("after_expiry", "crossed after the request had run out");
  if (yes !== undefined && now >= yes.until) say("after_expiry", "crossed after the approval had run out");
  const uses = house
    .ask("select count(*) as n from submission s join task t on t.task_id = s.task_id where t.state <> 'failed'")
    .get();
  if (Number(uses?.["n"]) > known.grantUses) say("over_grant", "crossed beyond the uses of the grant");
  return found;
}

/** What the worker read at the site last must be what was approved, or cheaper. */
function covers(yes: Approved, seen: JsonObject | undefined): boolean {
  const total = seen?.["total_minor"];
  return (
    seen?.["payee"] === yes.payee &&
    seen["instrument"] === yes.instrument &&
    typeof total === "number" &&
    total <= yes.totalMinor
  );
}

/** The verdict on a run, when everything has been given its time. */
export function judgeEnd(house: House, known: Knowledge, shop: Shop): readonly Found[] {
  const found: Found[] = [];
  for (const taskId of shop.putBack)
    found.push({ fault: "put_back", what: `${taskId} was called unsent, and it had left` });
  const tasks = house.ask("select task_id, state, account_ref from task order by created_at, task_id").all();
  for (const row of tasks) {
    const taskId = String(row["task_id"]);
    const state = String(row["state"]);
    const say = (fault: Fault, what: string): void => void found.push({ fault, what: `${taskId} (${state}) ${what}` });
    const orders = shop.orders.filter((o) => o.taskId === taskId);
    const arrivals = shop.arrivals.filter((id) => id === taskId).length;
    const [order] = orders;
    if (orders.length > 1) say("duplicates", `was ordered ${orders.length} times`);
    if (arrivals > 1) say("duplicates", `was sent ${arrivals} times`);
    const settled = ["succeeded", "denied", "expired", "failed", "cancelled"].includes(state);
    if (!settled) say("unsettled", "is not settled");
    else if (order !== undefined && state !== "succeeded") say("lost", "was ordered");
    if (state === "succeeded" && order === undefined) say("invented", "was never ordered");
    for (const what of wrongEvidence(house, taskId, state, settled)) say("evidence", what);
    if (
      order !== undefined &&
      state === "succeeded" &&
      !flagged(house, known, taskId, order.actionId, order.totalMinor)
    )
      say("unflagged", "was charged above the approved total");
  }
  const keys = house.ask("select count(*) as n, count(distinct task_id) as tasks from idempotency").get();
  if (Number(keys?.["n"]) !== tasks.length || Number(keys?.["tasks"]) !== tasks.length)
    found.push({ fault: "duplicates", what: "a task without a key of its own" });
  return found;
}

function wrongEvidence(house: House, taskId: string, state: string, settled: boolean): readonly string[] {
  const wrong: string[] = [];
  const leaves = house
    .ask("select payload, jws, account_seq from leaf where task_id = ? and kind = 'receipt' order by leaf_id")
    .all(taskId);
  const last = leaves.at(-1);
  if (settled && last === undefined) wrong.push("has no receipt");
  if (leaves.some((leaf) => leaf["jws"] === null || leaf["account_seq"] === null))
    wrong.push("has an unsigned receipt");
  if (settled && last !== undefined && outcomeOf(last) !== state)
    wrong.push(`has a receipt that says ${outcomeOf(last)}`);
  const events = house.ask("select count(*) as n, max(seq) as last from task_event where task_id = ?").get(taskId);
  if (Number(events?.["n"]) !== Number(events?.["last"])) wrong.push("lacks an event");
  return wrong;
}

function outcomeOf(leaf: Readonly<Record<string, unknown>>): string {
  const payload = JSON.parse(String(leaf["payload"])) as { readonly outcome?: string };
  return payload.outcome ?? "nothing";
}

function flagged(house: House, known: Knowledge, taskId: string, actionId: string, charged: number): boolean {
  const approved = known.approved.get(actionId)?.totalMinor ?? charged;
  if (charged <= approved) return true;
  const last = house
    .ask("select payload from leaf where task_id = ? and kind = 'receipt' order by leaf_id desc limit 1")
    .get(taskId);
  const payload = JSON.parse(String(last?.["payload"] ?? "{}")) as { readonly flags?: readonly string[] };
  return payload.flags?.includes("terms_exceeded") === true;
}

/** The numbers of an account's receipts have no gap. */
export function judgeNumbers(house: House): readonly Found[] {
  const row = house
    .ask(
      "select count(*) as n, max(account_seq) as last, count(distinct account_seq) as d from leaf where account_ref = ? and account_seq is not null",
    )
    .get(house.accountRef);
  const whole = Number(row?.["n"]) === Number(row?.["last"] ?? 0) && Number(row?.["d"]) === Number(row?.["n"]);
  return whole ? [] : [{ fault: "evidence", what: "the numbers of the account's receipts have a gap" }];
}
