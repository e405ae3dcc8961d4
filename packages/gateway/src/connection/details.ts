import type { AccountDetail, AccountIdentity } from "@countersign/plugin";
import { isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import type { Core } from "../core.ts";
import type { Db, Tx } from "../store/store.ts";
import { openText, sealText } from "../vault/seal.ts";

const KINDS = ["fulfillment", "instrument", "payee", "address", "contact"] as const;

/** Rows of an account that a request may name by opaque ref: addresses, contacts, instruments, payees. Values are sealed. */
export async function findDetail(
  core: Core,
  db: Db,
  accountRef: string,
  ref: string,
): Promise<AccountDetail | undefined> {
  const row = await db
    .selectFrom("account_detail")
    .selectAll()
    .where("ref", "=", ref)
    .where("account_ref", "=", accountRef)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const kind = KINDS.find((k) => k === row.kind);
  const value = parseJson(openText(core.sealer, `detail:${row.ref}`, row.sealed));
  if (kind === undefined || !value.ok || !isJsonObject(value.value))
    throw new Error("a stored account detail is readable");
  return {
    ref,
    kind,
    label: row.label,
    value: value.value,
    ...(row.site_key === null ? {} : { siteKey: row.site_key }),
  };
}

export async function listDetails(db: Db, accountRef: string) {
  return db
    .selectFrom("account_detail")
    .select(["ref", "kind", "label"])
    .where("account_ref", "=", accountRef)
    .orderBy("created_at")
    .execute();
}

/** Which rows of an account the person added themselves: the site knows nothing of them. */
export async function ownDetails(db: Db, accountRef: string): Promise<ReadonlySet<string>> {
  const own = db.selectFrom("account_detail").select("ref").where("account_ref", "=", accountRef);
  return new Set((await own.where("site_key", "is", null).execute()).map((row) => row.ref));
}

/** Forgets a row that the person added. False when there is none, or the site has it. */
export async function removeDetail(db: Db, accountRef: string, ref: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("account_detail")
    .where("ref", "=", ref)
    .where("account_ref", "=", accountRef)
    .where("site_key", "is", null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function addDetail(
  core: Core,
  tx: Db,
  accountRef: string,
  detail: {
    readonly kind: AccountDetail["kind"];
    readonly label: string;
    readonly value: JsonObject;
    readonly siteKey?: string;
  },
): Promise<string> {
  const ref = core.newId("det");
  await tx
    .insertInto("account_detail")
    .values({
      ref,
      account_ref: accountRef,
      kind: detail.kind,
      site_key: detail.siteKey ?? null,
      label: detail.label,
      sealed: sealText(core.sealer, `detail:${ref}`, JSON.stringify(detail.value)),
      created_at: core.now(),
    })
    .execute();
  return ref;
}

/** Brings the rows read from the site up to date; a row that the site still has keeps its ref. */
export async function syncDetails(
  core: Core,
  tx: Tx,
  accountRef: string,
  said: AccountIdentity["details"],
): Promise<void> {
  // Where letters and sign-in codes go is entered by the person alone: no site can put one among their references.
  const found = said.filter(({ kind }) => kind !== "address" && kind !== "contact");
  const rows = await tx
    .selectFrom("account_detail")
    .select(["ref", "kind", "site_key"])
    .where("account_ref", "=", accountRef)
    .where("site_key", "is not", null)
    .execute();
  const key = (kind: string, siteKey: string | null | undefined) => `${kind}\n${siteKey ?? ""}`;
  const seen = new Map(found.map((d) => [key(d.kind, d.siteKey), d]));
  for (const row of rows) {
    const now = seen.get(key(row.kind, row.site_key));
    if (now === undefined) {
      await tx.deleteFrom("account_detail").where("ref", "=", row.ref).execute();
      continue;
    }
    seen.delete(key(row.kind, row.site_key));
    const sealed = sealText(core.sealer, `detail:${row.ref}`, JSON.stringify(now.value));
    await tx.updateTable("account_detail").set({ label: now.label, sealed }).where("ref", "=", row.ref).execute();
  }
  for (const detail of seen.values()) await addDetail(core, tx, accountRef, detail);
}
