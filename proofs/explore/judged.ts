import type { CrossingFacts } from "../../packages/gateway/src/execution/judge.ts";
import type { Bounds, WorkerModel, World } from "./model.ts";
import type { Rules } from "./rules.ts";

type Answer = ReturnType<Rules["judge"]>;
const known = new WeakMap<Rules["judge"], Map<string, Answer>>();

/** The judge's answer. It is pure, so the same facts are put to it once. */
export function judged(rules: Rules, bounds: Bounds, facts: CrossingFacts, world: World, worker: WorkerModel): Answer {
  let answers = known.get(rules.judge);
  if (answers === undefined) {
    answers = new Map();
    known.set(rules.judge, answers);
  }
  const { task, action, approval, connection } = facts;
  const name = [
    facts.now,
    bounds.grantUntil,
    bounds.requestUntil,
    bounds.grantUses,
    facts.used.total?.actions,
    world.revoked,
    facts.claimed.version === task.version,
    facts.claimed.fence === task.fence,
    task.lease_owner,
    task.lease_until,
    task.state,
    task.submitted,
    action?.status,
    action?.digest,
    action?.expires_at,
    approval?.decision,
    connection?.state,
    facts.digest,
    worker.seen,
  ].join(" ");
  const answer = answers.get(name) ?? rules.judge(facts);
  answers.set(name, answer);
  return answer;
}
