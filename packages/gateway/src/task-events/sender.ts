import { randomUUID } from "node:crypto";
import { err, ok, type Result, secret } from "@countersign/wire";
import type { Core } from "../core.ts";
import { publicGuard } from "../egress/allowed.ts";
import type { Egress } from "../egress/egress.ts";
import type { Guard } from "../egress/guard.ts";
import { TASK_WEBHOOK_KEEP_MS, TASK_WEBHOOK_SENDERS_MAX, TASK_WEBHOOK_TRIES_MAX } from "../limits.ts";
import type { SendProblem } from "../notify/channels/channel.ts";
import { signature } from "../notify/channels/webhook.ts";
import { runOutbox, type Sender } from "../notify/outbox-loop.ts";
import { retryDelay } from "../notify/sender.ts";
import type { Tx } from "../store/store.ts";
import { type Claimed, claimNext, due, settleRow } from "./claim.ts";

/**
 * Webhooks about tasks, in the form of Standard Webhooks 1.0. `announce` writes a message down in the transaction that
 * moves the task; here it is sent: at least once, tried again after 5 s, 20 s, 80 s and so on up to half an hour, for a
 * day and twelve tries at most. A receiver that answers 410 is not tried again. What comes of it is written to the
 * outbox alone: no delivery, and no answer to one, changes a task.
 */
export function startTaskEvents(
  core: Core,
  parts: { readonly makeEgress: (guard: Guard) => Egress },
): Sender | undefined {
  if (core.taskWebhooks === undefined) return undefined;
  // A guard of its own: no receiver's address is a place for an adapter to go, and no destination's one for a webhook.
  const egress = parts.makeEgress(publicGuard(core.taskWebhooks));
  const owner = randomUUID();
  const sender = runOutbox<Claimed>(core, {
    name: "task_event",
    sendersMax: TASK_WEBHOOK_SENDERS_MAX,
    async claim() {
      // Most tasks have no receiver: a look by reading keeps out of the way of those who write.
      if ((await due(core, core.store.db)).length === 0) return undefined;
      return core.store.transaction((tx) => claimNext(core, tx, owner));
    },
    async deliver(claimed) {
      await core.reach("task_event.before_send");
      const answer = await send(egress, claimed, core.now());
      await core.reach("task_event.after_send");
      if (!answer.ok) {
        // The address may hold a secret of its receiver's, so the log has its reference (U52).
        const { webhook_id: webhook } = claimed.place;
        core.log.warn("task_event.not_sent", { webhook, tries: claimed.tries, problem: answer.reason.code });
      }
      await core.store.transaction((tx) => settle(core, tx, claimed, answer));
    },
    async sweep(now) {
      await core.store.transaction(async (tx) => {
        await tx
          .deleteFrom("task_webhook_delivery")
          .where("changed_at", "<", now - TASK_WEBHOOK_KEEP_MS)
          .execute();
      });
    },
    close: () => {},
  });
  sender.poke();
  return sender;
}

async function send(
  egress: Pick<Egress, "fetch">,
  { url, keys, messageId, body }: Claimed,
  now: number,
): Promise<Result<undefined, SendProblem>> {
  const seconds = Math.floor(now / 1000);
  const signatures = keys.reveal().map((key) => signature(secret(key), messageId, seconds, body));
  try {
    const { status } = await egress.fetch(
      new Request(url.reveal(), {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "user-agent": "Countersign",
          "webhook-id": messageId,
          "webhook-timestamp": String(seconds),
          "webhook-signature": signatures.join(" "),
        },
      }),
    );
    if (status >= 200 && status < 300) return ok(undefined);
    return err({ retry: status === 410 ? "never" : "later", code: `status ${status}` });
  } catch {
    return err({ retry: "later", code: "unreachable" });
  }
}

async function settle(core: Core, tx: Tx, claimed: Claimed, answer: Result<undefined, SendProblem>): Promise<void> {
  const { place, tries } = claimed;
  const now = core.now();
  const hook = tx.updateTable("task_webhook").where("webhook_id", "=", place.webhook_id);
  if (answer.ok) {
    await settleRow(tx, place, { state: "sent", settled_at: now, problem: null });
    await hook.set({ failures: 0, paused_until: null }).execute();
    return;
  }
  const { retry, code: problem } = answer.reason;
  if (retry === "never") {
    await settleRow(tx, place, { state: "gave_up", settled_at: now, problem });
    await hook.set({ state: "gone" }).execute();
    return;
  }
  const isOver = tries >= TASK_WEBHOOK_TRIES_MAX;
  await settleRow(
    tx,
    place,
    isOver ? { state: "gave_up", settled_at: now, problem } : { due_at: now + retryDelay(tries), problem },
  );
  const row = await tx
    .selectFrom("task_webhook")
    .select("failures")
    .where("webhook_id", "=", place.webhook_id)
    .executeTakeFirst();
  const failures = (row?.failures ?? 0) + 1;
  await hook.set({ failures, paused_until: now + retryDelay(failures) }).execute();
}
