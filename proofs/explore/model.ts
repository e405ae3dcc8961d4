import type { TaskState } from "@countersign/profile";

/** A tick is one lease: long enough that a stopped worker loses its claim, short enough to stand between two others. */
export const TICK_MS = 60_000;
export const NEVER = -1;
export const NOBODY = -1;

/** The bounds of one exploration. Times are ticks from its beginning. */
export interface Bounds {
  readonly name: string;
  readonly tasks: number;
  readonly workers: number;
  /** The clock stops there; everything that can run out has run out before. */
  readonly clockEnd: number;
  readonly requestUntil: number;
  readonly grantUntil: number;
  /** How often the grant may be used in all. */
  readonly grantUses: number;
  /** How long a frozen record, and a hand-off, can be decided or completed. */
  readonly recordTicks: number;
  /** Terms that the site may change to (indices of `TERMS`), and how often it may. */
  readonly otherTerms: readonly number[];
  readonly termChanges: number;
  readonly sessionLosses: number;
  readonly crashes: number;
  /** Steps that outlast their time limit: the gateway deals with the task as after trouble, and they go on by themselves. */
  readonly overruns: number;
  /** Troubles at the site before the boundary. */
  readonly troubles: number;
}

export type Message = "none" | "to_site" | "confirmed" | "refused" | "garbled";
export type ActionStatus = "none" | "pending" | "approved" | "denied" | "expired" | "superseded" | "withdrawn";

export interface TaskModel {
  /** `none` until its request is delivered. */
  readonly state: TaskState | "none";
  readonly submitted: boolean;
  readonly due: number;
  readonly lease: number;
  readonly leaseUntil: number;
  /** The newest action record: its status, the terms frozen into it, its end, the decision on it and whether it is used up. */
  readonly action: ActionStatus;
  readonly terms: number;
  readonly actionUntil: number;
  readonly decision: "none" | "approved" | "denied";
  readonly used: boolean;
  readonly submittedAt: number;
  readonly message: Message;
  /** What really happened, kept by the explorer and never read by the rules. */
  readonly crossings: number;
  readonly sends: number;
  readonly orders: number;
  readonly refusals: number;
}

export type At =
  | "idle"
  | "claimed"
  | "preparing"
  | "freezing"
  | "holding"
  | "boundary"
  | "crossed"
  | "waiting"
  | "settling"
  | "reading"
  | "read";

export type News = "none" | "confirmed" | "refused" | "lost" | "not_sent" | "found" | "absent";

export interface WorkerModel {
  readonly at: At;
  readonly task: number;
  /** The fence, and the version, are still those that this worker read. */
  readonly mine: boolean;
  readonly fresh: boolean;
  /** The record in hand: whether it is still the task's newest, its terms and its end. */
  readonly recordIsNewest: boolean;
  readonly recordTerms: number;
  readonly recordUntil: number;
  readonly seen: number;
  readonly news: News;
  /** When the reading began, or when the crossing happened. */
  readonly since: number;
}

export interface World {
  readonly clock: number;
  readonly revoked: boolean;
  /** What the gateway believes of the connection, and whether the site still knows the session. */
  readonly connected: boolean;
  readonly session: boolean;
  readonly terms: number;
  readonly left: {
    readonly termChanges: number;
    readonly sessionLosses: number;
    readonly crashes: number;
    readonly overruns: number;
    readonly troubles: number;
  };
  readonly tasks: readonly TaskModel[];
  readonly workers: readonly WorkerModel[];
}

const NO_TASK: TaskModel = {
  state: "none",
  submitted: false,
  due: NEVER,
  lease: NOBODY,
  leaseUntil: NEVER,
  action: "none",
  terms: 0,
  actionUntil: NEVER,
  decision: "none",
  used: false,
  submittedAt: NEVER,
  message: "none",
  crossings: 0,
  sends: 0,
  orders: 0,
  refusals: 0,
};

export const IDLE: WorkerModel = {
  at: "idle",
  task: 0,
  mine: false,
  fresh: false,
  recordIsNewest: false,
  recordTerms: 0,
  recordUntil: NEVER,
  seen: 0,
  news: "none",
  since: NEVER,
};

export function firstWorld(bounds: Bounds): World {
  const { termChanges, sessionLosses, crashes, overruns, troubles } = bounds;
  return {
    clock: 0,
    revoked: false,
    connected: true,
    session: true,
    terms: 0,
    left: { termChanges, sessionLosses, crashes, overruns, troubles },
    tasks: Array.from({ length: bounds.tasks }, () => NO_TASK),
    workers: Array.from({ length: bounds.workers }, () => IDLE),
  };
}

const STATES = [
  "none",
  "received",
  "validating",
  "authentication_required",
  "approval_required",
  "executing",
  "succeeded",
  "outcome_unknown",
  "denied",
  "expired",
  "failed",
  "cancelled",
] as const;
const ACTIONS = ["none", "pending", "approved", "denied", "expired", "superseded", "withdrawn"] as const;
const DECISIONS = ["none", "approved", "denied"] as const;
const MESSAGES = ["none", "to_site", "confirmed", "refused", "garbled"] as const;
const PLACES: readonly At[] = [
  "idle",
  "claimed",
  "preparing",
  "freezing",
  "holding",
  "boundary",
  "crossed",
  "waiting",
  "settling",
  "reading",
  "read",
];
const NEWS: readonly News[] = ["none", "confirmed", "refused", "lost", "not_sent", "found", "absent"];
/** Ages above this are all alike: every window has passed. */
const AGE_MAX = 3;

/**
 * The name of a world: two worlds with one name have the same future. Past instants count by their age, and workers are
 * interchangeable, so that of all their orders the first name is taken.
 */
export function nameOf(world: World): string {
  if (world.workers.length === 1) return encode(world, [0]);
  const straight = encode(world, [0, 1]);
  const crossed = encode(world, [1, 0]);
  if (straight < crossed) return straight;
  return crossed;
}

function encode(world: World, order: readonly number[]): string {
  const { clock, left } = world;
  const codes: number[] = [
    clock,
    (world.revoked ? 1 : 0) | (world.connected ? 2 : 0) | (world.session ? 4 : 0),
    world.terms,
    left.termChanges,
    left.sessionLosses | (left.crashes << 2) | (left.overruns << 4) | (left.troubles << 6),
  ];
  const ahead = (tick: number): number => (tick === NEVER ? 0 : tick <= clock ? 1 : 1 + tick - clock);
  const age = (tick: number): number => (tick === NEVER ? 0 : 1 + Math.min(clock - tick, AGE_MAX));
  for (const task of world.tasks) {
    codes.push(
      STATES.indexOf(task.state) | (task.submitted ? 16 : 0) | (task.used ? 32 : 0),
      ahead(task.due),
      task.lease === NOBODY ? 0 : 1 + order.indexOf(task.lease),
      ahead(task.leaseUntil),
      ACTIONS.indexOf(task.action) | (DECISIONS.indexOf(task.decision) << 3),
      task.terms,
      ahead(task.actionUntil),
      age(task.submittedAt),
      MESSAGES.indexOf(task.message) | (task.refusals << 3),
      task.crossings | (task.sends << 2) | (task.orders << 4),
    );
  }
  for (const index of order) {
    const worker = world.workers[index] ?? IDLE;
    codes.push(
      PLACES.indexOf(worker.at),
      worker.task | (worker.mine ? 4 : 0) | (worker.fresh ? 8 : 0) | (worker.recordIsNewest ? 16 : 0),
      worker.recordTerms,
      ahead(worker.recordUntil),
      worker.seen,
      NEWS.indexOf(worker.news),
      age(worker.since),
    );
  }
  return String.fromCharCode(...codes);
}
