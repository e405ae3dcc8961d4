import { err, ok, type Result } from "@countersign/wire";
import type { PluginCtx } from "../seams/ctx.ts";
import { inNeedsOrder, type Kernel } from "./build.ts";
import type { Disposer } from "./plugin.ts";

export interface StartOptions {
  /** How long one plugin may take to start. */
  readonly limitMs: number;
  /** Calls back after a while; answers a way to call it off. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly ctxFor: (pluginId: string) => PluginCtx;
}

export interface StartFailure {
  readonly plugin: string;
  readonly why: "threw" | "too_slow";
}

/** Starts every plugin after those it needs. One failure ends those that had started, in reverse (rule 10). */
export async function startPlugins(
  kernel: Kernel,
  options: StartOptions,
): Promise<Result<{ stop(): Promise<void> }, StartFailure>> {
  const disposers: Disposer[] = [];
  const stop = async (): Promise<void> => {
    for (const dispose of disposers.splice(0).reverse()) await dispose().catch(() => {});
  };
  for (const plugin of inNeedsOrder(kernel.plugins) ?? []) {
    if (plugin.start === undefined) continue;
    const { id } = plugin.manifest;
    const started = await limited(plugin.start(options.ctxFor(id), kernel.scope(id)), options);
    if (!started.ok) {
      await stop();
      return err({ plugin: id, why: started.reason });
    }
    if (started.value !== undefined) disposers.push(started.value);
  }
  return ok({ stop });
}

async function limited<T>(
  work: Promise<T>,
  options: Pick<StartOptions, "after" | "limitMs">,
): Promise<Result<T, StartFailure["why"]>> {
  let callOff = (): void => {};
  const late = new Promise<Result<never, "too_slow">>((resolve) => {
    callOff = options.after(options.limitMs, () => resolve(err("too_slow")));
  });
  const done = work.then(
    (value): Result<T, "threw"> => ok(value),
    (): Result<T, "threw"> => err("threw"),
  );
  const answer = await Promise.race([done, late]);
  callOff();
  return answer;
}

export type Verdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly why: "nobody_answered" | "refused" | "threw" | "too_slow" | "not_a_verdict";
      readonly by?: number;
    };

/**
 * Asks every one of a decision point (rule 7). Only when somebody is there and all say `true` is it allowed: nobody, a
 * throw, silence or any other answer is a refusal, for a gate that opens by default is no gate.
 */
export async function askAll<Q>(
  deciders: readonly ((question: Q) => boolean | Promise<boolean>)[],
  question: Q,
  options: Pick<StartOptions, "after" | "limitMs">,
): Promise<Verdict> {
  if (deciders.length === 0) return { allowed: false, why: "nobody_answered" };
  for (const [by, decide] of deciders.entries()) {
    const asked = (async (): Promise<unknown> => decide(question))();
    const answer = await limited(asked, options);
    if (!answer.ok) return { allowed: false, why: answer.reason, by };
    if (answer.value !== true) return { allowed: false, why: answer.value === false ? "refused" : "not_a_verdict", by };
  }
  return { allowed: true };
}
