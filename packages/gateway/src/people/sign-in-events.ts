import type { Selectable } from "kysely";
import type { Core, Owner } from "../core.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";

export type SignInEventRow = Selectable<Schema["sign_in_event"]>;
export type SignInEventKind = SignInEventRow["kind"];

export const SIGN_IN_EVENTS_SHOWN = 20;

/**
 * Writes down what the person must hear about their own sign-in, in the transaction that does it: whoever holds a stolen
 * session or link cannot do it unseen. News stays in the person's inbox until they say that they have seen it.
 */
export async function noteSignInEvent(
  core: Core,
  tx: Tx,
  owner: Owner,
  kind: SignInEventKind,
  label: string,
  as: "news" | "known" = "news",
): Promise<void> {
  const now = core.now();
  await tx
    .insertInto("sign_in_event")
    .values({
      event_id: core.newId("sie"),
      tenant_id: owner.tenantId,
      person_id: owner.personId,
      kind,
      label,
      at: now,
      seen_at: as === "known" ? now : null,
    })
    .execute();
}

export async function listSignInEvents(db: Db, owner: Owner): Promise<readonly SignInEventRow[]> {
  return db
    .selectFrom("sign_in_event")
    .selectAll()
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .orderBy("at", "desc")
    .limit(SIGN_IN_EVENTS_SHOWN)
    .execute();
}

/** The person has seen these very ones: what happened since their page was drawn stays. */
export async function seenSignInEvents(core: Core, owner: Owner, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await core.store.db
    .updateTable("sign_in_event")
    .set({ seen_at: core.now() })
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .where("seen_at", "is", null)
    .where("event_id", "in", eventIds)
    .execute();
}
