import { hash as digest } from "node:crypto";
import { assert } from "@countersign/wire";

/**
 * The Merkle tree of RFC 9162 section 2.1 over stored nodes. Only roots of complete subtrees are kept; every other hash
 * is put together from them, so that a proof reads O(log n) nodes. Pure; the tests hold it against the profile's naive
 * tree, which a verifier uses.
 */

const LEAF = Uint8Array.of(0x00);
const NODE = Uint8Array.of(0x01);

/** The hash of our leaf bytes (approval-evidence section 3). */
export function hashLeaf(kind: string, recordDigest: string): Uint8Array {
  return sha256(LEAF, Buffer.from(`countersign.leaf/1\n${kind}\n${recordDigest}\n`, "utf8"));
}

export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(NODE, left, right);
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return digest("sha256", Buffer.concat(parts), "buffer");
}

/**
 * A complete subtree by its number in the in-order walk of the tree: leaf i is 2i, the root over leaves 2i and 2i+1
 * stands between them, and so on. Numbers never change when the tree grows.
 */
export function nodeNumber(level: number, position: number): number {
  const half = 2 ** level;
  return 2 * half * position + half - 1;
}

/** A complete subtree at the right edge of a tree that is growing, largest first. */
export interface Peak {
  readonly level: number;
  readonly hash: Uint8Array;
}

export interface StoredNode {
  readonly number: number;
  readonly hash: Uint8Array;
}

export interface Grown {
  readonly peaks: readonly Peak[];
  /** Every subtree that the new leaves completed, themselves included. */
  readonly nodes: readonly StoredNode[];
  readonly root: Uint8Array;
}

/** Appends `leaves` (hashes) to a tree of `size` leaves with these `peaks`. At least one leaf afterwards. */
export function grow(size: number, peaks: readonly Peak[], leaves: readonly Uint8Array[]): Grown {
  assert(size + leaves.length > 0, "a tree has a root once it has a leaf");
  const edge = [...peaks];
  const nodes: StoredNode[] = [];
  for (const [offset, leaf] of leaves.entries()) {
    let level = 0;
    let hash = leaf;
    const index = size + offset;
    nodes.push({ number: nodeNumber(0, index), hash });
    for (let last = edge.at(-1); last?.level === level; last = edge.at(-1)) {
      hash = hashNode(last.hash, hash);
      level += 1;
      edge.pop();
      nodes.push({ number: nodeNumber(level, Math.floor(index / 2 ** level)), hash });
    }
    edge.push({ level, hash });
  }
  return { peaks: edge, nodes, root: foldRight(edge.map((peak) => peak.hash)) };
}

/** Leaves `begin` to before `end`, as RFC 9162 cuts them: `begin` is a multiple of a power of two that is no smaller. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The complete subtrees that a span is put together from, left to right: level and number of each. */
export function subtrees({ begin, end }: Span): readonly { readonly level: number; readonly number: number }[] {
  const found: { readonly level: number; readonly number: number }[] = [];
  let at = begin;
  while (at < end) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1;
    found.push({ level, number: nodeNumber(level, at / 2 ** level) });
    at += 2 ** level;
  }
  return found;
}

/** The root over a span, from the hashes of its subtrees. */
export function foldRight(hashes: readonly Uint8Array[]): Uint8Array {
  const folded = hashes.reduceRight<Uint8Array | undefined>(
    (right, left) => (right === undefined ? left : hashNode(left, right)),
    undefined,
  );
  assert(folded !== undefined, "a span has leaves");
  return folded;
}

/** The spans whose roots lead from leaf `index` up to the root of a tree of `size` (section 2.1.3.1). */
export function inclusionSpans(index: number, size: number): readonly Span[] {
  assert(Number.isSafeInteger(index) && index >= 0 && index < size, "inclusionSpans: no such leaf");
  const path: Span[] = [];
  let span: Span = { begin: 0, end: size };
  while (span.end - span.begin > 1) {
    const middle = span.begin + split(span.end - span.begin);
    const left = { begin: span.begin, end: middle };
    const right = { begin: middle, end: span.end };
    const [inside, beside] = index < middle ? [left, right] : [right, left];
    path.push(beside);
    span = inside;
  }
  return path.reverse();
}

/** The spans that prove the first `older` of `size` leaves unchanged (section 2.1.4.1). */
export function consistencySpans(older: number, size: number): readonly Span[] {
  assert(Number.isSafeInteger(older) && older > 0 && older <= size, "consistencySpans: no such size");
  const path: Span[] = [];
  let span: Span = { begin: 0, end: size };
  // The old tree as a whole is known to the holder; a part of it at the right edge has to be told.
  let known = true;
  while (older < span.end) {
    const middle = span.begin + split(span.end - span.begin);
    if (older <= middle) {
      path.push({ begin: middle, end: span.end });
      span = { begin: span.begin, end: middle };
    } else {
      path.push({ begin: span.begin, end: middle });
      span = { begin: middle, end: span.end };
      known = false;
    }
  }
  if (!known) path.push(span);
  return path.reverse();
}

/** The largest power of two smaller than `size`. */
function split(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}
