import { formatInstant, type Instant } from "@countersign/wire";
import type { Core } from "../core.ts";
import type { Tx } from "../store/store.ts";
import { insertUnsignedLeaf } from "./log/leaf.ts";

export interface Revoked {
  readonly what: "consent" | "credential" | "approval";
  readonly ref: string;
  readonly at: number;
  readonly tenantId: string;
}

/**
 * Puts a revocation into the log, in the transaction that revokes: from its place on, nobody can say that the grant, the
 * passkey or the approval still counted. The sequencer signs it.
 */
export async function insertRevocation(core: Core, tx: Tx, revoked: Revoked): Promise<void> {
  const { what, ref, at, tenantId } = revoked;
  const payload = {
    typ: "countersign.revocation/1",
    issuer: core.issuer,
    what,
    ref,
    at: formatInstant(at as Instant),
  };
  await insertUnsignedLeaf(tx, {
    kind: "revocation",
    recordId: core.newId("rev"),
    createdAt: at,
    tenantId,
    payload: JSON.stringify(payload),
  });
}
