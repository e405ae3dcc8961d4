import { assert } from "@countersign/wire";

/**
 * Merkle trees as RFC 9162 section 2.1 defines them, over SHA-256. Hashes are 32 bytes; sizes and indexes are counts of
 * leaves. Pure but for WebCrypto's asynchronous SHA-256.
 */
export type Hash = Uint8Array<ArrayBuffer>;

const LEAF = 0x00;
const NODE = 0x01;

async function sha256(...parts: readonly Uint8Array[]): Promise<Hash> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The bytes of our leaves: they name the kind, so that one kind of record can never be proven as another. */
export function leafBytes(kind: string, digest: string): Uint8Array {
  return new TextEncoder().encode(`countersign.leaf/1\n${kind}\n${digest}\n`);
}

/** RFC 9162 section 2.1.1: the prefix keeps a leaf from being taken for a node (second preimage). */
export function leafHash(bytes: Uint8Array): Promise<Hash> {
  return sha256(new Uint8Array([LEAF]), bytes);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Hash> {
  return sha256(new Uint8Array([NODE]), left, right);
}

function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The largest power of two smaller than `size`. */
function split(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/** Root over leaf hashes; of none, the hash of nothing (section 2.1.1). */
export async function rootOf(leaves: readonly Hash[]): Promise<Hash> {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return only;
  const half = split(leaves.length);
  return nodeHash(await rootOf(leaves.slice(0, half)), await rootOf(leaves.slice(half)));
}

/** Hashes from a leaf up to the root (section 2.1.3.1). @throws AssertionFailed for an index outside the tree. */
export async function inclusionPath(leaves: readonly Hash[], index: number): Promise<readonly Hash[]> {
  assert(Number.isSafeInteger(index) && index >= 0 && index < leaves.length, "inclusionPath: no such leaf");
  if (leaves.length === 1) return [];
  const half = split(leaves.length);
  const left = leaves.slice(0, half);
  const right = leaves.slice(half);
  return index < half
    ? [...(await inclusionPath(left, index)), await rootOf(right)]
    : [...(await inclusionPath(right, index - half)), await rootOf(left)];
}

/**
 * Proof that the first `oldSize` leaves have not changed (section 2.1.4.1).
 * @throws AssertionFailed unless 0 < oldSize <= leaves.length.
 */
export async function consistencyPath(leaves: readonly Hash[], oldSize: number): Promise<readonly Hash[]> {
  assert(Number.isSafeInteger(oldSize) && oldSize > 0 && oldSize <= leaves.length, "consistencyPath: no such size");
  return subproof(leaves, oldSize, "whole");
}

/** `whole`: the old tree is this very subtree, whose root the holder knows already. */
async function subproof(leaves: readonly Hash[], oldSize: number, known: "whole" | "part"): Promise<readonly Hash[]> {
  if (oldSize === leaves.length) return known === "whole" ? [] : [await rootOf(leaves)];
  const half = split(leaves.length);
  const left = leaves.slice(0, half);
  const right = leaves.slice(half);
  return oldSize <= half
    ? [...(await subproof(left, oldSize, known)), await rootOf(right)]
    : [...(await subproof(right, oldSize - half, "part")), await rootOf(left)];
}

const isOdd = (n: number) => n % 2 === 1;
const halved = (n: number) => Math.floor(n / 2);

/** Whether `leaf` stands at `index` of the tree with `size` leaves and this root (section 2.1.3.2). */
export async function verifyInclusion(proof: {
  readonly leaf: Hash;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Hash[];
  readonly root: Hash;
}): Promise<boolean> {
  const { leaf, index, size, path, root } = proof;
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = await nodeHash(sibling, hash);
      while (!isOdd(at) && at !== 0) {
        at = halved(at);
        last = halved(last);
      }
    } else {
      hash = await nodeHash(hash, sibling);
    }
    at = halved(at);
    last = halved(last);
  }
  return last === 0 && sameHash(hash, root);
}

export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/** Whether the newer tree only appended to the older one (section 2.1.4.2). Equal sizes need equal roots, no path. */
export async function verifyConsistency(older: TreeHead, newer: TreeHead, path: readonly Hash[]): Promise<boolean> {
  if (!Number.isSafeInteger(older.size) || !Number.isSafeInteger(newer.size)) return false;
  if (older.size < 1 || older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && sameHash(older.root, newer.root);
  let at = older.size - 1;
  let last = newer.size - 1;
  while (isOdd(at)) {
    at = halved(at);
    last = halved(last);
  }
  // An old tree that is a full subtree of the new one is not repeated in the path.
  const [first, ...rest] = at === 0 ? [older.root, ...path] : path;
  if (first === undefined) return false;
  let oldHash = first;
  let newHash = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      oldHash = await nodeHash(sibling, oldHash);
      newHash = await nodeHash(sibling, newHash);
      while (!isOdd(at) && at !== 0) {
        at = halved(at);
        last = halved(last);
      }
    } else {
      newHash = await nodeHash(newHash, sibling);
    }
    at = halved(at);
    last = halved(last);
  }
  return last === 0 && sameHash(oldHash, older.root) && sameHash(newHash, newer.root);
}
