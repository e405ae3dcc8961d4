import { setTimeout as delay } from "node:timers/promises";
import type { Result } from "@countersign/wire";
import type { Core } from "../core.ts";
import {
  NOTICE_CEILING_MS,
  NOTICE_KEEP_MS,
  NOTICE_RETRY_CAP_MS,
  NOTICE_RETRY_FIRST_MS,
  NOTICE_SENDERS_MAX,
  NOTICE_SWEEP_MS,
  NOTICE_TRIES_MAX,
} from "../limits.ts";
import type { Channel, SendProblem } from "./channels/channel.ts";
import { type Claimed, claimNext } from "./claim.ts";

/**
 * Sends what the outbox holds. The rows decide: a knock only makes it look sooner, and any number of gateways may run
 * one. A process that dies between sending and writing so costs one second copy, with the same id.
 */
export interface Sender {
  poke(): void;
  /** Lets what is on its way end, for at most `graceMs`; what is left is found again by its row. */
  stop(graceMs: number): Promise<void>;
}

export interface SenderDeps {
  readonly core: Core;
  readonly channels: readonly Channel[];
  /** Names this process in leases. */
  readonly owner: string;
}

/** How long after its nth try a message is tried again. */
export function retryDelay(tries: number): number {
  return Math.min(NOTICE_RETRY_FIRST_MS * 4 ** Math.min(tries - 1, 20), NOTICE_RETRY_CAP_MS);
}

export function createSender({ core, channels, owner }: SenderDeps): Sender {
  const byName = new Map(channels.map((channel) => [channel.name, channel]));
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let sweepAt = 0;

  const deliver = async (claimed: Claimed): Promise<void> => {
    await core.reach("notice.before_send");
    const channel = byName.get(claimed.channel);
    const answer: Result<undefined, SendProblem> =
      channel === undefined
        ? { ok: false, reason: { retry: "never", code: "no_such_channel" } }
        : await channel.send(claimed.message, claimed.to);
    await core.reach("notice.after_send");
    await settle(claimed, answer);
  };

  const settle = async (claimed: Claimed, answer: Result<undefined, SendProblem>): Promise<void> => {
    const { message, tries, channel } = claimed;
    const now = core.now();
    const isOver = !answer.ok && (answer.reason.retry === "never" || tries >= NOTICE_TRIES_MAX);
    const change = answer.ok
      ? { state: "sent" as const, settled_at: now, problem: null }
      : isOver
        ? { state: "gave_up" as const, settled_at: now, problem: answer.reason.code }
        : { due_at: now + retryDelay(tries), problem: answer.reason.code };
    if (!answer.ok) {
      const about = { channel, kind: message.kind, tries, problem: answer.reason.code };
      if (isOver) core.log.error("notice.gave_up", about);
      else core.log.warn("notice.not_sent", about);
    }
    await core.store.transaction(async (tx) => {
      await tx
        .updateTable("notice_delivery")
        .set({ ...change, lease_owner: null, lease_until: null })
        .where("message_id", "=", message.id)
        .where("channel", "=", channel)
        .where("lease_owner", "=", owner)
        .where("state", "=", "waiting")
        .execute();
    });
  };

  const turn = async (): Promise<void> => {
    while (!stopped && running.size < NOTICE_SENDERS_MAX) {
      const claimed = await core.store.transaction((tx) => claimNext(core, tx, owner));
      if (claimed === undefined) break;
      const work = core.store
        .as("system", () => deliver(claimed))
        .catch((error: unknown) => {
          core.log.error("notice.send_crashed", { error: error instanceof Error ? error.constructor.name : "unknown" });
        })
        .finally(() => {
          running.delete(work);
          poke();
        });
      running.add(work);
    }
    await sweep();
    arm(NOTICE_CEILING_MS);
  };

  const sweep = async (): Promise<void> => {
    const now = core.now();
    if (now < sweepAt) return;
    sweepAt = now + NOTICE_SWEEP_MS;
    await core.store.transaction(async (tx) => {
      const old = tx
        .selectFrom("notice")
        .select("notice_id")
        .where("created_at", "<", now - NOTICE_KEEP_MS);
      await tx.deleteFrom("notice_delivery").where("notice_id", "in", old).execute();
      await tx
        .deleteFrom("notice")
        .where("created_at", "<", now - NOTICE_KEEP_MS)
        .execute();
      await tx
        .deleteFrom("contact")
        .where("state", "<>", "current")
        .where("created_at", "<", now - NOTICE_KEEP_MS)
        .execute();
    });
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
        core.log.error("notice.turn_failed", { error: error instanceof Error ? error.message : "unknown" });
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
      for (const channel of channels) channel.close();
    },
  };
}
