import { type Observed, type RouteKind, SiteTrouble } from "@countersign/plugin";
import { observedAct, underCeiling } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { type Frozen, freeze, storeFrozen } from "../approval/freeze.ts";
import { policyInForce } from "../approval/policy.ts";
import { type Allowed, checkLimits } from "../consent/check.ts";
import { limitsJson } from "../consent/limits.ts";
import { usedNow } from "../consent/uses.ts";
import { PENDING_MS_MAX, RETRY_CAP_MS, RETRY_FIRST_MS, TRIES_BEFORE_BOUNDARY_MAX } from "../limits.ts";
import { appendEvent } from "../tasks/tasks.ts";
import { openText, sealText } from "../vault/seal.ts";
import {
  adapterFor,
  advance,
  askSignIn,
  commitAdapter,
  openSession,
  readConsent,
  saveSession,
  stop,
  type Work,
} from "./work.ts";

/**
 * Goes to the last screen before commitment and freezes what stands there into an action record for the person to
 * decide. Nothing is committed here: the route refuses every committing request outside the boundary.
 */
export async function runPrepare(work: Work, route: RouteKind, allowed: Allowed): Promise<void> {
  const adapter = commitAdapter(adapterFor(work, route));
  if (adapter === undefined) return void (await stop(work, { type: "failed", reason: "site_gap" }));
  const opened = await openSession(work, route);
  if (!opened.ok) {
    if (opened.reason === "sign_in") return askSignIn(work, route);
    throw new SiteTrouble("the site is unavailable");
  }
  const { ctx, open, session } = opened.value;
  try {
    await work.core.reach("prepare.before");
    const answer = await adapter.prepare(ctx, session, work.parameters, readState(work));
    switch (answer.kind) {
      case "sign_in":
        return await askSignIn(work, route);
      case "gap":
        work.core.log.info("task.gap", { task: work.task.task_id, why: answer.why });
        return void (await stop(work, { type: "failed", reason: "site_gap" }));
      case "pending":
        return await later(work, answer.state, answer.afterMs);
      case "ready":
        await saveSession(work, route, open);
        return await askApproval(work, route, allowed, answer, answer.state);
    }
  } finally {
    await open.close();
  }
}

/**
 * Judges observed terms and puts them to the person. A total above the request's own maximum or the grant's limit is
 * denied and never asked (REQ-8); terms that contradict themselves never reach the page (U27).
 */
export async function askApproval(
  work: Work,
  route: RouteKind,
  allowed: Allowed,
  observed: Observed<unknown>,
  state: JsonObject,
): Promise<void> {
  const { core, operation } = work;
  if (operation.effect !== "commit") throw new Error("only a commit is put to the person");
  const holder = await core.store.db
    .selectFrom("person")
    .select("pseudonym")
    .where("person_id", "=", work.task.person_id)
    .executeTakeFirstOrThrow();
  const consent = await readConsent(core.store.db, work.task);
  const frozen = await freeze(core, {
    task: work.task,
    operation,
    parameters: work.parameters,
    destination: work.destination,
    route,
    observed,
    state,
    limits: limitsInForce(work, allowed),
    policy: await policyInForce(core.store.db, work.task.tenant_id, operation, consent),
    grantExpiresAt: allowed.expiresAt,
    holderPseudonym: holder.pseudonym,
  });
  if (!frozen.ok) return void (await stop(work, { type: "failed", reason: frozen.reason }));
  const terms = frozen.value.record.terms as JsonObject;
  const within =
    operation.ceiling === undefined || underCeiling(operation.ceiling, work.parameters, terms) === "within";
  if (!within) return void (await stop(work, { type: "denied", reason: "over_limit" }));
  const used = await usedNow(core.store.db, work.task.consent_ref, allowed.limits, core.now());
  const fits = checkLimits(allowed.limits, observedAct(operation, terms), used);
  if (!fits.ok) return void (await stop(work, { type: "denied", reason: fits.reason }));
  await core.reach("prepare.frozen");
  await (frozen.value.policy === "none"
    ? goOnUnasked(work, route, frozen.value)
    : putToPerson(work, route, frozen.value));
}

async function putToPerson(work: Work, route: RouteKind, frozen: Frozen): Promise<void> {
  const { core, task } = work;
  await advance(
    work,
    { type: "terms_frozen" },
    { ...frozenChanges(work, route, frozen), due_at: frozen.expiresAt, tries: 0 },
    // The earlier living record is superseded in the same transaction, so an old approval can no longer match.
    async (tx, moved) => {
      await storeFrozen(core, tx, task, frozen);
      if (task.action_id === null) return;
      const told = { step: "superseded", label: "The earlier record can no longer be approved; a fresh one waits" };
      await appendEvent(tx, { taskId: task.task_id, at: core.now(), state: moved.state, ...told });
    },
  );
}

/**
 * Nobody has to be asked (policy `none`): the record is frozen all the same and everything else is still judged at the
 * boundary. Terms that will not stand still are tried a few times, further and further apart, and then given up.
 */
async function goOnUnasked(work: Work, route: RouteKind, frozen: Frozen): Promise<void> {
  const { core, task } = work;
  const again = task.state === "executing";
  const tries = again ? task.tries + 1 : 0;
  if (tries >= TRIES_BEFORE_BOUNDARY_MAX)
    return void (await stop(work, { type: "failed", reason: "terms_inconsistent" }));
  const due_at = core.now() + (again ? Math.min(RETRY_FIRST_MS * 2 ** tries, RETRY_CAP_MS) : 0);
  await advance(work, { type: "unasked" }, { ...frozenChanges(work, route, frozen), due_at, tries }, (tx) =>
    storeFrozen(core, tx, task, frozen),
  );
}

function frozenChanges(work: Work, route: RouteKind, frozen: Frozen) {
  const state = sealText(work.core.sealer, `state:${work.task.task_id}`, JSON.stringify(frozen.state));
  return { route, action_id: frozen.record.action_id, approval_ref: null, adapter_state: state };
}

function limitsInForce(work: Work, allowed: Allowed): JsonObject {
  const ceiling = work.operation.effect === "commit" ? work.operation.ceiling : undefined;
  const own = ceiling === undefined ? undefined : work.parameters[ceiling.limitMember];
  const granted = allowed.limits.max_total_minor;
  if (typeof own !== "number") return limitsJson(allowed.limits);
  return { ...limitsJson(allowed.limits), max_total_minor: granted === undefined ? own : Math.min(own, granted) };
}

export function readState(work: Work): JsonObject | undefined {
  if (work.task.adapter_state === null) return undefined;
  const value: unknown = JSON.parse(openText(work.core.sealer, `state:${work.task.task_id}`, work.task.adapter_state));
  return value as JsonObject;
}

async function later(work: Work, state: JsonObject, afterMs: number): Promise<void> {
  const { core, task } = work;
  await core.store.db
    .updateTable("task")
    .set({
      adapter_state: sealText(core.sealer, `state:${task.task_id}`, JSON.stringify(state)),
      due_at: core.now() + Math.min(Math.max(afterMs, 0), PENDING_MS_MAX),
    })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .where("fence", "=", task.fence)
    .execute();
}
