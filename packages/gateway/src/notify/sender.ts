import type { Result } from "@countersign/wire";
import type { Core } from "../core.ts";
import {
  NOTICE_KEEP_MS,
  NOTICE_RETRY_CAP_MS,
  NOTICE_RETRY_FIRST_MS,
  NOTICE_SENDERS_MAX,
  NOTICE_TRIES_MAX,
} from "../limits.ts";
import type { Channel, SendProblem } from "./channels/channel.ts";
import { type Claimed, claimNext } from "./claim.ts";
import { runOutbox, type Sender } from "./outbox-loop.ts";

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

/** Sends people what the outbox holds for them. */
export function createSender({ core, channels, owner }: SenderDeps): Sender {
  const byName = new Map(channels.map((channel) => [channel.name, channel]));

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

  const sweep = async (now: number): Promise<void> => {
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

  return runOutbox(core, {
    name: "notice",
    sendersMax: NOTICE_SENDERS_MAX,
    claim: () => core.store.transaction((tx) => claimNext(core, tx, owner)),
    deliver,
    sweep,
    close: () => {
      for (const channel of channels) channel.close();
    },
  });
}
