import type { Schema } from "../../store/schema.ts";
import type { Tx } from "../../store/store.ts";

export type LeafKind = Schema["leaf"]["kind"];

interface NewLeaf {
  readonly kind: LeafKind;
  readonly recordId: string;
  readonly createdAt: number;
  /** Absent for what belongs to the gateway itself. */
  readonly tenantId?: string;
  readonly accountRef?: string;
  readonly taskId?: string;
}

/** A record that came signed (an approval, a key set, a credential); the sequencer gives it its place. */
export async function insertSignedLeaf(tx: Tx, leaf: NewLeaf & { readonly jws: string }): Promise<void> {
  await tx
    .insertInto("leaf")
    .values({ ...columns(leaf), payload: "", jws: leaf.jws })
    .execute();
}

/** A record that the sequencer signs in log order. */
export async function insertUnsignedLeaf(tx: Tx, leaf: NewLeaf & { readonly payload: string }): Promise<void> {
  await tx
    .insertInto("leaf")
    .values({ ...columns(leaf), payload: leaf.payload })
    .execute();
}

function columns({ kind, recordId, createdAt, tenantId = "", accountRef = "", taskId = "" }: NewLeaf) {
  return {
    tenant_id: tenantId,
    kind,
    record_id: recordId,
    account_ref: accountRef,
    task_id: taskId,
    created_at: createdAt,
  };
}
