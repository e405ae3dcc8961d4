import type { Answer, Found } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import { type Effect, namesAnother, type OperationCheck } from "../contract.ts";
import type { Crossed, Frozen, Play } from "../stage/play.ts";
import { sameJson } from "../stage/same.ts";

/** What an operation came to with nothing wrong, against which every disturbed step is held. */
export interface Baseline {
  readonly frozen: Frozen;
  readonly answer: Answer;
  readonly effect: Effect;
}

/** One act with nothing wrong, looked at from every side; undefined when the adapter does not come to its end. */
export async function undisturbed(play: Play, wish: OperationCheck): Promise<Baseline | undefined> {
  const { stage, id } = play;
  await stage.fresh();
  const frozen = await play.frozen(wish.params, "preparing");
  if (frozen === undefined) return undefined;
  await keysOfTwoAttempts(play, frozen, wish);
  const crossed = await play.cross(frozen, "an undisturbed act");
  if (crossed === undefined) return undefined;
  if (crossed.answer === "lost") {
    stage.findings.broke("contract", id, "an undisturbed act", "the check's site gave no answer to the act");
    return undefined;
  }
  const effects = await stage.site.effects(id);
  const [effect] = effects;
  if (effect === undefined) {
    if (crossed.recognised.kind === "confirmed")
      stage.findings.broke("evidence", id, "an undisturbed act", "it confirms what the site did not do");
    stage.findings.broke("contract", id, "an undisturbed act", "what it holds makes the site do nothing");
    return undefined;
  }
  if (effects.length > 1) stage.findings.broke("one_act", id, "an undisturbed act", "one sending made two acts");
  sameAct(play, frozen, effect, "an undisturbed act");
  judgeConfirmation(play, crossed, effect);
  const found = await play.readBack(crossed.submission, "reading back an undisturbed act");
  if (found.kind === "gave") judgeFound(play, found.value, effect, "reading back an undisturbed act");
  const again = await play.readBack(crossed.submission, "reading back twice");
  if (again.kind === "gave") judgeFound(play, again.value, effect, "reading back twice");
  return { frozen, answer: crossed.answer, effect };
}

/** U03: two attempts of one task give a site the same key, two tasks never do. */
async function keysOfTwoAttempts(play: Play, frozen: Frozen, wish: OperationCheck): Promise<void> {
  const { stage, id } = play;
  const during = "holding the same act twice";
  const keyOf = async (one: Frozen): Promise<string | undefined> => {
    const held = await play.hold(one, during);
    if (held.kind !== "gave" || held.value.kind !== "done") return undefined;
    const { headers } = held.value.value.exchange.request;
    return headers.find(([name]) => name.toLowerCase() === "idempotency-key")?.[1].reveal();
  };
  const [first, second] = [await keyOf(frozen), await keyOf(frozen)];
  if (first !== second)
    stage.findings.broke(
      "one_act",
      id,
      during,
      "each attempt of one task has a key of its own: the site takes it for two",
    );
  const prepared = await play.frozen(wish.params, "preparing again");
  if (first === undefined || prepared === undefined) return;
  if ((await keyOf(prepared)) === first)
    stage.findings.broke("one_act", id, during, "two tasks have the same key: the site does the second one not at all");
}

/** What the site did has to be what was approved, as far as it says. */
export function sameAct(play: Play, frozen: Frozen, effect: Effect, during: string): boolean {
  const terms = frozen.record.terms as JsonObject;
  const asked = frozen.record.parameters as JsonObject;
  const other = Object.entries(effect.facts).filter(([name, did]) => {
    const approved = terms[name] ?? asked[name];
    return approved !== undefined && !sameJson(approved, did);
  });
  for (const [name] of other)
    play.stage.findings.broke(
      "approved_terms",
      play.id,
      during,
      `the site did something else than was approved: ${name}`,
    );
  return other.length === 0;
}

function judgeConfirmation(play: Play, { recognised }: Crossed, effect: Effect): void {
  const { findings } = play.stage;
  const during = "the site's own confirmation";
  switch (recognised.kind) {
    case "confirmed": {
      if (namesAnother(recognised.confirmation, effect))
        findings.broke("right_record", play.id, during, "it names another number than the site's own");
      judgeResult(play, recognised.result, during);
      return;
    }
    case "refused":
      return void findings.broke("evidence", play.id, during, "it calls refused what the site did");
    case "unknown":
      return void findings.note(`${play.id}: the site's own confirmation is not recognised; every act is read back.`);
    case "verify":
      return void findings.broke("evidence", play.id, during, "it asks for the person where the site does not");
  }
}

/** What a read-back may say when the site has done exactly this one act. */
export function judgeFound(play: Play, found: Found<JsonObject>, effect: Effect, during: string): void {
  const { findings } = play.stage;
  if (found.kind === "absent")
    return void findings.broke(
      "right_record",
      play.id,
      during,
      "it says for certain that nothing happened, and the site did it",
    );
  if (found.kind === "unclear") return void findings.note(`${play.id}: ${during}, it cannot tell whether it happened.`);
  if (found.kind === "sign_in")
    return void findings.broke("sign_in", play.id, during, "it asks for the person, who is signed in");
  if (namesAnother(found.confirmation, effect))
    findings.broke("right_record", play.id, during, "it takes another act for this one");
  judgeResult(play, found.result, during);
}

function judgeResult(play: Play, result: JsonObject, during: string): void {
  const judged = play.operation.result.safeParse(result);
  if (judged.success) return;
  const { path = [], message = "" } = judged.error.issues[0] ?? {};
  play.stage.findings.broke(
    "contract",
    play.id,
    during,
    `its result is not the operation's: ${path.join("/")} ${message}`,
  );
}
