import { randomInt } from "node:crypto";
import { err, ok, type Result } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import { tokenHash } from "../ids.ts";
import { CONTACT_CODE_LIFE_MS, CONTACT_CODE_TRIES_MAX, CONTACT_CODES_PER_HOUR_MAX } from "../limits.ts";
import type { Tx } from "../store/store.ts";
import { sealText } from "../vault/seal.ts";
import { type ContactRow, currentContact, pendingContact } from "./contact-rows.ts";
import { tell } from "./tell.ts";

const HOUR_MS = 3_600_000;
const CODE_DIGITS = 8;
const ADDRESS_CHARS_MAX = 254;
/**
 * One plain address: no name, no comment, no quoted part, no other script. What is left has one reading (RFC 5321), so
 * that the address which was confirmed is the one that gets the mail.
 */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)$/;

export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_CHARS_MAX && ADDRESS.test(text) && text.indexOf("@") <= 64;
}

export interface ContactAsker extends Owner {
  readonly sessionHash: string;
}

/** A person gives an address: it counts once the code that is mailed to it comes back from the same browser. */
export async function askForContact(
  core: Core,
  who: ContactAsker,
  address: string,
): Promise<Result<undefined, "invalid_request" | "rate_limited" | "conflict">> {
  if (!isMailAddress(address)) return err("invalid_request");
  if (!core.channels.includes("email")) return err("conflict");
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  const now = core.now();
  const done = await core.store.transaction(async (tx): Promise<Result<undefined, "rate_limited">> => {
    const asked = await tx
      .selectFrom("contact")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("person_id", "=", who.personId)
      .where("created_at", ">", now - HOUR_MS)
      .executeTakeFirstOrThrow();
    if (Number(asked.n) >= CONTACT_CODES_PER_HOUR_MAX) return err("rate_limited");
    const pending = tx.updateTable("contact").set({ state: "replaced", code: null });
    await pending.where("person_id", "=", who.personId).where("state", "=", "pending").execute();
    const ref = core.newId("contact");
    await insert(core, tx, who, ref, address, {
      state: "pending",
      code: sealText(core.sealer, `contact_code:${ref}`, code),
      code_hash: tokenHash(`${ref}:${code}`),
      session_hash: who.sessionHash,
      expires_at: now + CONTACT_CODE_LIFE_MS,
    });
    await tell(core, tx, who, "contact_code", ref);
    return ok(undefined);
  });
  if (done.ok) core.poke();
  return done;
}

/** `wrong`: try again. `gone`: nothing waits for a code here, or there were too many tries. */
export async function confirmContact(
  core: Core,
  who: ContactAsker,
  code: string,
): Promise<Result<undefined, "wrong" | "gone">> {
  const now = core.now();
  const done = await core.store.transaction(async (tx): Promise<Result<undefined, "wrong" | "gone">> => {
    const row = await pendingContact(tx, who, now);
    if (row === undefined || row.session_hash !== who.sessionHash || row.code_tries >= CONTACT_CODE_TRIES_MAX)
      return err("gone");
    const own = tx.updateTable("contact").where("contact_ref", "=", row.contact_ref);
    if (tokenHash(`${row.contact_ref}:${code}`) !== row.code_hash) {
      await own.set({ code_tries: row.code_tries + 1 }).execute();
      return err("wrong");
    }
    await endCurrent(core, tx, who);
    await own.set({ state: "current", confirmed_at: now, code: null }).execute();
    return ok(undefined);
  });
  if (done.ok) core.poke();
  return done;
}

/** The operator says where a person is reached; whoever owns the data is taken at their word. */
export async function setContact(core: Core, owner: Owner, address: string): Promise<Result<undefined, "bad_address">> {
  if (!isMailAddress(address)) return err("bad_address");
  await core.store.transaction(async (tx) => {
    await endCurrent(core, tx, owner);
    await insert(core, tx, owner, core.newId("contact"), address, { state: "current", confirmed_at: core.now() });
  });
  core.poke();
  return ok(undefined);
}

export async function removeContact(core: Core, owner: Owner): Promise<void> {
  await core.store.transaction((tx) => endCurrent(core, tx, owner));
  core.poke();
}

/** The address that ends is told so itself: whoever holds a stolen session does not get rid of the warnings unseen. */
async function endCurrent(core: Core, tx: Tx, owner: Owner): Promise<void> {
  const row = await currentContact(tx, owner.personId);
  if (row === undefined) return;
  await tx.updateTable("contact").set({ state: "replaced" }).where("contact_ref", "=", row.contact_ref).execute();
  await tell(core, tx, owner, "contact_changed", row.contact_ref);
}

async function insert(
  core: Core,
  tx: Tx,
  owner: Owner,
  ref: string,
  address: string,
  more: Partial<ContactRow> & Pick<ContactRow, "state">,
): Promise<void> {
  await tx
    .insertInto("contact")
    .values({
      contact_ref: ref,
      tenant_id: owner.tenantId,
      person_id: owner.personId,
      sealed: sealText(core.sealer, `contact:${ref}`, address),
      code: null,
      code_hash: null,
      code_tries: 0,
      session_hash: null,
      created_at: core.now(),
      expires_at: null,
      confirmed_at: null,
      ...more,
    })
    .execute();
}
