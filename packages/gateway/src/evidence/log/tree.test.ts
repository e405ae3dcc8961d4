import {
  consistencyPath,
  type Hash,
  inclusionPath,
  leafBytes,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from "@countersign/profile";
import { digestOfText } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  consistencySpans,
  foldRight,
  grow,
  hashLeaf,
  inclusionSpans,
  nodeNumber,
  type Peak,
  type Span,
  subtrees,
} from "./tree.ts";

const LEAVES_MAX = 140;

/** A log that grew by batches of these sizes, as the sequencer would have it stored. */
async function grown(batches: readonly number[]) {
  const leaves: Uint8Array[] = [];
  const stored = new Map<number, Uint8Array>();
  let peaks: readonly Peak[] = [];
  let root: Uint8Array | undefined;
  for (const count of batches) {
    const more = await Promise.all(
      Array.from({ length: count }, async (_, at) =>
        hashLeaf("receipt", await digestOfText(`leaf ${leaves.length + at}`)),
      ),
    );
    const next = grow(leaves.length, peaks, more);
    for (const { number, hash } of next.nodes) {
      expect(stored.has(number)).toBe(false);
      stored.set(number, hash);
    }
    leaves.push(...more);
    ({ peaks, root } = next);
  }
  const rootOfSpan = (span: Span) => foldRight(subtrees(span).map(({ number }) => stored.get(number) ?? fail(number)));
  return { leaves: leaves.map((leaf) => new Uint8Array(leaf)) as Hash[], root, rootOfSpan };
}

function fail(number: number): never {
  throw new Error(`node ${number} is not stored`);
}

const batches = fc
  .array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
  .filter((sizes) => sizes.reduce((sum, size) => sum + size, 0) <= LEAVES_MAX);
const plain = (hash: Uint8Array | undefined) => Buffer.from(hash ?? []).toString("hex");

describe("REC-4 the stored tree against a naive one", () => {
  it("a leaf's hash is the verifier's", async () => {
    const digest = await digestOfText("a record");
    expect(plain(hashLeaf("approval", digest))).toBe(plain(await leafHash(leafBytes("approval", digest))));
  });

  it("has the same root, whatever the batches were", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (sizes) => {
        const { leaves, root } = await grown(sizes);
        expect(plain(root)).toBe(plain(await rootOf(leaves)));
      }),
      { numRuns: 40 },
    );
  });

  it("proves inclusion of each leaf in each size", async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat(), fc.nat(), async (sizes, sizePick, indexPick) => {
        const { leaves, rootOfSpan } = await grown(sizes);
        const size = 1 + (sizePick % leaves.length);
        const index = indexPick % size;
        const path = inclusionSpans(index, size).map((span) => new Uint8Array(rootOfSpan(span)) as Hash);
        expect(path.map(plain)).toEqual((await inclusionPath(leaves.slice(0, size), index)).map(plain));
        const root = await rootOf(leaves.slice(0, size));
        const leaf = leaves[index] ?? fail(index);
        expect(await verifyInclusion({ leaf, index, size, path, root })).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("proves that each size continues each smaller one", async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.nat(), fc.nat(), async (sizes, newPick, oldPick) => {
        const { leaves, rootOfSpan } = await grown(sizes);
        const size = 1 + (newPick % leaves.length);
        const older = 1 + (oldPick % size);
        const path = consistencySpans(older, size).map((span) => new Uint8Array(rootOfSpan(span)) as Hash);
        expect(path.map(plain)).toEqual((await consistencyPath(leaves.slice(0, size), older)).map(plain));
        const heads = [older, size].map(async (n) => ({ size: n, root: await rootOf(leaves.slice(0, n)) }));
        const [before, after] = await Promise.all(heads);
        if (before === undefined || after === undefined) throw new Error("two heads");
        expect(await verifyConsistency(before, after, path)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("reads a number of nodes that grows with the logarithm of the log", () => {
    const log2 = (n: number) => Math.ceil(Math.log2(n));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2 ** 45 }), fc.double({ min: 0, max: 1, noNaN: true }), (size, part) => {
        const index = Math.min(size - 1, Math.floor(size * part));
        const nodes = (spans: readonly Span[]) => spans.flatMap(subtrees).length;
        expect(nodes(inclusionSpans(index, size))).toBeLessThanOrEqual(2 * log2(size));
        expect(nodes(consistencySpans(index + 1, size))).toBeLessThanOrEqual(2 * log2(size) + 2);
      }),
    );
  });

  it("numbers every complete subtree differently, and exactly", () => {
    const numbers = new Set<number>();
    for (let level = 0; level < 8; level += 1)
      for (let position = 0; position < 128; position += 1) numbers.add(nodeNumber(level, position));
    expect(numbers.size).toBe(8 * 128);
    expect(Number.isSafeInteger(nodeNumber(0, 2 ** 51))).toBe(true);
  });
});
