import { err, ok, type Result } from "@countersign/wire";
import type { PluginCtx } from "../seams/ctx.ts";
import type { Kernel } from "./build.ts";
import { type Limit, limited } from "./limited.ts";
import { inNeedsOrder } from "./needs.ts";
import type { Disposer, Plugin } from "./plugin.ts";

export interface StartOptions extends Limit {
  /** How long one plugin may take to start, and to stop. */
  readonly limitMs: number;
  /** `signal` aborts when the plugin took too long to start, and when it is stopped. */
  readonly ctxFor: (pluginId: string, signal: AbortSignal) => PluginCtx;
}

export interface StartFailure {
  readonly plugin: string;
  readonly why: "threw" | "too_slow";
  /** What did not end well among those that had started. */
  readonly notStopped: readonly StopFailure[];
}

export interface StopFailure {
  readonly plugin: string;
  readonly why: "threw" | "too_slow";
}

interface Running {
  readonly plugin: string;
  readonly ending: AbortController;
  readonly dispose: Disposer | undefined;
}

/** Starts every plugin after those it needs. One failure ends those that had started, in reverse (rule 10). */
export async function startPlugins(
  kernel: Kernel,
  options: StartOptions,
): Promise<Result<{ stop(): Promise<readonly StopFailure[]> }, StartFailure>> {
  const running: Running[] = [];
  const stop = async (): Promise<readonly StopFailure[]> => {
    const failures: StopFailure[] = [];
    for (const one of running.splice(0).reverse()) failures.push(...(await end(one, options)));
    return failures;
  };
  for (const plugin of inNeedsOrder(kernel.plugins)) {
    const started = await begin(plugin, kernel, options);
    if (!started.ok) return err({ plugin: plugin.manifest.id, why: started.reason, notStopped: await stop() });
    running.push(started.value);
  }
  return ok({ stop });
}

async function begin(
  plugin: Plugin,
  kernel: Kernel,
  options: StartOptions,
): Promise<Result<Running, StartFailure["why"]>> {
  const { id } = plugin.manifest;
  const ending = new AbortController();
  const started = await limited(
    async () => plugin.start?.(options.ctxFor(id, ending.signal), kernel.scope(id)),
    options,
    // It started after all, with nobody left to stop it.
    (dispose) => void end({ plugin: id, ending, dispose }, options),
  );
  if (started.ok) return ok({ plugin: id, ending, dispose: started.value });
  ending.abort();
  return started;
}

async function end({ plugin, ending, dispose }: Running, options: StartOptions): Promise<readonly StopFailure[]> {
  ending.abort();
  if (dispose === undefined) return [];
  const ended = await limited(dispose, options);
  return ended.ok ? [] : [{ plugin, why: ended.reason }];
}
