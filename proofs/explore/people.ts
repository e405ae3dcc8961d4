import { TERMS_SAID } from "./facts.ts";
import { IDLE, NEVER, NOBODY, type World } from "./model.ts";
import { live, moved, type Next, type Setting, taskOf, tried, withTask } from "./moves.ts";
import type { Rules } from "./rules.ts";

const NOT_A_WORKER = -1;

/** What the agent, the person, time and chance can do. */
export function* outside(setting: Setting, world: World): Generator<Next> {
  yield* time(setting, world);
  yield* chance(setting, world);
  if (!world.revoked) yield { said: "the person revokes the grant", world: revoke(world) };
  if (!world.connected || !world.session) {
    const next = tried("the person signs in at the site", world, () => signIn(setting, world));
    if (next !== undefined) yield next;
  }
  for (const index of world.tasks.keys()) yield* aboutTask(setting, world, index);
}

function* time({ bounds, rules }: Setting, world: World): Generator<Next> {
  if (world.clock >= bounds.clockEnd) {
    // Everything has run out but the newest leases.
    const tasks = world.tasks.map((t) => (t.leaseUntil > world.clock ? { ...t, leaseUntil: world.clock } : t));
    if (tasks.some((t, i) => t !== world.tasks[i])) yield { said: "a last minute passes", world: { ...world, tasks } };
    return;
  }
  const clock = world.clock + 1;
  // The one assumption about the world: what has left arrives, or is lost, before its absence begins to count.
  if (world.tasks.some((t) => t.message === "to_site" && clock - t.submittedAt >= ARRIVES_WITHIN)) return;
  yield { said: `a minute passes (${clock})`, world: { ...world, clock } };
  yield* renewals(rules, world, clock);
}

/** The minute in which workers go on renewing their leases; a lease that has run out is not revived. */
function* renewals(rules: Rules, world: World, clock: number): Generator<Next> {
  const renewing = [...world.workers.keys()].filter((w) => {
    const worker = world.workers[w] ?? IDLE;
    const task = taskOf(world, worker.task);
    return (
      worker.at !== "idle" && worker.mine && task.lease === w && (task.leaseUntil > world.clock || rules.revivesLeases)
    );
  });
  const [first, second] = renewing;
  const sets = first === undefined || second === undefined ? [renewing] : [renewing, [first], [second]];
  for (const set of sets) {
    if (set.length === 0) continue;
    // A worker renews the task in its hands; what it held in an earlier life runs out.
    const held = new Set(set.map((w) => world.workers[w]?.task));
    const tasks = world.tasks.map((t, i) => (held.has(i) ? { ...t, leaseUntil: clock + 1 } : t));
    yield {
      said: `a minute passes (${clock}), leases renewed by ${set.join(" and ")}`,
      world: { ...world, clock, tasks },
    };
  }
}
/** Ticks from the crossing: the absence settle of two minutes. */
const ARRIVES_WITHIN = 2;

function* chance({ bounds }: Setting, world: World): Generator<Next> {
  const { left } = world;
  if (left.termChanges > 0) {
    for (const terms of bounds.otherTerms) {
      if (terms === world.terms) continue;
      const changed = { ...world, terms, left: { ...left, termChanges: left.termChanges - 1 } };
      yield { said: `the site shows ${TERMS_SAID[terms] ?? "other terms"}`, world: changed };
    }
  }
  if (left.sessionLosses > 0) {
    const lost = { ...world, left: { ...left, sessionLosses: left.sessionLosses - 1 } };
    if (world.session) yield { said: "the site forgets the session", world: { ...lost, session: false } };
    if (world.connected) yield { said: "the person disconnects the account", world: { ...lost, connected: false } };
  }
  if (left.crashes > 0) {
    const after = { ...left, crashes: left.crashes - 1 };
    for (const [w, worker] of world.workers.entries()) {
      if (worker.at === "idle") continue;
      const workers = world.workers.map((other, i) => (i === w ? IDLE : other));
      yield { said: `worker ${w} dies (${worker.at})`, world: { ...world, workers, left: after } };
    }
    const anyLease = world.tasks.some((t) => t.lease !== NOBODY);
    if (anyLease || world.workers.some((w) => w.at !== "idle")) {
      const tasks = world.tasks.map((t) => ({ ...t, lease: NOBODY, leaseUntil: NEVER }));
      const workers = world.workers.map(() => IDLE);
      yield { said: "the gateway dies and starts again", world: { ...world, tasks, workers, left: after } };
    }
  }
}

/** Every task that has not crossed is due, and its version grows: whoever judged the grant before moves it no more. */
function revoke(world: World): World {
  const touched = world.tasks.map((t) => live(t) && !t.submitted);
  const tasks = world.tasks.map((t, i) => (touched[i] ? { ...t, due: world.clock } : t));
  const workers = world.workers.map((w) => (w.at !== "idle" && touched[w.task] ? { ...w, fresh: false } : w));
  return { ...world, revoked: true, tasks, workers };
}

function signIn(setting: Setting, world: World): World {
  let after: World = { ...world, connected: true, session: true };
  for (const [index, task] of world.tasks.entries()) {
    if (task.state === "authentication_required") {
      const woken = moved(setting, after, index, NOT_A_WORKER, { type: "signed_in" }, { due: world.clock });
      if (woken === undefined) throw new Error("a task that waits for a sign-in can go on");
      after = woken;
    } else if (task.state === "outcome_unknown") after = withTask(after, index, { due: world.clock });
  }
  return after;
}

function* aboutTask(setting: Setting, world: World, index: number): Generator<Next> {
  const task = taskOf(world, index);
  const of = world.tasks.length > 1 ? ` (task ${index})` : "";
  if (task.state === "none") {
    if (world.clock < setting.bounds.requestUntil)
      yield { said: `the agent asks${of}`, world: withTask(world, index, { state: "received", due: world.clock }) };
    return;
  }
  if (task.action === "pending" && world.clock < task.actionUntil) {
    const approve = tried(`the person approves${of}`, world, () =>
      moved(
        setting,
        world,
        index,
        NOT_A_WORKER,
        { type: "approved" },
        { action: "approved", decision: "approved", due: world.clock },
      ),
    );
    if (approve !== undefined) yield approve;
    const deny = tried(`the person denies${of}`, world, () =>
      moved(
        setting,
        world,
        index,
        NOT_A_WORKER,
        { type: "denied", reason: "refused_by_holder" },
        { action: "denied", decision: "denied" },
      ),
    );
    if (deny !== undefined) yield deny;
  }
  // Whether it is too late for that is left to the machine alone.
  if (live(task)) {
    const action = task.action === "pending" || task.action === "approved" ? ({ action: "withdrawn" } as const) : {};
    const withdraw = tried(`the agent withdraws${of}`, world, () =>
      moved(setting, world, index, NOT_A_WORKER, { type: "cancelled", reason: "withdrawn_by_agent" }, action),
    );
    if (withdraw !== undefined) yield withdraw;
  }
  yield* atTheSite(world, index, of);
}

/** What becomes of a request that has left. The answer itself may still be lost on its way back. */
function* atTheSite(world: World, index: number, of: string): Generator<Next> {
  const task = taskOf(world, index);
  if (task.message !== "to_site") return;
  const arrive = (said: string, change: Parameters<typeof withTask>[2]): Next => ({
    said: `${said}${of}`,
    world: withTask(world, index, change),
  });
  const committed = { orders: task.orders + 1 };
  yield arrive("the site commits and says so", { ...committed, message: "confirmed" });
  yield arrive("the site commits and answers with an error", { ...committed, message: "garbled" });
  yield arrive("the site refuses", { message: "refused", refusals: 1 });
  yield arrive("the site fails without committing", { message: "garbled" });
  yield arrive("the request is lost on its way", { message: "none" });
}
