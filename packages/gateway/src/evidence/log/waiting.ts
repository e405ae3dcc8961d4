import { assert, type JsonObject, parseRecord } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Schema } from "../../store/schema.ts";
import type { Db } from "../../store/store.ts";
import type { SignedKindName } from "../keys.ts";
import { storedRecord } from "../stored-record.ts";

export type LeafRow = Selectable<Schema["leaf"]>;

/** A leaf with everything settled but its signature, or with that too. */
export type NumberedLeaf = {
  readonly leafId: number;
  readonly kind: LeafRow["kind"];
  readonly accountSeq: number | null;
} & (
  | { readonly jws: string }
  | {
      readonly jws: undefined;
      readonly kind: SignedKindName & LeafRow["kind"];
      readonly role: "approval" | "receipt";
      readonly payload: JsonObject;
    }
);

export interface SignedLeaf {
  readonly leafId: number;
  readonly kind: LeafRow["kind"];
  readonly accountSeq: number | null;
  readonly jws: string;
  readonly digest: string;
}

/** What waits for its place, in the order in which it was written: an approval comes before the receipt that names it. */
export async function waitingLeaves(
  db: Db,
  limit: number,
  aside: ReadonlySet<number> = new Set(),
): Promise<readonly LeafRow[]> {
  const waiting = db.selectFrom("leaf").selectAll().where("log_index", "is", null);
  const taken = aside.size === 0 ? waiting : waiting.where("leaf_id", "not in", [...aside]);
  return taken.orderBy("leaf_id").limit(limit).execute();
}

/** Whether a leaf is signed, or can be read as something that could be. */
export function isReadable({ jws, kind, payload }: Pick<LeafRow, "jws" | "kind" | "payload">): boolean {
  return jws !== null || ((kind === "receipt" || kind === "revocation") && parseRecord(payload).ok);
}

/** Numbers receipts per account, without a gap, on top of those that are numbered already. */
export async function numbered(db: Db, rows: readonly LeafRow[]): Promise<readonly NumberedLeaf[]> {
  const accounts = [...new Set(rows.filter((row) => row.kind === "receipt").map((row) => row.account_ref))];
  const last = new Map<string, number>();
  if (accounts.length > 0) {
    const found = await db
      .selectFrom("leaf")
      .select(({ fn }) => ["account_ref", fn.max("account_seq").as("seq")])
      .where("account_ref", "in", accounts)
      .where("account_seq", "is not", null)
      .groupBy("account_ref")
      .execute();
    for (const { account_ref, seq } of found) last.set(account_ref, Number(seq));
  }
  return rows.map((row): NumberedLeaf => {
    const { leaf_id: leafId, kind } = row;
    if (row.jws !== null) return { leafId, kind, accountSeq: row.account_seq, jws: row.jws };
    const payload = storedRecord(row.payload);
    if (kind !== "receipt") {
      assert(kind === "revocation", "only receipts and revocations are signed in log order");
      return { leafId, kind, accountSeq: null, jws: undefined, role: "approval", payload };
    }
    const accountSeq = (last.get(row.account_ref) ?? 0) + 1;
    last.set(row.account_ref, accountSeq);
    return {
      leafId,
      kind,
      accountSeq,
      jws: undefined,
      role: "receipt",
      payload: { ...payload, account_seq: accountSeq },
    };
  });
}
