import { describe, expect, it } from "vitest";
import type { PluginCtx } from "../seams/ctx.ts";
import { build } from "./build.ts";
import { type StartOptions, startPlugins } from "./lifecycle.ts";
import { type Disposer, definePlugin, type Plugin } from "./plugin.ts";

/** A timer that goes off when told. */
function handTimer() {
  const waiting = new Set<() => void>();
  return {
    waiting,
    after: (_ms: number, then: () => void) => {
      waiting.add(then);
      return () => void waiting.delete(then);
    },
    fire: () => {
      for (const then of [...waiting]) then();
    },
  };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function starting(id: string, needs: readonly string[], start: NonNullable<Plugin["start"]>): Plugin {
  return definePlugin({
    manifest: { id, version: "1", title: id, opens: [], uses: [], needs },
    contribute() {},
    start,
  });
}

function optionsOf(timer: ReturnType<typeof handTimer>, signals: Map<string, AbortSignal> = new Map()): StartOptions {
  return {
    limitMs: 1000,
    after: timer.after,
    ctxFor: (id, signal) => {
      signals.set(id, signal);
      return { signal } as PluginCtx;
    },
  };
}

function kernelOf(...plugins: readonly Plugin[]) {
  const built = build(plugins);
  if (!built.ok) throw new Error("builds");
  return built.kernel;
}

describe("PLG-1 starting", () => {
  const logged = (log: string[], id: string, needs: readonly string[]) =>
    starting(id, needs, async () => {
      log.push(`start ${id}`);
      return async () => void log.push(`stop ${id}`);
    });

  it("in the order of needs, and stops backwards, once", async () => {
    const log: string[] = [];
    const signals = new Map<string, AbortSignal>();
    const kernel = kernelOf(
      logged(log, "a.top", ["b.mid"]),
      logged(log, "z.base", []),
      logged(log, "b.mid", ["z.base"]),
    );
    const started = await startPlugins(kernel, optionsOf(handTimer(), signals));
    expect(log).toEqual(["start z.base", "start b.mid", "start a.top"]);
    expect([...signals.values()].some((s) => s.aborted)).toBe(false);
    if (!started.ok) throw new Error("starts");
    expect(await started.value.stop()).toEqual([]);
    await started.value.stop();
    expect(log.slice(3)).toEqual(["stop a.top", "stop b.mid", "stop z.base"]);
    expect([...signals.values()].every((s) => s.aborted)).toBe(true);
  });

  it.each<[string, NonNullable<Plugin["start"]>]>([
    ["rejects", async () => Promise.reject(new Error("no"))],
    [
      "throws before it is a promise",
      () => {
        throw new Error("no");
      },
    ],
  ])("one that %s stops the rest and ends what had started, backwards", async (_name, start) => {
    const log: string[] = [];
    const kernel = kernelOf(
      logged(log, "z.base", []),
      logged(log, "b.mid", ["z.base"]),
      starting("c.bad", ["b.mid"], start),
      logged(log, "d.never", ["c.bad"]),
    );
    const started = await startPlugins(kernel, optionsOf(handTimer()));
    expect(started).toEqual({ ok: false, reason: { plugin: "c.bad", why: "threw", notStopped: [] } });
    expect(log).toEqual(["start z.base", "start b.mid", "stop b.mid", "stop z.base"]);
  });

  it("one that takes too long is aborted, and disposed of if it starts after all", async () => {
    const log: string[] = [];
    const timer = handTimer();
    const signals = new Map<string, AbortSignal>();
    let arrive: (dispose: Disposer) => void = () => {};
    const slow = starting(
      "s.slow",
      [],
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    const starts = startPlugins(kernelOf(logged(log, "a.a", []), slow), optionsOf(timer, signals));
    await settle();
    timer.fire();
    expect(await starts).toMatchObject({ ok: false, reason: { plugin: "s.slow", why: "too_slow" } });
    expect(log).toEqual(["start a.a", "stop a.a"]);
    expect(signals.get("s.slow")?.aborted).toBe(true);
    arrive(async () => void log.push("stop s.slow"));
    await settle();
    expect(log.at(-1)).toBe("stop s.slow");
    expect(timer.waiting.size).toBe(0);
  });

  it("a disposer that throws, or hangs, does not keep the others from ending", async () => {
    const log: string[] = [];
    const timer = handTimer();
    const kernel = kernelOf(
      logged(log, "a.base", []),
      starting("b.throws", ["a.base"], async () => () => {
        throw new Error("no");
      }),
      starting("c.hangs", ["b.throws"], async () => () => new Promise(() => {})),
    );
    const started = await startPlugins(kernel, optionsOf(timer));
    if (!started.ok) throw new Error("starts");
    const stopped = started.value.stop();
    await settle();
    timer.fire();
    expect(await stopped).toEqual([
      { plugin: "c.hangs", why: "too_slow" },
      { plugin: "b.throws", why: "threw" },
    ]);
    expect(log.at(-1)).toBe("stop a.base");
  });
});
