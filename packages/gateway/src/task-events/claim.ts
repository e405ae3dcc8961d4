import { TASK_CHANGED, type TaskChanged, WEBHOOK_LIFE_MS } from "@countersign/profile";
import { formatInstant, type Instant, type Secret, secret } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core } from "../core.ts";
import { NOTICE_LEASE_MS, NOTICES_AT_ONCE_MAX } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";
import { keysOf, urlOf, type WebhookRow } from "./webhooks.ts";

type DeliveryRow = Selectable<Schema["task_webhook_delivery"]>;
type Place = Pick<DeliveryRow, "webhook_id" | "task_id" | "revision">;

/** A message on its way, under this process's lease. */
export interface Claimed {
  readonly place: Place;
  readonly url: Secret<string>;
  readonly keys: Secret<readonly Uint8Array[]>;
  /** The same at each try and for each receiver: whoever hears it twice has heard one thing. */
  readonly messageId: string;
  readonly body: string;
  /** The try that this is. */
  readonly tries: number;
}

/**
 * Takes the next message that is due, under a lease. To one receiver one message is on its way at a time, and none while
 * it rests after a failure: a receiver that hangs holds up nobody else's. Undefined when nothing is due.
 */
export async function claimNext(core: Core, tx: Tx, owner: string): Promise<Claimed | undefined> {
  const now = core.now();
  for (const row of await due(core, tx)) {
    const place = { webhook_id: row.webhook_id, task_id: row.task_id, revision: row.revision };
    const hook = await tx
      .selectFrom("task_webhook")
      .innerJoin("agent", "agent.client_id", "task_webhook.client_id")
      .selectAll("task_webhook")
      .select("agent.state as agent_state")
      .where("webhook_id", "=", row.webhook_id)
      .executeTakeFirst();
    if (hook === undefined || hook.state === "gone" || hook.agent_state !== "accepted") {
      await settleRow(tx, place, { state: "dropped", settled_at: now, problem: null });
    } else if (now >= row.changed_at + WEBHOOK_LIFE_MS) {
      core.log.warn("task_event.too_late", { webhook: row.webhook_id, tries: row.tries });
      await settleRow(tx, place, { state: "gave_up", settled_at: now, problem: "too_late" });
    } else {
      await at(tx, place)
        .set({ lease_owner: owner, lease_until: now + NOTICE_LEASE_MS, tries: row.tries + 1 })
        .execute();
      return message(core, row, hook, now);
    }
  }
  return undefined;
}

/** Messages that may be sent now, the oldest first. */
export async function due(core: Core, db: Db): Promise<readonly DeliveryRow[]> {
  const now = core.now();
  return db
    .selectFrom("task_webhook_delivery as d")
    .innerJoin("task_webhook as w", "w.webhook_id", "d.webhook_id")
    .selectAll("d")
    .where("d.state", "=", "waiting")
    .where("d.due_at", "<=", now)
    .where((e) => e.or([e("w.paused_until", "is", null), e("w.paused_until", "<=", now)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("task_webhook_delivery as other")
            .select("other.task_id")
            .whereRef("other.webhook_id", "=", "d.webhook_id")
            .where("other.state", "=", "waiting")
            .where("other.lease_until", ">", now),
        ),
      ),
    )
    .orderBy("d.due_at")
    .orderBy("d.task_id")
    .orderBy("d.revision")
    .limit(NOTICES_AT_ONCE_MAX)
    .execute();
}

function message(core: Core, row: DeliveryRow, hook: WebhookRow, now: number): Claimed {
  const body: TaskChanged = {
    type: TASK_CHANGED,
    timestamp: formatInstant(row.changed_at as Instant),
    data: { task_id: row.task_id, state: row.task_state, revision: row.revision },
  };
  return {
    place: { webhook_id: row.webhook_id, task_id: row.task_id, revision: row.revision },
    url: secret(urlOf(core, hook)),
    keys: secret(keysOf(core, hook, now)),
    // No full stop in it: that is what stands between the parts that are signed.
    messageId: `evt_${row.task_id}_${row.revision}`,
    body: JSON.stringify(body),
    tries: row.tries + 1,
  };
}

/** Writes how a delivery ended, or that it waits again. */
export async function settleRow(
  tx: Tx,
  place: Place,
  change: Pick<DeliveryRow, "problem"> & Partial<Pick<DeliveryRow, "state" | "settled_at" | "due_at">>,
): Promise<void> {
  await at(tx, place)
    .set({ ...change, lease_owner: null, lease_until: null })
    .where("state", "=", "waiting")
    .execute();
}

function at(tx: Tx, place: Place) {
  return tx
    .updateTable("task_webhook_delivery")
    .where("webhook_id", "=", place.webhook_id)
    .where("task_id", "=", place.task_id)
    .where("revision", "=", place.revision);
}
