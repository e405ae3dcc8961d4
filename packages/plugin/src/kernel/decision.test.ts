import { describe, expect, it } from "vitest";
import { build } from "./build.ts";
import { askAll, type Decider, defineDecisionPoint } from "./decision.ts";
import { definePlugin } from "./plugin.ts";

const never = { limitMs: 1, after: () => () => {} };
const atOnce = {
  limitMs: 1,
  after: (_ms: number, then: () => void) => {
    setImmediate(then);
    return () => {};
  },
};
const yes: Decider<unknown> = () => true;
const mumbling =
  (answer: unknown): Decider<unknown> =>
  () =>
    answer as boolean;

describe("PLG-1 a decision point", () => {
  it("is allowed only when somebody is there and all say true", async () => {
    expect(await askAll([yes, async () => true], "?", never)).toEqual({ allowed: true });
    expect(await askAll([], "?", never)).toEqual({ allowed: false, why: "nobody_answered" });
    expect(await askAll([yes, () => false], "?", never)).toEqual({ allowed: false, why: "refused", by: 1 });
  });

  it.each(["yes", 1, {}, null, undefined, new Boolean(true)])("%j is not a verdict", async (answer) => {
    expect(await askAll([yes, mumbling(answer)], "?", never)).toEqual({ allowed: false, why: "not_a_verdict", by: 1 });
  });

  it("a throw, a rejection and silence are refusals", async () => {
    const throwing: Decider<unknown> = () => {
      throw new Error("x");
    };
    expect(await askAll([throwing], "?", never)).toMatchObject({ why: "threw" });
    expect(await askAll([async () => Promise.reject(new Error("x"))], "?", never)).toMatchObject({ why: "threw" });
    expect(await askAll([yes, () => new Promise<boolean>(() => {})], "?", atOnce)).toEqual({
      allowed: false,
      why: "too_slow",
      by: 1,
    });
  });

  it("an answer after time was up changes nothing, and the signal says that nobody waits", async () => {
    let answer: (v: boolean) => void = () => {};
    let seen: AbortSignal | undefined;
    const slow: Decider<unknown> = (_question, signal) => {
      seen = signal;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const verdict = await askAll([slow], "?", atOnce);
    answer(true);
    expect(verdict).toMatchObject({ allowed: false, why: "too_slow" });
    expect(seen?.aborted).toBe(true);
  });

  it("no decider changes the question for the others", async () => {
    const question = { totalMinor: 100 };
    const changing: Decider<{ totalMinor: number }> = (q) => {
      q.totalMinor = 1;
      return true;
    };
    expect(await askAll([changing], question, never)).toMatchObject({ allowed: false, why: "threw" });
    expect(question.totalMinor).toBe(100);
  });

  it("does not build while nobody would answer", () => {
    const veto = defineDecisionPoint<string>("strict.veto", "declared");
    const strict = definePlugin({
      manifest: { id: "other.strict", version: "1", title: "s", opens: [veto], uses: [] },
      contribute() {},
    });
    const built = build([strict]);
    expect(!built.ok && built.problems.map((p) => p.code)).toEqual(["required_missing"]);
  });
});
