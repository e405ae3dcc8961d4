import type { Selectable } from "kysely";
import type { Core, Owner } from "../core.ts";
import type { Schema } from "../store/schema.ts";
import type { Db } from "../store/store.ts";
import { openText } from "../vault/seal.ts";
import type { NoticeRow } from "./facts.ts";

export type ContactRow = Selectable<Schema["contact"]>;

export async function contactByRef(db: Db, ref: string): Promise<ContactRow | undefined> {
  return db.selectFrom("contact").selectAll().where("contact_ref", "=", ref).executeTakeFirst();
}

export async function currentContact(db: Db, personId: string): Promise<ContactRow | undefined> {
  return db
    .selectFrom("contact")
    .selectAll()
    .where("person_id", "=", personId)
    .where("state", "=", "current")
    .executeTakeFirst();
}

export async function pendingContact(db: Db, owner: Owner, now: number): Promise<ContactRow | undefined> {
  return db
    .selectFrom("contact")
    .selectAll()
    .where("person_id", "=", owner.personId)
    .where("tenant_id", "=", owner.tenantId)
    .where("state", "=", "pending")
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

export function addressOf(core: Pick<Core, "sealer">, row: ContactRow): string {
  return openText(core.sealer, `contact:${row.contact_ref}`, row.sealed);
}

/** Where a notice goes by mail: about an address, to that very address; else to the one in force. */
export async function receiverOf(core: Core, db: Db, notice: NoticeRow): Promise<string | undefined> {
  const isAboutOne = notice.kind === "contact_code" || notice.kind === "contact_changed";
  const row = isAboutOne ? await contactByRef(db, notice.ref) : await currentContact(db, notice.person_id);
  return row === undefined ? undefined : addressOf(core, row);
}
