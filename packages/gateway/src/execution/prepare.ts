import { type Observed, type RouteKind, SiteTrouble } from "@countersign/plugin";
import { observedAct, underCeiling } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { type Frozen, freeze, storeFrozen } from "../approval/freeze.ts";
import { type Allowed, checkLimits } from "../consent/check.ts";
import { limitsJson } from "../consent/limits.ts";
import { usedNow } from "../consent/uses.ts";
import { PENDING_MS_MAX } from "../limits.ts";
import { openText, sealText } from "../vault/seal.ts";
import { adapterFor, advance, askSignIn, commitAdapter, openSession, saveSession, stop, type Work } from "./work.ts";

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
  const frozen = await freeze(core, {
    task: work.task,
    operation,
    parameters: work.parameters,
    destination: work.destination,
    route,
    observed,
    state,
    limits: limitsInForce(work, allowed),
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
  await putToPerson(work, route, frozen.value);
}

async function putToPerson(work: Work, route: RouteKind, frozen: Frozen): Promise<void> {
  const { core, task } = work;
  await advance(
    work,
    { type: "terms_frozen" },
    {
      due_at: frozen.expiresAt,
      route,
      action_id: frozen.record.action_id,
      approval_ref: null,
      adapter_state: sealText(core.sealer, `state:${task.task_id}`, JSON.stringify(frozen.state)),
      tries: 0,
    },
    // The earlier living record is superseded in the same transaction, so an old approval can no longer match.
    (tx) => storeFrozen(core, tx, task, frozen),
  );
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
