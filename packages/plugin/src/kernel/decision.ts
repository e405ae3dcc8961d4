import { deepFreeze } from "./freeze.ts";
import { type Limit, limited } from "./limited.ts";
import { definePoint, type FillablePoint, type Override, type PointId } from "./point.ts";

/** One voice at a decision point. `signal` aborts when nobody waits for the answer any more. */
export type Decider<Q> = (question: Q, signal: AbortSignal) => boolean | Promise<boolean>;

/** Opens a point for vetoes: every voice is heard, and a set in which nobody would answer does not build (rule 7). */
export function defineDecisionPoint<Q>(id: PointId, override: Override): FillablePoint<Decider<Q>, "all"> {
  const check = (candidate: unknown): candidate is Decider<Q> => typeof candidate === "function";
  return definePoint({ id, kind: "all", override, required: true, check });
}

export type Verdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly why: "nobody_answered" | "refused" | "threw" | "too_slow" | "not_a_verdict";
      /** Which of the deciders, by position. */
      readonly by?: number;
    };

/**
 * Asks every one of a decision point, at the same time (rule 7). Only when somebody is there and all say `true` is it
 * allowed: nobody, a throw, silence or any other answer is a refusal, for a gate that opens by default is no gate.
 * `question` is frozen, so that no decider changes what the others and the caller see.
 */
export async function askAll<Q>(deciders: readonly Decider<Q>[], question: Q, limit: Limit): Promise<Verdict> {
  if (deciders.length === 0) return { allowed: false, why: "nobody_answered" };
  deepFreeze(question);
  const asking = new AbortController();
  const answers = await Promise.all(
    deciders.map((decide) => limited<unknown>(() => decide(question, asking.signal), limit)),
  );
  asking.abort();
  for (const [by, answer] of answers.entries()) {
    if (!answer.ok) return { allowed: false, why: answer.reason, by };
    if (answer.value !== true) return { allowed: false, why: answer.value === false ? "refused" : "not_a_verdict", by };
  }
  return { allowed: true };
}
