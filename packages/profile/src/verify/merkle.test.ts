import { toBase64Url } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import vector from "../../fixtures/evidence.json" with { type: "json" };
import {
  consistencyPath,
  type Hash,
  inclusionPath,
  leafBytes,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from "./merkle.ts";

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text: string) => new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));

async function leavesOf(count: number): Promise<readonly Hash[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => leafHash(leafBytes("receipt", `${index}`))));
}

/** Another way to the same root: pair up level by level, an odd one out moves up unchanged. */
async function rootByLevels(leaves: readonly Hash[]): Promise<Hash | undefined> {
  let level = [...leaves];
  while (level.length > 1) {
    const above: Hash[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      if (left === undefined) break;
      if (right === undefined) {
        above.push(left);
      } else {
        const node = new Uint8Array([1, ...left, ...right]);
        above.push(new Uint8Array(await crypto.subtle.digest("SHA-256", node)));
      }
    }
    level = above;
  }
  return level[0];
}

const flip = (hash: Hash) => new Uint8Array([...hash].map((byte, index) => (index === 7 ? byte ^ 1 : byte)));

describe("known trees", () => {
  // The trees that certificate transparency implementations test with.
  const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];

  test("no leaf, one leaf and eight leaves", async () => {
    const leaves = await Promise.all(inputs.map((input) => leafHash(fromHex(input))));
    expect(hex(await rootOf([]))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(await rootOf(leaves.slice(0, 1)))).toBe(
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    );
    expect(hex(await rootOf(leaves))).toBe("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
  });

  test("REC-4 the worked example's leaves, roots and consistency proof", async () => {
    const { bundle, digests, leaf_hashes: hashes } = vector;
    const leaf = async (kind: string, digest: string) => toBase64Url(await leafHash(leafBytes(kind, digest)));
    expect(await leaf("keys", digests.keys)).toBe(hashes[bundle.log.keys.index]);
    expect(await leaf("credential", digests.credential)).toBe(hashes[bundle.log.credential.index]);
    expect(await leaf("approval", digests.approval)).toBe(hashes[bundle.log.approval.index]);
    expect(await leaf("receipt", digests.receipt)).toBe(hashes[bundle.log.receipt.index]);
    const leaves = hashes.map(bytesOf);
    expect(toBase64Url(await rootOf(leaves.slice(0, 5)))).toBe(vector.roots["5"]);
    expect(toBase64Url(await rootOf(leaves))).toBe(vector.roots["7"]);
    expect((await consistencyPath(leaves, 5)).map((hash) => toBase64Url(hash))).toEqual(vector.consistency_5_to_7);
    expect((await inclusionPath(leaves, 4)).map((hash) => toBase64Url(hash))).toEqual(bundle.log.approval.path);
  });
});

function bytesOf(text: string): Hash {
  return new Uint8Array(Buffer.from(text, "base64url"));
}

describe("properties", () => {
  test("the root is the same by another way", async () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = await leavesOf(size);
      expect(await rootByLevels(leaves)).toEqual(await rootOf(leaves));
    }
  });

  test("REC-4 each leaf is included, and under no other leaf, index, size, path or root", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, pick, other) => {
        const leaves = await leavesOf(size);
        const index = pick % size;
        const leaf = leaves[index] as Hash;
        const root = await rootOf(leaves);
        const path = await inclusionPath(leaves, index);
        const proof = { leaf, index, size, path, root };
        expect(await verifyInclusion(proof)).toBe(true);
        expect(await verifyInclusion({ ...proof, leaf: flip(leaf) })).toBe(false);
        expect(await verifyInclusion({ ...proof, root: flip(root) })).toBe(false);
        expect(await verifyInclusion({ ...proof, path: [...path, leaf] })).toBe(false);
        for (const wrong of [-1, 0.5, size, Number.NaN]) {
          expect(await verifyInclusion({ ...proof, index: wrong })).toBe(false);
        }
        if (size > 1) {
          const wrongIndex = (index + 1 + (other % (size - 1))) % size;
          expect(await verifyInclusion({ ...proof, index: wrongIndex })).toBe(false);
          expect(await verifyInclusion({ ...proof, path: path.slice(1) })).toBe(false);
          expect(await verifyInclusion({ ...proof, path: path.slice(0, -1) })).toBe(false);
          const at = other % path.length;
          expect(await verifyInclusion({ ...proof, path: path.map((h, i) => (i === at ? flip(h) : h)) })).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("REC-4 a tree that grew is consistent; one that lost or changed a leaf is not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, pick, other) => {
        const leaves = await leavesOf(size);
        const oldSize = 1 + (pick % size);
        const older = { size: oldSize, root: await rootOf(leaves.slice(0, oldSize)) };
        const newer = { size, root: await rootOf(leaves) };
        const path = await consistencyPath(leaves, oldSize);
        expect(await verifyConsistency(older, newer, path)).toBe(true);
        expect(await verifyConsistency({ ...older, root: flip(older.root) }, newer, path)).toBe(false);
        expect(await verifyConsistency(older, { ...newer, root: flip(newer.root) }, path)).toBe(false);
        expect(await verifyConsistency(older, newer, [...path, older.root])).toBe(false);
        if (oldSize < size) {
          expect(await verifyConsistency(newer, older, path)).toBe(false);
          expect(await verifyConsistency(older, newer, path.slice(1))).toBe(false);
          expect(await verifyConsistency(older, newer, [])).toBe(false);
          // The log rewrote a leaf that the holder has seen, and proves the new tree as well as it can.
          const rewritten = leaves.map((leaf, index) => (index === other % oldSize ? flip(leaf) : leaf));
          const forged = { size, root: await rootOf(rewritten) };
          expect(await verifyConsistency(older, forged, await consistencyPath(rewritten, oldSize))).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("sizes that are no sizes are refused", async () => {
    const root = await rootOf(await leavesOf(1));
    for (const size of [0, -1, 1.5, Number.NaN]) {
      expect(await verifyConsistency({ size, root }, { size: 1, root }, [])).toBe(false);
      expect(await verifyInclusion({ leaf: root, index: 0, size, path: [], root })).toBe(false);
    }
  });
});
