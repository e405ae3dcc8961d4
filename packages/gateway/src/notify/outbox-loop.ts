import { setTimeout as delay } from "node:timers/promises";
import type { Core } from "../core.ts";
import { NOTICE_CEILING_MS, NOTICE_SWEEP_MS } from "../limits.ts";

/**
 * Sends what an outbox holds. The rows decide: a knock only makes it look sooner, and any number of gateways may run
 * one. A process that dies between sending and writing so costs one second copy, with the same id.
 */
export interface Sender {
  poke(): void;
  /** Lets what is on its way end, for at most `graceMs`; what is left is found again by its row. */
  stop(graceMs: number): Promise<void>;
}

export interface Outbox<Claimed> {
  /** Begins the names of its log lines. */
  readonly name: "notice" | "task_event" | "task_push";
  readonly sendersMax: number;
  /** Takes the next message that is due, under a lease; undefined when there is none. */
  claim(): Promise<Claimed | undefined>;
  /** Sends it and writes what came of it. */
  deliver(claimed: Claimed): Promise<void>;
  /** Removes what has been kept long enough. */
  sweep(now: number): Promise<void>;
  close(): void;
}

export function runOutbox<Claimed>(core: Pick<Core, "store" | "log" | "now">, outbox: Outbox<Claimed>): Sender {
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let sweepAt = 0;

  const turn = async (): Promise<void> => {
    while (!stopped && running.size < outbox.sendersMax) {
      const claimed = await outbox.claim();
      if (claimed === undefined) break;
      const work = core.store
        .as("system", () => outbox.deliver(claimed))
        .catch((error: unknown) => {
          core.log.error(`${outbox.name}.send_crashed`, {
            error: error instanceof Error ? error.constructor.name : "unknown",
          });
        })
        .finally(() => {
          running.delete(work);
          poke();
        });
      running.add(work);
    }
    const now = core.now();
    if (now >= sweepAt) {
      sweepAt = now + NOTICE_SWEEP_MS;
      await outbox.sweep(now);
    }
    arm(NOTICE_CEILING_MS);
  };

  const arm = (delayMs: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(poke, delayMs).unref();
  };

  function poke(): void {
    if (stopped) return;
    if (turning !== undefined) {
      again = true;
      return;
    }
    clearTimeout(timer);
    turning = core.store
      .as("system", turn)
      .catch((error: unknown) => {
        core.log.error(`${outbox.name}.turn_failed`, { error: error instanceof Error ? error.message : "unknown" });
        arm(NOTICE_CEILING_MS);
      })
      .finally(() => {
        turning = undefined;
        if (!again) return;
        again = false;
        poke();
      });
  }

  return {
    poke,
    async stop(graceMs) {
      stopped = true;
      clearTimeout(timer);
      await turning;
      await Promise.race([Promise.allSettled(running), delay(graceMs, undefined, { ref: false })]);
      outbox.close();
    },
  };
}
