import { setTimeout as delay } from "node:timers/promises";
import type { Core } from "./core.ts";
import { PLUGIN_SWEEP_BATCH, PLUGIN_SWEEP_GRACE_MS, PLUGIN_SWEEP_MS } from "./limits.ts";

// What plugins keep for a while is dead to them at its end, and goes some minutes later: gateways on one database have
// clocks of their own, and one that is ahead must not take away a nonce that counts for another. In small transactions,
// so that nobody waits for a flood that is over.

/** Removes what is over; answers how much that was. */
export async function sweepPluginValues({ store, now }: Pick<Core, "store" | "now">): Promise<number> {
  const before = now() - PLUGIN_SWEEP_GRACE_MS;
  let swept = 0;
  for (;;) {
    const gone = await store.as("system", () =>
      store.transaction(async (tx) => {
        const over = await tx
          .selectFrom("plugin_value")
          .select(["plugin", "tenant_id", "key"])
          .where("expires_at", "<", before)
          .limit(PLUGIN_SWEEP_BATCH)
          .execute();
        for (const { plugin, tenant_id, key } of over)
          await tx
            .deleteFrom("plugin_value")
            .where("plugin", "=", plugin)
            .where("tenant_id", "=", tenant_id)
            .where("key", "=", key)
            .where("expires_at", "<", before)
            .execute();
        return over.length;
      }),
    );
    swept += gone;
    if (gone < PLUGIN_SWEEP_BATCH) return swept;
  }
}

/** Sweeps at the start and every few minutes; that it fails is logged, and costs room and nothing else. */
export function startSweeping(core: Pick<Core, "store" | "now" | "log">): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await sweepPluginValues(core).catch((error: unknown) => {
        if (!signal.aborted)
          core.log.warn("plugin_values.not_swept", { error: error instanceof Error ? error.name : "unknown" });
      });
      await delay(PLUGIN_SWEEP_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
