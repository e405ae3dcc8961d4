import type { Core, Owner } from "../core.ts";
import type { Db } from "../store/store.ts";
import { NOTICES, type NoticeKind } from "./kinds.ts";

/**
 * Writes down that a person is to be told: call it in the transaction that makes the thing wait, so that neither can be
 * without the other. `ref` names what it is about; the same is told once, however often it is said. What the message
 * says is read when it is sent, and nothing is sent of what no longer matters then.
 */
export async function tell(
  core: Pick<Core, "now" | "newId" | "channels">,
  tx: Db,
  owner: Owner,
  kind: NoticeKind,
  ref: string,
): Promise<void> {
  // A code goes to the mailbox that it is to prove, and nowhere else.
  const channels = kind === "contact_code" ? core.channels.filter((c) => c === "email") : core.channels;
  if (channels.length === 0) return;
  const noticeId = core.newId("note");
  const now = core.now();
  const made = await tx
    .insertInto("notice")
    .values({
      notice_id: noticeId,
      tenant_id: owner.tenantId,
      person_id: owner.personId,
      kind,
      ref,
      created_at: now,
    })
    .onConflict((c) => c.columns(["kind", "ref"]).doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) return;
  await tx
    .insertInto("notice_delivery")
    .values(
      channels.map((channel) => ({
        notice_id: noticeId,
        channel,
        tenant_id: owner.tenantId,
        person_id: owner.personId,
        urgency: NOTICES[kind],
        state: "waiting" as const,
        due_at: now,
        tries: 0,
        deferred: 0 as const,
        lease_owner: null,
        lease_until: null,
        message_id: null,
        settled_at: null,
        problem: null,
      })),
    )
    .execute();
}
