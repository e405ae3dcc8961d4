import { assert, toBase64Url } from "@countersign/wire";
import type { Db, Tx } from "../../store/store.ts";
import {
  consistencySpans,
  foldRight,
  inclusionSpans,
  type Peak,
  type Span,
  type StoredNode,
  subtrees,
} from "./tree.ts";

/** Nodes of one insert; two bound values each. */
const INSERT_NODES_MAX = 500;

export async function insertNodes(tx: Tx, nodes: readonly StoredNode[]): Promise<void> {
  for (let at = 0; at < nodes.length; at += INSERT_NODES_MAX) {
    const rows = nodes.slice(at, at + INSERT_NODES_MAX).map(({ number, hash }) => ({ number, hash }));
    await tx.insertInto("log_node").values(rows).execute();
  }
}

/** The right edge of a tree of `size` leaves. */
export async function readPeaks(db: Db, size: number): Promise<readonly Peak[]> {
  const edge = subtrees({ begin: 0, end: size });
  const hashes = await readHashes(
    db,
    edge.map((node) => node.number),
  );
  return edge.map(({ level, number }) => ({ level, hash: found(hashes, number) }));
}

/** Hashes in base64url from leaf `index` up to the root of a tree of `size` leaves. */
export function inclusionProof(db: Db, index: number, size: number): Promise<string[]> {
  return rootsOf(db, inclusionSpans(index, size));
}

/** Hashes in base64url that prove the first `older` of `size` leaves unchanged. */
export function consistencyProof(db: Db, older: number, size: number): Promise<string[]> {
  return rootsOf(db, consistencySpans(older, size));
}

async function rootsOf(db: Db, spans: readonly Span[]): Promise<string[]> {
  const parts = spans.map((span) => subtrees(span).map((node) => node.number));
  const hashes = await readHashes(db, parts.flat());
  return parts.map((numbers) => toBase64Url(foldRight(numbers.map((number) => found(hashes, number)))));
}

async function readHashes(db: Db, numbers: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.selectFrom("log_node").selectAll().where("number", "in", numbers).execute();
  return new Map(rows.map((row) => [row.number, row.hash]));
}

function found(hashes: ReadonlyMap<number, Uint8Array>, number: number): Uint8Array {
  const hash = hashes.get(number);
  assert(hash !== undefined, "every complete subtree of the log is stored");
  return hash;
}
