import type { Read, ReadAdapter, Session } from "@countersign/plugin";
import type { ReadOperation } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { OperationCheck } from "../contract.ts";
import { isCommit } from "../stage/egress.ts";
import { sameJson } from "../stage/same.ts";
import type { Outcome, Stage } from "../stage/stage.ts";
import { spoiledAmounts } from "./amounts.ts";
import { breaker, DISTURBANCES, disturb, isWall, wantsThePerson } from "./disturbed.ts";

type Reader = ReadAdapter<JsonObject, JsonObject, Session>;

/** A reading operation: what it reads with nothing wrong, and with everything. */
export async function readScenarios(
  stage: Stage,
  adapter: Reader,
  operation: ReadOperation,
  wish: OperationCheck,
): Promise<void> {
  const { findings } = stage;
  const { id } = operation;
  const params = operation.parameters.safeParse(wish.params);
  if (!params.success)
    return void findings.broke("contract", id, "reading", "the check's own parameters are not the operation's");
  const read = async (name: string, giveUp?: true): Promise<Outcome<Read<JsonObject>>> => {
    const step = { operation: id, name, ...(giveUp === undefined ? {} : { giveUp }) };
    const outcome = await stage.step(step, (session, ctx) => adapter.read(ctx, session, params.data));
    if (outcome.kind === "gave" && outcome.value.kind === "gap")
      stage.said(id, name, "the reason of a gap", outcome.value.why);
    return outcome;
  };

  await stage.fresh();
  const whole = await read("reading");
  if (stage.egress.left.some((request) => isCommit(request, stage.destination.commits)))
    findings.broke("boundary", id, "reading", "it reads by a request that commits");
  if (whole.kind !== "gave" || whole.value.kind !== "done") {
    const came = whole.kind === "gave" ? whole.value.kind : whole.kind;
    return void findings.broke("contract", id, "reading", `nothing is wrong with the site, and it comes to "${came}"`);
  }
  const { result } = whole.value;
  const judged = operation.result.safeParse(result);
  if (!judged.success) {
    const { path = [], message = "" } = judged.error.issues[0] ?? {};
    findings.broke("contract", id, "reading", `its result is not the operation's: ${path.join("/")} ${message}`);
  }

  for (const disturbance of DISTURBANCES) {
    await stage.fresh();
    if (!(await disturb(stage, id, disturbance))) continue;
    const broke = breaker(stage, id, disturbance);
    const outcome = await read(`reading while ${disturbance.during}`, disturbance.giveUp);
    wantsThePerson(outcome, "reading", disturbance, broke);
    if (outcome.kind !== "gave") continue;
    const isSame = outcome.value.kind === "done" && sameJson(outcome.value.result, result);
    if (outcome.value.kind === "done" && (isWall(disturbance) || !isSame))
      broke("reading", "it gives a result that it cannot have read");
    if (outcome.value.kind === "gap" && disturbance.fault !== "slow_page")
      broke("reading", "it says that the site cannot do it");
  }

  await spoiledAmounts(stage, id, result, async (name) => {
    const outcome = await read(name);
    return outcome.kind === "gave" && outcome.value.kind === "done" ? outcome.value.result : undefined;
  });
}
