import { err, ok, type Result } from "@countersign/wire";
import type { Db } from "../../store/store.ts";
import { latestCheckpoint } from "./checkpoints.ts";
import type { LeafKind } from "./leaf.ts";
import { consistencyProof, inclusionProof } from "./nodes.ts";

/** The place of a record in the log by its kind and digest; undefined while it has none. */
export async function placeOf(db: Db, kind: LeafKind, digest: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("leaf")
    .select("log_index")
    .where("kind", "=", kind)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.log_index ?? undefined;
}

export interface Inclusion {
  readonly index: number;
  readonly path: string[];
}

/** Where each of some records stands, under the newest checkpoint; undefined while one of them waits for its place. */
export async function proveTogether<P extends string>(
  db: Db,
  records: readonly { readonly part: P; readonly kind: LeafKind; readonly digest: string }[],
): Promise<{ readonly checkpoint: string; readonly proofs: ReadonlyMap<P, Inclusion> } | undefined> {
  const places: (readonly [P, number])[] = [];
  for (const { part, kind, digest } of records) {
    const index = await placeOf(db, kind, digest);
    if (index === undefined) return undefined;
    places.push([part, index]);
  }
  // Read after the places: it covers them all.
  const checkpoint = await latestCheckpoint(db);
  if (checkpoint === undefined) return undefined;
  const proofs = new Map<P, Inclusion>();
  for (const [part, index] of places) {
    proofs.set(part, { index, path: await inclusionProof(db, index, checkpoint.size) });
  }
  return { checkpoint: checkpoint.jws, proofs };
}

/** What anybody may ask of the log. Sizes are numbers of leaves. */
export interface Consistency {
  readonly from: number;
  readonly to: number;
  /** The newest checkpoint; of size `to` unless the asker named an earlier one. */
  readonly checkpoint: string;
  readonly consistency: string[];
}

/** Proof that the log of `from` leaves is the beginning of that of `to` (the newest when absent). */
export async function proveConsistency(
  db: Db,
  from: number,
  to: number | undefined,
): Promise<Result<Consistency, "no_such_size">> {
  const checkpoint = await latestCheckpoint(db);
  if (checkpoint === undefined) return err("no_such_size");
  const size = to ?? checkpoint.size;
  if (from < 1 || from > size || size > checkpoint.size) return err("no_such_size");
  const consistency = await consistencyProof(db, from, size);
  return ok({ from, to: size, checkpoint: checkpoint.jws, consistency });
}
