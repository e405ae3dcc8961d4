import {
  type Hash,
  leafBytes,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
  verifyKeySet,
  verifyReceipt,
} from "@countersign/profile";
import { assert, fromBase64Url, parseJws, toBase64Url } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHECKPOINT_EVERY_MS, LOG_BATCH } from "../limits.ts";
import type { Point } from "../points.ts";
import { ISSUER, type LogFixture, logFixture } from "./fixture.ts";
import { latestCheckpoint } from "./log/checkpoints.ts";
import { TURN_MS } from "./log/lease.ts";
import { proveConsistency, proveTogether } from "./log/proofs.ts";

let f: LogFixture;
afterEach(() => f.close());

/** A test of the gateway's own work: everything in it sees every row. */
function test(name: string, work: () => Promise<void>): void {
  it(name, () => f.store.as("system", work));
}

const leaves = () => f.store.db.selectFrom("leaf").selectAll().orderBy("log_index").execute();
const logged = async () => (await leaves()).filter((leaf) => leaf.log_index !== null);

/** The log holds together: dense places, each account numbered without a gap, and a signed root over exactly that. */
async function expectWhole(): Promise<void> {
  const rows = await logged();
  expect(rows.map((row) => row.log_index)).toEqual(rows.map((_, at) => at));
  const byAccount = new Map<string, (number | null)[]>();
  for (const row of rows.filter((r) => r.kind === "receipt"))
    byAccount.set(row.account_ref, [...(byAccount.get(row.account_ref) ?? []), row.account_seq]);
  for (const numbers of byAccount.values()) expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  const hashes = await Promise.all(rows.map((row) => leafHash(leafBytes(row.kind, row.digest ?? ""))));
  const checkpoint = await latestCheckpoint(f.store.db);
  const parsed = parseJws(checkpoint?.jws ?? "");
  assert(parsed.ok, "a checkpoint is a JWS");
  expect(parsed.value.payload).toMatchObject({ size: rows.length, root: toBase64Url(await rootOf(hashes)) });
}

/** A process that stops between signing and storing, once, until it is let go on. */
async function pausing() {
  const gate = { open: () => {}, reached: () => {} };
  const paused = new Promise<void>((resolve) => {
    gate.reached = resolve;
  });
  let first = true;
  const slow = await f.process("slow", (point) => {
    if (point !== "receipt.signed" || !first) return;
    first = false;
    return new Promise<void>((resolve) => {
      gate.open = resolve;
      gate.reached();
    });
  });
  return { slow, paused, open: () => gate.open() };
}

describe.each(["sqlite", "postgres"] as const)("REC-4 the sequencer (%s)", (kind) => {
  beforeEach(async () => {
    f = await logFixture(kind);
  });

  test("gives everything that waits its place, in order, and numbers receipts per account", async () => {
    const one = await f.process("one");
    await f.approval("a");
    await f.receipt("acct_1", "a");
    await f.receipt("acct_2", "b");
    await f.receipt("acct_1", "c");
    expect(await one.run()).toBe(5);
    expect(await one.run()).toBe(0);
    const rows = await logged();
    expect(rows.map((row) => row.record_id)).toEqual(["keys_1", "apr_a", "rcp_a", "rcp_b", "rcp_c"]);
    expect(rows.map((row) => row.account_seq)).toEqual([null, null, 1, 1, 2]);
    await expectWhole();
    const keys = await verifyKeySet(f.keys.keySet, f.keys.pin, ISSUER);
    assert(keys.ok, "the key set verifies");
    for (const row of rows.filter((r) => r.kind === "receipt"))
      expect(await verifyReceipt(row.jws ?? "", keys.value)).toMatchObject({
        ok: true,
        value: { record: { account_seq: row.account_seq } },
      });
  });

  test("takes many at once: a batch is one transaction and one checkpoint", async () => {
    const one = await f.process("one");
    for (let n = 0; n < LOG_BATCH + 20; n += 1) await f.receipt(`acct_${n % 3}`, String(n));
    expect(await one.run()).toBe(LOG_BATCH);
    expect(await one.run()).toBe(21);
    await expectWhole();
    const checkpoints = await f.store.db.selectFrom("log_checkpoint").select("size").execute();
    expect(checkpoints.map((row) => row.size)).toEqual([LOG_BATCH, LOG_BATCH + 21]);
  });

  test("a leaf that cannot be signed is set aside: the others go on, and no number is spent on it", async () => {
    const one = await f.process("one");
    await f.receipt("acct_1", "a");
    await f.receipt("acct_1", "tab");
    await f.receipt("acct_1", "text");
    await f.receipt("acct_1", "when");
    await f.receipt("acct_1", "b");
    const poison = async (name: string, change: (payload: string) => string) => {
      const { payload } = (await leaves()).find((leaf) => leaf.record_id === `rcp_${name}`) ?? { payload: "" };
      const changed = { payload: change(payload) };
      await f.store.db.updateTable("leaf").set(changed).where("record_id", "=", `rcp_${name}`).execute();
    };
    await poison("tab", (text) => text.replace("retail", "retail\\t"));
    await poison("text", () => "no record");
    // Within the profile; but no key was good at that time.
    await poison("when", (text) => text.replace(/"finished_at":"[^"]+"/, '"finished_at":"1999-01-01T00:00:00Z"'));
    expect(await one.run()).toBe(3);
    await f.receipt("acct_1", "c");
    expect(await one.run()).toBe(1);
    expect((await logged()).map((row) => row.record_id)).toEqual(["keys_1", "rcp_a", "rcp_b", "rcp_c"]);
    expect((await leaves()).filter((leaf) => leaf.log_index === null)).toHaveLength(3);
    expect(f.errors).toEqual(["log.leaf_set_aside", "log.leaf_set_aside", "log.leaf_set_aside"]);
    await expectWhole();
  });

  test("signs a checkpoint at least every hour, whether anything happened or not", async () => {
    const one = await f.process("one");
    await f.receipt("acct_1", "a");
    await one.run();
    const before = await latestCheckpoint(f.store.db);
    f.clock.now += CHECKPOINT_EVERY_MS - 1_000;
    await one.run();
    expect(await latestCheckpoint(f.store.db)).toEqual(before);
    f.clock.now += 61_000;
    await one.run();
    const after = await latestCheckpoint(f.store.db);
    expect([after?.size, after?.time]).toEqual([before?.size, f.clock.now]);
    await expectWhole();
  });

  it.each(["receipt.before_sign", "receipt.signed", "receipt.logged"] satisfies Point[])(
    "a crash at %s leaves nothing half done, and what was signed in vain nobody has seen",
    (at) =>
      f.store.as("system", async () => {
        let dies = false;
        const one = await f.process("one", (point) => {
          if (dies && point === at) throw new Error("killed");
        });
        await f.receipt("acct_1", "a");
        await one.run();
        const before = await logged();
        await f.receipt("acct_1", "b");
        await f.receipt("acct_2", "c");
        dies = true;
        await expect(one.run()).rejects.toThrow("killed");
        expect((await logged()).length).toBe(at === "receipt.logged" ? 4 : 2);
        f.clock.now += TURN_MS;
        const two = await f.process("two");
        expect(await two.run()).toBe(at === "receipt.logged" ? 0 : 2);
        await expectWhole();
        // What had its place keeps it, to the letter.
        expect((await logged()).slice(0, 2)).toEqual(before);
      }),
  );

  test("of two processes only the later holder writes; the earlier finds that out in its own transaction", async () => {
    await f.receipt("acct_1", "a");
    const { slow, paused, open } = await pausing();
    const running = slow.run();
    await paused;
    const other = await f.process("other");
    expect(await other.run()).toBe(0);
    // The slow one seems dead: its turn has run out.
    f.clock.now += TURN_MS;
    expect(await other.run()).toBe(2);
    const written = await logged();
    await f.receipt("acct_1", "b");
    open();
    // Its batch is refused, and it begins again on top of what the other did.
    expect(await running).toBe(1);
    await expectWhole();
    expect((await logged()).slice(0, 2)).toEqual(written);
  });

  test("a checkpoint that comes too late is refused: it would take back what the other has logged", async () => {
    const { slow, paused, open } = await pausing();
    const one = await f.process("one");
    await one.run();
    f.clock.now += CHECKPOINT_EVERY_MS;
    const running = slow.run();
    await paused;
    f.clock.now += TURN_MS;
    await f.receipt("acct_1", "a");
    expect(await one.run()).toBe(1);
    open();
    expect(await running).toBe(0);
    await expectWhole();
  });

  test("many processes at once: one log", async () => {
    const processes = await Promise.all(["a", "b", "c"].map((owner) => f.process(owner)));
    for (let round = 0; round < 8; round += 1) {
      await Promise.all(
        processes.map(async (sequencer, at) => {
          await f.receipt(`acct_${at % 2}`, `${round}_${at}`);
          expect(await sequencer.hasLogged(`rcp_${round}_${at}`)).toBe(true);
        }),
      );
    }
    await expectWhole();
    expect((await logged()).length).toBe(25);
  });
});

describe.each(["sqlite", "postgres"] as const)("REC-4 a log that was tampered with shows (%s)", (kind) => {
  beforeEach(async () => {
    f = await logFixture(kind);
  });

  async function filled(): Promise<{ readonly size: number; readonly checkpoint: string }> {
    const one = await f.process("one");
    for (const name of ["a", "b", "c", "d", "e"]) await f.receipt("acct_1", name);
    await one.run();
    const checkpoint = await latestCheckpoint(f.store.db);
    assert(checkpoint !== undefined, "there is a checkpoint");
    return { size: checkpoint.size, checkpoint: checkpoint.jws };
  }

  test("a receipt that was taken out leaves a gap in the numbers of its account, and in the log", async () => {
    await filled();
    await f.store.db.deleteFrom("leaf").where("record_id", "=", "rcp_c").execute();
    const rows = await logged();
    expect(rows.map((row) => row.account_seq)).toEqual([null, 1, 2, 4, 5]);
    expect(rows.map((row) => row.log_index)).toEqual([0, 1, 2, 4, 5]);
  });

  test("a history written anew without it does not continue a checkpoint that somebody holds", async () => {
    const held = await filled();
    // The whole log made again, as an operator could who has every key: one receipt less, another at the end.
    await f.store.db.deleteFrom("leaf").where("record_id", "=", "rcp_c").execute();
    await f.store.db.deleteFrom("log_node").execute();
    await f.store.db.deleteFrom("log_checkpoint").execute();
    await f.store.db.updateTable("leaf").set({ log_index: null, account_seq: null, digest: null }).execute();
    await f.store.db.updateTable("leaf").set({ jws: null }).where("kind", "=", "receipt").execute();
    await f.receipt("acct_1", "f");
    await f.receipt("acct_1", "g");
    const two = await f.process("two");
    expect(await two.run()).toBe(7);
    await expectWhole();
    const proof = await proveConsistency(f.store.db, held.size, undefined);
    assert(proof.ok, "it answers with some proof");
    expect(
      await verifyConsistency(head(held.checkpoint), head(proof.value.checkpoint), proof.value.consistency.map(hash)),
    ).toBe(false);
  });

  test("proofs under the newest checkpoint lead to every record, and to no other digest", async () => {
    await filled();
    const rows = await logged();
    const records = rows.map((row) => ({ part: row.record_id, kind: row.kind, digest: row.digest ?? "" }));
    const proven = await proveTogether(f.store.db, records);
    assert(proven !== undefined, "everything has its place");
    const { size, root } = head(proven.checkpoint);
    for (const [at, record] of records.entries()) {
      const proof = proven.proofs.get(record.part);
      assert(proof !== undefined, "a proof for each");
      const path = proof.path.map(hash);
      const leaf = await leafHash(leafBytes(record.kind, record.digest));
      expect(await verifyInclusion({ leaf, index: proof.index, size, path, root })).toBe(true);
      const other = await leafHash(leafBytes(record.kind, records[(at + 1) % records.length]?.digest ?? ""));
      expect(await verifyInclusion({ leaf: other, index: proof.index, size, path, root })).toBe(false);
    }
    const unknown = { part: "x", kind: "receipt", digest: toBase64Url(new Uint8Array(32)) } as const;
    expect(await proveTogether(f.store.db, [unknown])).toBeUndefined();
  });
});

function hash(text: string): Hash {
  const bytes = fromBase64Url(text);
  assert(bytes.ok, "a hash in base64url");
  return new Uint8Array(bytes.value);
}

function head(checkpoint: string): { readonly size: number; readonly root: Hash } {
  const parsed = parseJws(checkpoint);
  assert(parsed.ok, "a checkpoint is a JWS");
  const { size, root } = parsed.value.payload;
  return { size: Number(size), root: hash(String(root)) };
}
