import { consentRow, factsOf, msOf, OPERATION, overLimit, TERMS_SAID } from "./facts.ts";
import { judged } from "./judged.ts";
import { IDLE, NEVER, type News, NOBODY, type WorkerModel, type World } from "./model.ts";
import {
  holds,
  live,
  moved,
  type Next,
  released,
  type Setting,
  signInAsked,
  stopped,
  taskOf,
  tried,
  withTask,
  withWorker,
} from "./moves.ts";

/** What the workers can do next: each yields the moment after its next durable step, or its next look at the site. */
export function* working(setting: Setting, world: World): Generator<Next> {
  for (const [w, worker] of world.workers.entries()) {
    if (worker.at === "idle") {
      yield* claims(setting, world, w);
      continue;
    }
    yield* nextStep(setting, world, w, worker);
    yield* disturbed(setting, world, w, worker);
  }
}

function* claims({ rules }: Setting, world: World, w: number): Generator<Next> {
  for (const [index, task] of world.tasks.entries()) {
    if (task.state === "none" || task.due === NEVER || task.due > world.clock) continue;
    const leased = (i: number): boolean => {
      const other = taskOf(world, i);
      return other.lease !== NOBODY && other.leaseUntil > world.clock;
    };
    if (leased(index)) continue;
    if (rules.oneTaskAnAccount && world.tasks.some((_t, i) => i !== index && leased(i))) continue;
    const workers = world.workers.map((other, i) => {
      if (i === w) return { ...IDLE, at: "claimed" as const, task: index, mine: true, fresh: true };
      return other.at !== "idle" && other.task === index ? { ...other, mine: false } : other;
    });
    const claimed = withTask({ ...world, workers }, index, { lease: w, leaseUntil: world.clock + 1 });
    yield { said: `worker ${w} claims task ${index}`, world: claimed };
  }
}

function* nextStep(setting: Setting, world: World, w: number, worker: WorkerModel): Generator<Next> {
  const say = (what: string): string => `worker ${w} ${what}`;
  const one = function* (said: string, make: () => World | undefined): Generator<Next> {
    const next = tried(say(said), world, () => make() ?? released(world, w));
    if (next !== undefined) yield next;
  };
  switch (worker.at) {
    case "claimed":
      return yield* one("looks at it", () => dispatched(setting, world, w, worker));
    case "preparing":
      if (!world.session) return yield* one("is asked to sign in", () => signInAsked(setting, world, w));
      return yield* one(`reads ${TERMS_SAID[world.terms] ?? ""}`, () =>
        withWorker(world, w, { at: "freezing", seen: world.terms }),
      );
    case "freezing":
      return yield* one("puts it to the person", () => frozen(setting, world, w, worker));
    case "holding":
      if (!world.session) return yield* one("is asked to sign in", () => signInAsked(setting, world, w));
      return yield* one(`holds the request and reads ${TERMS_SAID[world.terms] ?? ""}`, () =>
        withWorker(world, w, { at: "boundary", seen: world.terms }),
      );
    case "boundary": {
      const next = tried("comes to the boundary", world, () => crossing(setting, world, w, worker));
      if (next !== undefined) yield { ...next, said: say(next.said) };
      return;
    }
    case "crossed":
      return yield* sending(setting, world, w, worker, say);
    case "waiting":
      return yield* answered(world, w, worker, say);
    case "settling":
      return yield* one(`settles: ${worker.news}`, () => settled(setting, world, w, worker));
    case "reading":
      if (!world.session)
        return yield* one("finds itself signed out while reading back", () => signInAsked(setting, world, w));
      return yield* one("reads back", () => {
        const news: News = taskOf(world, worker.task).orders > 0 ? "found" : "absent";
        return withWorker(world, w, { at: "read", news });
      });
    case "read":
      return yield* one(`tells what it read: ${worker.news}`, () => readBack(setting, world, w, worker));
    case "idle":
  }
}

function dispatched(setting: Setting, world: World, w: number, worker: WorkerModel): World | undefined {
  const { bounds, rules } = setting;
  // A stale copy leads to writes that change nothing.
  if (!holds(setting, worker)) return released(world, w);
  const task = taskOf(world, worker.task);
  if (!live(task)) return released(world, w);
  if (task.state === "outcome_unknown")
    return world.connected ? withWorker(world, w, { at: "reading", since: world.clock }) : released(world, w);
  if (task.submitted) return withWorker(world, w, { at: "settling", news: "lost" });
  const stop = (event: Parameters<typeof stopped>[3]): World => released(stopped(setting, world, w, event) ?? world, w);
  if (world.clock >= bounds.requestUntil) return stop({ type: "expired", reason: "request_expired" });
  const use = { accountRef: "acct_explored", operation: OPERATION };
  const allowed = rules.checkGrant(consentRow(world, bounds), use, msOf(world.clock));
  if (!allowed.ok) return stop({ type: "denied", reason: allowed.reason });
  if (task.state === "authentication_required") return stop({ type: "expired", reason: "sign_in_expired" });
  if (task.state === "approval_required") return stop({ type: "expired", reason: "approval_expired" });
  let begun: World = world;
  if (task.state === "received") begun = moved(setting, begun, worker.task, w, { type: "checks_begun" }) ?? begun;
  if (taskOf(begun, worker.task).state === "validating" && task.action === "approved")
    begun = moved(setting, begun, worker.task, w, { type: "work_begun" }) ?? begun;
  if (!world.connected) return signInAsked(setting, begun, w);
  if (taskOf(begun, worker.task).state !== "executing") return withWorker(begun, w, { at: "preparing" });
  if (task.action !== "approved") return stop({ type: "failed", reason: "site_gap" });
  return withWorker(begun, w, {
    at: "holding",
    recordIsNewest: true,
    recordTerms: task.terms,
    recordUntil: task.actionUntil,
  });
}

function frozen(setting: Setting, world: World, w: number, worker: WorkerModel): World | undefined {
  if (!holds(setting, worker)) return undefined;
  if (overLimit(worker.seen))
    return released(stopped(setting, world, w, { type: "denied", reason: "over_limit" }) ?? world, w);
  const { bounds } = setting;
  const until = Math.min(world.clock + bounds.recordTicks, bounds.requestUntil, bounds.grantUntil);
  const put = moved(
    setting,
    world,
    worker.task,
    w,
    { type: "terms_frozen" },
    {
      due: until,
      action: "pending",
      terms: worker.seen,
      actionUntil: until,
      decision: "none",
      used: false,
    },
  );
  if (put === undefined) return undefined;
  // Whoever holds the record of before holds an older one now.
  const workers = put.workers.map((o, i) =>
    i !== w && o.at !== "idle" && o.task === worker.task ? { ...o, recordIsNewest: false } : o,
  );
  return released({ ...put, workers }, w);
}

function crossing(setting: Setting, world: World, w: number, worker: WorkerModel): Next {
  const task = taskOf(world, worker.task);
  const answer = judged(setting.rules, setting.bounds, factsOf(world, setting.bounds, task, worker), world, worker);
  if (!answer.ok) {
    const problem = answer.reason;
    const said = `is not let across: ${problem.kind}`;
    switch (problem.kind) {
      case "terms_changed":
      case "policy_tightened":
        return { said, world: withWorker(world, w, { at: "freezing" }) };
      case "sign_in":
        return { said, world: signInAsked(setting, world, w) };
      case "stopped": {
        const event = { type: problem.event, reason: problem.reason };
        const after = holds(setting, worker) ? stopped(setting, world, w, event) : undefined;
        return { said, world: released(after ?? world, w) };
      }
      case "lost_lease":
        return { said, world: released(world, w) };
    }
  }
  const blocked =
    (setting.rules.usesApprovalOnce && task.used) || (setting.rules.submitsOnce && task.submittedAt !== NEVER);
  if (blocked) return { said: "is not let across: used up", world: released(world, w) };
  const change = {
    used: true,
    submittedAt: world.clock,
    leaseUntil: world.clock + 1,
    crossings: Math.min(task.crossings + 1, 2),
  };
  const across = moved(setting, world, worker.task, w, { type: "crossed" }, change);
  if (across === undefined) return { said: "breaks at the boundary", world: released(world, w) };
  const waiting = withWorker(across, w, { at: "crossed", since: world.clock });
  return { said: "crosses the boundary", world: waiting, crossedBy: w };
}

function* sending(
  { rules }: Setting,
  world: World,
  w: number,
  worker: WorkerModel,
  say: (what: string) => string,
): Generator<Next> {
  const refused = { at: "settling", news: "not_sent" } as const;
  yield { said: say("gets no connection to the site"), world: withWorker(world, w, refused) };
  if (!rules.mayLeave(msOf(world.clock), msOf(worker.since + 1))) return;
  const task = taskOf(world, worker.task);
  const sent = withTask(world, worker.task, { message: "to_site", sends: Math.min(task.sends + 1, 2) });
  yield { said: say("sends"), world: withWorker(sent, w, { at: "waiting" }) };
}

function* answered(world: World, w: number, worker: WorkerModel, say: (what: string) => string): Generator<Next> {
  const task = taskOf(world, worker.task);
  const heard = task.message === "none" || task.message === "to_site" ? undefined : task.message;
  if (heard !== undefined) {
    const after = withTask(world, worker.task, { message: "none" });
    const news = heard === "garbled" ? "lost" : heard;
    yield { said: say(`hears: ${heard}`), world: withWorker(after, w, { at: "settling", news }) };
  }
  const given = heard === undefined ? world : withTask(world, worker.task, { message: "none" });
  yield { said: say("gets no answer"), world: withWorker(given, w, { at: "settling", news: "lost" }) };
}

function settled(setting: Setting, world: World, w: number, worker: WorkerModel): World | undefined {
  const task = worker.task;
  const stale = !worker.mine || !worker.fresh;
  switch (worker.news) {
    case "confirmed":
      return after(moved(setting, world, task, w, { type: "confirmed" }));
    case "refused":
      return after(moved(setting, world, task, w, { type: "rejected", reason: "site_refused" }));
    case "not_sent":
      return after(moved(setting, world, task, w, { type: "rejected", reason: "not_sent" }));
    default:
      return stale ? undefined : after(moved(setting, world, task, w, { type: "answer_lost" }, { due: world.clock }));
  }
  function after(next: World | undefined): World | undefined {
    return next === undefined ? undefined : released(next, w);
  }
}

function readBack(setting: Setting, world: World, w: number, worker: WorkerModel): World | undefined {
  const task = taskOf(world, worker.task);
  if (worker.news === "found") {
    const found = moved(setting, world, worker.task, w, { type: "confirmed" });
    return found === undefined ? undefined : released(found, w);
  }
  if (!setting.rules.absenceCounts(msOf(worker.since), msOf(task.submittedAt))) return undefined;
  const gone = moved(setting, world, worker.task, w, { type: "rejected", reason: "not_done" });
  return gone === undefined ? undefined : released(gone, w);
}

const INTERRUPTIBLE = new Set(["preparing", "freezing", "holding", "boundary", "crossed", "waiting", "reading"]);

/** Trouble at the site, and steps that outlast their limit. */
function* disturbed(setting: Setting, world: World, w: number, worker: WorkerModel): Generator<Next> {
  const task = taskOf(world, worker.task);
  const { left } = world;
  if (left.troubles > 0 && (worker.at === "preparing" || worker.at === "holding" || worker.at === "reading")) {
    const spent = { ...world, left: { ...left, troubles: left.troubles - 1 } };
    yield {
      said: `the site is in trouble; worker ${w} will try again`,
      world: released(afterTrouble(setting, spent, w, "again"), w),
    };
    yield {
      said: `the site is in trouble; worker ${w} gives up`,
      world: released(afterTrouble(setting, spent, w, "give_up"), w),
    };
  }
  if (left.overruns > 0 && INTERRUPTIBLE.has(worker.at)) {
    // Its lease stays with it for as long as it runs.
    const spent = { ...world, left: { ...left, overruns: left.overruns - 1 } };
    const after = afterTrouble(setting, spent, w, "again");
    const stale = taskOf(after, worker.task).state === task.state ? {} : { fresh: false };
    yield { said: `worker ${w} overruns its time limit`, world: withWorker(after, w, stale) };
  }
}

/** What the gateway does with a task whose step broke: it reads the row again and goes by that. */
function afterTrouble(setting: Setting, world: World, w: number, how: "again" | "give_up"): World {
  const worker = world.workers[w] ?? IDLE;
  const task = taskOf(world, worker.task);
  // Somebody else's by now: what became of it is theirs to say.
  if (!worker.mine || !live(task) || task.state === "outcome_unknown") return world;
  if (task.submitted)
    return moved(setting, world, worker.task, w, { type: "answer_lost" }, { due: world.clock }) ?? world;
  if (how === "again") return world;
  return stopped(setting, world, w, { type: "failed", reason: "site_unavailable" }) ?? world;
}
