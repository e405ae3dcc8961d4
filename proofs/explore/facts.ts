import { type ActionRecord, type CommitOperation, retailOrderSubmit, underCeiling } from "@countersign/profile";
import { assert, formatInstant, type JsonObject, instant as toInstant } from "@countersign/wire";
import type { ConsentRow } from "../../packages/gateway/src/consent/consents.ts";
import type { CrossingFacts } from "../../packages/gateway/src/execution/judge.ts";
import { type Bounds, NEVER, type TaskModel, TICK_MS, type WorkerModel, type World } from "./model.ts";

// The model's small numbers as the rows and records that the gateway's own functions judge.

const BASE = Date.UTC(2026, 10, 30, 9);
const ACCOUNT = "acct_explored";
const OTHER_VERSION = 6;
const VERSION = 7;
const TOTAL_MINOR = 4990;

export const OPERATION: CommitOperation = retailOrderSubmit;
const { parameters, terms } = OPERATION.example;
assert(terms !== undefined, "a commit's example has terms");
export const PARAMETERS: JsonObject = parameters;

/** What the site may show: as at first, dearer within the limits, cheaper, above the limits, another payee. */
export const TERMS: readonly JsonObject[] = [
  terms,
  priced(4690, 5190),
  priced(4290, 4790),
  priced(5490, 5990),
  { ...terms, payee: "other.example" },
];
export const TERMS_SAID = [
  "the first price",
  "a higher price",
  "a lower price",
  "a price over the limit",
  "another payee",
];
const CHEAPER_THAN: readonly (readonly number[])[] = [[2], [0, 2], [], [0, 1, 2], []];

/** The explorer's own opinion, apart from the gateway's: may this be ordered by one who approved that? */
export function coversByItself(approved: number, seen: number): boolean {
  return approved === seen || CHEAPER_THAN[approved]?.includes(seen) === true;
}

export function overLimit(index: number): boolean {
  const { ceiling } = OPERATION;
  return ceiling !== undefined && underCeiling(ceiling, PARAMETERS, TERMS[index] ?? {}) !== "within";
}

function priced(unit: number, total: number): JsonObject {
  const lines = [
    { kind: "item", ref: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: unit },
    { kind: "delivery", ref: "delivery_demo", title: "Delivery", quantity: 1, unit_minor: 500 },
  ];
  return { ...terms, lines, total_minor: total };
}

export function msOf(tick: number): number {
  return BASE + tick * TICK_MS;
}

function textOf(tick: number): string {
  return formatInstant(toInstant(msOf(tick)));
}

export function consentRow(world: World, bounds: Bounds): ConsentRow {
  const scope = JSON.stringify({
    operations: [OPERATION.id],
    routes: ["http"],
    limits: { max_total_minor: 5500, currency: "EUR", periods: { total: { max_actions: bounds.grantUses } } },
    expires_at: textOf(bounds.grantUntil),
  });
  return {
    consent_ref: "cons_explored",
    tenant_id: "ten",
    person_id: "usr",
    client_id: "agent",
    destination: "shop",
    account_ref: ACCOUNT,
    state: world.revoked ? "revoked" : "granted",
    asked: scope,
    granted: scope,
    purpose: "explored",
    requested_at: BASE,
    decided_at: BASE,
    revoked_at: world.revoked ? BASE : null,
    expires_at: msOf(bounds.grantUntil),
  };
}

const records = new Map<string, ActionRecord>();

function recordOf(task: number, generation: string, shown: number, until: number): ActionRecord {
  const name = `${task} ${generation} ${shown} ${until}`;
  const known = records.get(name);
  if (known !== undefined) return known;
  const digest = "A".repeat(43);
  const made: ActionRecord = {
    typ: "countersign.action/1",
    profile: "urn:countersign:profile:explored" as ActionRecord["profile"],
    issuer: "https://gateway.example",
    action_id: `act_${task}_${generation}`,
    task_id: `task_${task}`,
    nonce: "A".repeat(22),
    created_at: textOf(0),
    expires_at: textOf(until),
    account_holder: "holder",
    account_ref: ACCOUNT,
    consent_ref: "cons_explored",
    agent: "agent",
    request_digest: digest,
    operation: OPERATION.id,
    parameters: PARAMETERS,
    limits: {},
    route: { kind: "http", origin: "https://shop.example", adapter: "shop/1" },
    terms: TERMS[shown] ?? {},
    private: {},
    observed: { at: textOf(0), state_digest: digest },
    uses: 1,
  };
  records.set(name, made);
  return made;
}

/** What the boundary would read in its transaction for this worker, now. */
export function factsOf(world: World, bounds: Bounds, task: TaskModel, worker: WorkerModel): CrossingFacts {
  assert(task.state !== "none", "a worker has a task that exists");
  const generation = worker.recordIsNewest ? "newest" : "older";
  const inHand = recordOf(worker.task, generation, worker.recordTerms, worker.recordUntil);
  const newest = recordOf(worker.task, "newest", task.terms, task.actionUntil);
  const uses = usesOf(world);
  return {
    now: msOf(world.clock),
    operation: OPERATION,
    parameters: PARAMETERS,
    claimed: { version: worker.fresh ? VERSION : OTHER_VERSION, fence: worker.mine ? VERSION : OTHER_VERSION },
    task: {
      task_id: `task_${worker.task}`,
      account_ref: ACCOUNT,
      version: VERSION,
      fence: VERSION,
      lease_owner: task.lease < 0 ? null : `worker_${task.lease}`,
      lease_until: task.lease < 0 ? null : msOf(task.leaseUntil),
      state: task.state,
      submitted: task.submitted ? 1 : 0,
      request_expires_at: msOf(bounds.requestUntil),
    },
    consent: consentRow(world, bounds),
    action:
      task.action === "none" || task.actionUntil === NEVER
        ? undefined
        : {
            action_id: newest.action_id,
            status: task.action,
            digest: digestOfModel(newest),
            expires_at: msOf(task.actionUntil),
          },
    used: { total: { actions: uses, minor: uses * TOTAL_MINOR } },
    approval:
      task.decision === "none"
        ? undefined
        : {
            decision: task.decision,
            method: "session",
            taskId: newest.task_id,
            actionId: newest.action_id,
            actionDigest: digestOfModel(newest),
          },
    policy: "session",
    readBackFirst: false,
    outside: { kind: "not_asked" },
    connection: { state: world.connected ? "connected" : "reauthentication_required" },
    record: inHand,
    digest: digestOfModel(inHand),
    personal: {},
    observed: { terms: TERMS[worker.seen] ?? {} },
  };
}

/** A use that may have happened counts; one that certainly did not is free again. */
export function usesOf(world: World): number {
  return world.tasks.filter((task) => task.submitted && task.state !== "failed").length;
}

/** Digests are only compared: whatever tells two records apart will do. */
function digestOfModel(record: ActionRecord): string {
  return `${record.action_id} ${record.expires_at} ${JSON.stringify(record.terms)}`;
}
