import type { ReadAdapter, Session } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import type { AdapterCheck, OperationCheck } from "./contract.ts";
import type { CheckReport } from "./report.ts";
import { spoiledAmounts } from "./scenarios/amounts.ts";
import { anothersConfirmation, wrongAnswers } from "./scenarios/answers.ts";
import { disturbedSteps, identifying } from "./scenarios/disturbed.ts";
import { changedTerms, lostAnswers, othersAct, secondFactor } from "./scenarios/outcomes.ts";
import { readScenarios } from "./scenarios/reads.ts";
import { undisturbed } from "./scenarios/undisturbed.ts";
import { type Adapter, Play } from "./stage/play.ts";
import { Stage } from "./stage/stage.ts";

// The checker drives the adapter contract itself, with the context, the route and the sessions that the gateway gives, and
// plays the gateway's part: it freezes what was prepared, holds, observes, sends the held request once and reads back.
// It does not use the gateway's own execution code: that code would refuse most of what a broken adapter does, and the
// question here is what the adapter does. Three witnesses are compared after each step: the way out, which has counted what
// left and when; the site, which says what it did; and whatever the adapter has said. No finding rests on the adapter's
// word. Nothing here decides how a request looks: what leaves at the sending is what was held.

export interface RunOptions {
  /** A line for whoever waits. */
  readonly progress?: (line: string) => void;
  /** These operations only. */
  readonly only?: readonly string[];
}

/** @throws when the check itself is at fault: it opens no site, or its person cannot sign in. */
export async function runCheck(check: AdapterCheck, options: RunOptions = {}): Promise<CheckReport> {
  const entry = check.site.entries.find((each) => each.route === check.route);
  if (entry === undefined) throw new Error(`the site has no entry for the route ${check.route}`);
  const site = await check.open();
  const stage = new Stage(check, site, entry);
  const asked = check.operations.filter((each) => options.only === undefined || options.only.includes(each.operation));
  const restore = watchGlobalFetch(stage);
  try {
    for (const wish of asked) {
      options.progress?.(`${wish.operation} ...`);
      stage.findings.operation = wish.operation;
      await tryOperation(stage, wish);
    }
    stage.findings.operation = "identify";
    options.progress?.("identify ...");
    await identifying(stage);
    for (const { operation } of entry.operations)
      if (!check.operations.some((each) => each.operation === operation))
        stage.findings.skipped(operation, "operation", "the check does not name it");
  } finally {
    restore();
    await stage.route.stop();
    await site.close();
  }
  const { broken, notTried, notes, faults } = stage.findings;
  return {
    v: 1,
    adapter: check.site.version,
    route: check.route,
    passed: broken.length === 0,
    operations: asked.map((each) => each.operation),
    faults,
    steps: stage.steps,
    broken,
    not_tried: notTried,
    notes,
  };
}

async function tryOperation(stage: Stage, wish: OperationCheck): Promise<void> {
  const { operation: id } = wish;
  const adapter = stage.entry.operations.find((each) => each.operation === id);
  const operation = stage.catalogue.get(id);
  if (adapter === undefined)
    return void stage.findings.broke("contract", id, "the check", "the entry has no such operation");
  if (operation === undefined)
    return void stage.findings.broke(
      "contract",
      id,
      "the check",
      "no catalogue has such an operation; give it in `catalogue`",
    );
  if (adapter.effect !== operation.effect)
    return void stage.findings.broke("contract", id, "the check", `in the catalogue this is a ${operation.effect}`);
  if (adapter.effect === "read" && operation.effect === "read")
    return readScenarios(stage, adapter as unknown as ReadAdapter<JsonObject, JsonObject, Session>, operation, wish);
  if (adapter.effect !== "commit" || operation.effect !== "commit") return;
  const play = new Play(stage, adapter as unknown as Adapter, operation);
  const base = await undisturbed(play, wish);
  if (base === undefined) return;
  wrongAnswers(play, base);
  await anothersConfirmation(play, wish, base);
  await lostAnswers(play, wish);
  await othersAct(play, wish);
  await changedTerms(play, wish);
  await secondFactor(play, wish);
  await disturbedSteps(play, wish, base);
  await spoiledAmounts(stage, id, base.frozen.record.terms as JsonObject, async (during) => {
    const prepared = await play.prepare(wish.params, during);
    return prepared.kind === "gave" && prepared.value.kind === "ready"
      ? (prepared.value.terms as JsonObject)
      : undefined;
  });
}

/** The global `fetch` is no way out for an adapter; the checker's own is another reference. */
function watchGlobalFetch(stage: Stage): () => void {
  const own = globalThis.fetch;
  globalThis.fetch = async () => {
    stage.findings.broke("one_way_out", "", "some step", "it calls the global fetch, past the gateway's way out");
    throw new TypeError("fetch failed");
  };
  return () => {
    globalThis.fetch = own;
  };
}
