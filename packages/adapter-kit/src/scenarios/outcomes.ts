import { isJsonObject, secret } from "@countersign/wire";
import type { OperationCheck } from "../contract.ts";
import type { Play } from "../stage/play.ts";
import { judgeFound, sameAct } from "./undisturbed.ts";

// After the boundary: answers that are lost, acts that never arrive, others that look alike, and terms that have moved.

/** The site did it and its answer never came (STA-3); and an act that never arrived, beside others. */
export async function lostAnswers(play: Play, wish: OperationCheck): Promise<void> {
  const { stage, id } = play;
  await stage.fresh();
  const frozen = await play.frozen(wish.params, "preparing");
  const crossed =
    frozen === undefined ? undefined : await play.cross(frozen, "an act whose answer is lost", "answer_lost");
  if (crossed === undefined) return;
  stage.findings.faultOn("lost_answer");
  const during = "reading back after a lost answer";
  const found = await play.readBack(crossed.submission, during);
  const [effect] = await stage.site.effects(id);
  if (found.kind === "gave" && effect !== undefined) judgeFound(play, found.value, effect, during);

  // The same wish once more, where the site would do it again: what is there already is another act.
  const second = await play.prepare(wish.params, "preparing the same wish again");
  const ready = second.kind === "gave" && second.value.kind === "ready" ? second.value : undefined;
  const again =
    ready === undefined ? undefined : await play.freeze(wish.params, ready, "preparing the same wish again");
  if (again !== undefined) await neverArrived(play, again, "an act that never arrived, after an equal one");
}

async function neverArrived(play: Play, frozen: Parameters<Play["cross"]>[0], during: string): Promise<void> {
  const crossed = await play.cross(frozen, during, "drop");
  if (crossed === undefined) return;
  const found = await play.readBack(crossed.submission, during);
  if (found.kind === "gave" && found.value.kind === "found")
    play.stage.findings.broke(
      "right_record",
      play.id,
      during,
      "it takes another act for this one, which never happened",
    );
}

export async function othersAct(play: Play, wish: OperationCheck): Promise<void> {
  const { stage, id } = play;
  await stage.fresh();
  const alone = await play.frozen(wish.params, "preparing");
  if (alone !== undefined) await neverArrived(play, alone, "an act that never arrived");

  for (const which of ["other", "equal"] as const) {
    await stage.fresh();
    const frozen = await play.frozen(wish.params, "preparing");
    if (frozen === undefined) return;
    const during = `the person does ${which === "equal" ? "the same" : "something else"} elsewhere`;
    const crossed = await play.cross(frozen, during, which === "equal" ? "answer_lost" : "drop");
    if (crossed === undefined) return;
    const can = (await stage.site.elsewhere?.(id, which)) ?? false;
    if (!can) {
      stage.findings.skipped(id, "act_elsewhere", "the check's site has no switch for it");
      continue;
    }
    const found = await play.readBack(crossed.submission, during);
    if (found.kind !== "gave") continue;
    const [effect] = await stage.site.effects(id);
    const isOurs = found.value.kind === "found" && found.value.confirmation === effect?.ref;
    if (found.value.kind === "found" && !isOurs)
      stage.findings.broke("right_record", id, during, "it takes the person's own act for this one");
    if (which === "equal" && found.value.kind === "absent")
      stage.findings.broke(
        "right_record",
        id,
        during,
        "it says for certain that nothing happened, and the site did it",
      );
  }
}

/** APR-4: what the site shows now is observed, and what is held is that and nothing else. */
export async function changedTerms(play: Play, wish: OperationCheck): Promise<void> {
  const { stage, id } = play;
  for (const when of ["before", "after"] as const) {
    await stage.fresh();
    const frozen = await play.frozen(wish.params, "preparing");
    if (frozen === undefined) return;
    const during = `the terms change ${when} it is held`;
    const change = async (): Promise<void> => {
      changed = await stage.turnOn("changed_terms", id);
    };
    let changed = true;
    if (when === "before") await change();
    const seen = await play.heldThen(frozen, during, when === "after" ? change : async () => {});
    if (!changed) return void stage.findings.skipped(id, "changed_terms", "the check's site has no switch for it");
    if (seen.kind !== "gave" || seen.value.held.kind !== "done" || seen.value.observed?.kind !== "done") continue;
    if (!play.holds(frozen, seen.value.observed.value)) continue;
    // It says that nothing has changed. A site may stand by an offer: then what it does is what was approved.
    // Held anew it may be an offer of its own, at the new terms: that one it has to observe as it is.
    const crossed = await play.cross(frozen, during, "answered", async () => {}, "as_approved");
    const [effect] = crossed === undefined ? [] : await stage.site.effects(id);
    if (effect === undefined) continue;
    if (!sameAct(play, frozen, effect, during) || Object.keys(effect.facts).length === 0)
      stage.findings.broke(
        "approved_terms",
        id,
        during,
        "it does not see that the site shows other terms than were approved",
      );
  }
}

/** MFA-6: the site has the act, and wants a code before it does it. */
export async function secondFactor(play: Play, wish: OperationCheck): Promise<void> {
  const { stage, id, adapter } = play;
  await stage.fresh();
  if (!(await stage.turnOn("second_factor", id)))
    return void stage.findings.skipped(id, "second_factor", "the check's site has no switch for it");
  const during = "the site asks for a code";
  const prepared = await play.prepare(wish.params, during);
  if (prepared.kind !== "gave" || prepared.value.kind !== "ready") {
    if (prepared.kind === "gave" && prepared.value.kind === "gap")
      stage.findings.broke(
        "sign_in",
        id,
        during,
        "it says that the site cannot do it, where the site wants the person",
      );
    return;
  }
  const frozen = await play.freeze(wish.params, prepared.value, during);
  const crossed = frozen === undefined ? undefined : await play.cross(frozen, during);
  if (frozen === undefined || crossed === undefined) return;
  const { recognised, submission } = crossed;
  const done = (await stage.site.effects(id)).length;
  if (done === 0 && recognised.kind === "confirmed")
    stage.findings.broke("evidence", id, during, "it confirms what the site has not done yet");
  if (recognised.kind === "refused")
    stage.findings.broke("evidence", id, during, "it calls refused what still waits for a code");
  if (done === 0) {
    const found = await play.readBack(submission, `${during}, and it is read back`);
    if (found.kind === "gave" && found.value.kind === "found")
      stage.findings.broke("right_record", id, during, "it finds what the site has not done yet");
    if (found.kind === "gave" && found.value.kind === "absent")
      stage.findings.broke(
        "right_record",
        id,
        during,
        "it says for certain that nothing happens, and the site still waits",
      );
  }
  const typed = stage.site.verification?.();
  const { verification } = adapter;
  if (recognised.kind !== "verify" || verification?.mode !== "form" || typed === undefined) return;
  const values = new Map(Object.entries(typed).map(([name, value]) => [name, secret(value)]));
  const state = JSON.parse(JSON.stringify(recognised.state));
  if (!isJsonObject(state)) return;
  const answered = await stage.step({ operation: id, name: "the person enters the code" }, (session, ctx) =>
    verification.submit(ctx, session, frozen.record, state, values),
  );
  const effects = await stage.site.effects(id);
  const after = "the code is entered";
  if (answered.kind === "gave" && answered.value.kind === "confirmed" && effects.length === 0)
    stage.findings.broke("evidence", id, after, "it confirms what the site did not do");
  if (answered.kind === "gave" && answered.value.kind === "refused" && effects.length > 0)
    stage.findings.broke("evidence", id, after, "it calls refused what the site did");
  const [effect] = effects;
  if (effect === undefined) return;
  sameAct(play, frozen, effect, after);
  const found = await play.readBack(submission, after);
  if (found.kind === "gave") judgeFound(play, found.value, effect, after);
}
