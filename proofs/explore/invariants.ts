import { coversByItself, usesOf } from "./facts.ts";
import { type Bounds, IDLE, NOBODY, type TaskModel, type World } from "./model.ts";
import { live, type Next, taskOf } from "./moves.ts";

/** STA-6, said without the gateway's own functions. Undefined when nothing is broken. */
export function broken(bounds: Bounds, before: World, next: Next): string | undefined {
  if (next.violation !== undefined) return next.violation;
  if (next.crossedBy !== undefined) {
    const found = wrongCrossing(bounds, before, next.crossedBy);
    if (found !== undefined) return found;
  }
  const running = next.world.tasks.filter((t) => t.lease !== NOBODY && t.leaseUntil > next.world.clock);
  if (running.length > 1) return "two tasks of one account run at the same time";
  for (const [index, task] of next.world.tasks.entries()) {
    const earlier = taskOf(before, index);
    if (earlier === task) continue;
    const found = wrongMove(earlier, task) ?? wrongState(task);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrongMove(earlier: TaskModel, task: TaskModel): string | undefined {
  if (earlier.state !== "none" && !live(earlier) && task.state !== earlier.state) return "a settled task moved";
  if (earlier.submitted && !task.submitted) return "a submission was forgotten";
  if (task.sends > earlier.sends && task.sends > 1) return "one task was sent twice";
  if (task.sends > earlier.sends && task.crossings === 0) return "something left without a crossing";
  if (task.orders > earlier.orders && task.orders > 1) return "one task was ordered twice";
  if (task.orders > earlier.orders && task.state === "failed")
    return "an order arrived after its task was called failed";
  return undefined;
}

/** What must hold at the instant of a crossing, said of the world just before it. */
function wrongCrossing(bounds: Bounds, before: World, w: number): string | undefined {
  const worker = before.workers[w] ?? IDLE;
  const task = taskOf(before, worker.task);
  if (task.crossings > 0) return "one task crossed twice";
  if (usesOf(before) >= bounds.grantUses) return "crossed more often than the grant allows";
  if (before.revoked) return "crossed after the revocation";
  if (before.clock >= bounds.grantUntil) return "crossed after the grant had run out";
  if (before.clock >= bounds.requestUntil) return "crossed after the request had run out";
  if (task.action !== "approved" || task.decision !== "approved") return "crossed without an approval";
  if (before.clock >= task.actionUntil) return "crossed after the approval had run out";
  if (task.used) return "crossed on an approval that was used up";
  if (!worker.recordIsNewest) return "crossed on a record that is not the newest";
  if (!coversByItself(worker.recordTerms, worker.seen)) return "crossed on terms that were not approved";
  if (!before.connected) return "crossed without a connection";
  if (task.lease !== w || task.leaseUntil <= before.clock) return "crossed without the lease";
  if (!worker.mine || !worker.fresh) return "crossed on a row that has moved";
  return undefined;
}

function wrongState(task: TaskModel): string | undefined {
  const left = task.sends > 0 || task.orders > 0;
  if (task.submitted && !["executing", "outcome_unknown", "succeeded", "failed"].includes(task.state))
    return `a submitted task is called ${task.state}`;
  if (left && ["denied", "expired", "cancelled"].includes(task.state)) return `what left is called ${task.state}`;
  if (task.state === "failed" && task.orders > 0) return "what was ordered is called failed";
  if (task.state === "failed" && task.message === "to_site") return "what is on its way is called failed";
  if (task.state === "succeeded" && task.orders === 0) return "what was never ordered is called succeeded";
  if (task.state === "outcome_unknown" && task.due < 0) return "an unknown outcome is not read back";
  if (task.action === "pending" && task.state !== "approval_required")
    return "a record waits for a decision, its task does not";
  return undefined;
}
