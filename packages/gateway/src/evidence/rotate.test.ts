import { keySetRecord, verifyBundle } from "@countersign/profile";
import { assert, digestOfText, type Instant, type JsonObject, parseJws } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHECKPOINT_EVERY_MS, KEY_LIFE_MS, KEY_RENEW_MS } from "../limits.ts";
import { buildBundle } from "./bundle.ts";
import { ISSUER, type LogFixture, logFixture } from "./fixture.ts";
import { rotateKeys } from "./rotate.ts";

let f: LogFixture;
afterEach(() => f.close());

/** A test of the gateway's own work: everything in it sees every row. */
function test(name: string, work: () => Promise<void>): void {
  it(name, () => f.store.as("system", work));
}

/** The bundle of a read that was settled now, logged by a process of its own. */
async function bundleOf(name: string): Promise<JsonObject> {
  await f.receipt("acct_1", name);
  await (await f.process(`p_${name}`)).run();
  return bundleAgain(name);
}

async function bundleAgain(name: string): Promise<JsonObject> {
  const task = { task_id: `task_${name}`, action_id: null, state: "succeeded" } as const;
  const bundle = await buildBundle(f, task);
  assert(bundle !== undefined, "the bundle is ready");
  return bundle;
}

/** `L2`, or the code of the refusal. */
async function answer(bundle: JsonObject, pin: string): Promise<string> {
  const report = await verifyBundle(bundle, { pin, issuer: ISSUER });
  return report.ok ? report.value.level : report.reason.code;
}

const sets = async () => {
  const rows = await f.store.db.selectFrom("key_set").selectAll().orderBy("version").execute();
  return rows.map((row) => {
    const parsed = parseJws(row.jws, { maxPayloadBytes: 64 * 1024 });
    assert(parsed.ok, "a key set is a JWS");
    return { jws: row.jws, kid: parsed.value.header.kid, record: keySetRecord.parse(parsed.value.payload) };
  });
};

const kidOf = (bundle: JsonObject, part: "receipt" | "keys") => {
  const parsed = parseJws(String(bundle[part]), { maxPayloadBytes: 64 * 1024 });
  assert(parsed.ok, "a part is a JWS");
  return parsed.value.header.kid;
};

describe.each(["sqlite", "postgres"] as const)("REC-4 keys change (%s)", (kind) => {
  beforeEach(async () => {
    f = await logFixture(kind);
  });

  test("new approval and receipt keys: the pin stays, and what was signed before verifies as after", async () => {
    const { pin } = f.keys;
    const before = await bundleOf("before");
    f.clock.now += 1_000;
    expect(await rotateKeys(f.keyDeps, { roles: ["approval", "receipt"] })).toEqual({ version: 2, pin });
    f.clock.now += 1_000;
    const after = await bundleOf("after");
    expect(kidOf(after, "receipt")).not.toBe(kidOf(before, "receipt"));
    for (const bundle of [before, after, await bundleAgain("before")]) expect(await answer(bundle, pin)).toBe("L2");
    const [first, second] = await sets();
    expect(second?.record.prev).toBe(await digestOfText(first?.jws ?? ""));
    expect(second?.record.keys.map((key) => key.role).sort()).toEqual(
      ["approval", "approval", "log", "receipt", "receipt"].sort(),
    );
  });

  test("a new log key: holders of every pin are led to the same set, by the bundle itself", async () => {
    const pins = [f.keys.pin as string];
    const before = await bundleOf("before");
    for (let n = 0; n < 3; n += 1) {
      f.clock.now += 5_000;
      pins.push((await rotateKeys(f.keyDeps, { roles: ["log"] })).pin);
    }
    expect(new Set(pins).size).toBe(4);
    const after = await bundleOf("after");
    expect(kidOf(after, "keys")).toBe(pins[3]);
    for (const pin of pins) {
      expect(await answer(after, pin)).toBe("L2");
      expect(await answer(await bundleAgain("before"), pin)).toBe("L2");
    }
    expect(await answer(before, pins[0] ?? "")).toBe("L2");
    // A bundle from before knows nothing of the new key.
    expect(await answer(before, pins[3] ?? "")).toBe("pin_not_in_keys");
  });

  test("nothing but the old key's own word leads from an old pin to a new key", async () => {
    const old = f.keys.pin;
    f.clock.now += 5_000;
    const { pin: middle } = await rotateKeys(f.keyDeps, { roles: ["log"] });
    f.clock.now += 5_000;
    await rotateKeys(f.keyDeps, { roles: ["log"] });
    const bundle = await bundleOf("after");
    const links = bundle["earlier_keys"] as string[];
    const { earlier_keys: _left, ...without } = bundle;
    expect(await answer(without, old)).toBe("not_signed_by_pin");
    expect(await answer({ ...bundle, earlier_keys: links.slice(1) }, old)).toBe("not_signed_by_pin");
    expect(await answer({ ...bundle, earlier_keys: links.slice(0, 1) }, old)).toBe("not_signed_by_pin");
    expect(await answer({ ...bundle, earlier_keys: [...links].reverse() }, old)).toBe("not_signed_by_pin");
    expect(await answer({ ...bundle, earlier_keys: links.slice(1) }, middle)).toBe("L2");
    const [header, payload, signature = ""] = (links[0] ?? "").split(".");
    const forged = `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    expect(await answer({ ...bundle, earlier_keys: [forged, ...links.slice(1)] }, old)).toBe("bad_signature");
  });

  test("a compromised receipt key: what it signs from then on counts no more, what it signed before does", async () => {
    const { pin } = f.keys;
    await bundleOf("before");
    const stolen = await f.keys.current();
    f.clock.now += 60_000;
    const suspectFrom = f.clock.now as Instant;
    f.clock.now += 60_000;
    await f.receipt("acct_1", "waiting");
    f.clock.now += 60_000;
    await rotateKeys(f.keyDeps, { roles: ["receipt"], suspectFrom });
    f.clock.now += 1_000;
    const after = await bundleOf("after");
    expect(await answer(after, pin)).toBe("L2");
    const before = await bundleAgain("before");
    const report = await verifyBundle(before, { pin, issuer: ISSUER });
    expect(report).toMatchObject({ ok: true, value: { level: "L2", notes: ["key_later_suspect"] } });
    // A receipt that waited for its signature since the key became suspect is signed with the new one.
    expect(await answer(await bundleAgain("waiting"), pin)).toBe("L2");
    const parsed = parseJws(String(after["receipt"]));
    assert(parsed.ok, "a receipt is a JWS");
    const forged = await stolen.sign("receipt", "receipt", parsed.value.payload);
    expect(await answer({ ...after, receipt: forged }, pin)).toBe("key_suspect");
  });

  test("a compromised log key introduces nobody: its pin ends, the new one has to come another way", async () => {
    const old = f.keys.pin;
    const before = await bundleOf("before");
    f.clock.now += 60_000;
    const { pin } = await rotateKeys(f.keyDeps, { roles: ["log"], suspectFrom: (f.clock.now - 1_000) as Instant });
    f.clock.now += 1_000;
    const after = await bundleOf("after");
    expect([await answer(after, pin), await answer(after, old)]).toEqual(["L2", "not_signed_by_pin"]);
    // What a holder of the old pin kept from before goes on verifying under it.
    expect(await answer(before, old)).toBe("L2");
    expect((await sets()).map((set) => set.kid)).toEqual([old, pin]);
  });

  test("two operators at once: one version after the other, none lost", async () => {
    await Promise.all([
      rotateKeys(f.keyDeps, { roles: ["receipt"] }),
      rotateKeys(f.keyDeps, { roles: ["log"] }),
      rotateKeys(f.keyDeps, { roles: ["approval"] }),
    ]);
    const made = await sets();
    expect(made.map((set) => set.record.version)).toEqual([1, 2, 3, 4, 5]);
    for (const [at, set] of made.entries())
      expect(set.record.prev).toBe(at === 0 ? "" : await digestOfText(made[at - 1]?.jws ?? ""));
    expect(await answer(await bundleOf("after"), f.keys.pin)).toBe("L2");
  });

  test("a running process signs with the new keys from the next signature on", async () => {
    const running = await f.process("running");
    await f.receipt("acct_1", "a");
    await running.run();
    await rotateKeys(f.keyDeps, { roles: ["receipt", "log"] });
    f.clock.now += 1_000;
    await f.receipt("acct_1", "b");
    await running.run();
    const newest = (await sets()).at(-1);
    const receiptKeys = newest?.record.keys.filter((key) => key.role === "receipt") ?? [];
    const lasting = receiptKeys.sort((a, b) => (a.not_after < b.not_after ? 1 : -1))[0];
    expect(kidOf(await bundleAgain("b"), "receipt")).toBe(lasting?.kid);
    await f.keys.current();
    expect(f.keys.pin).toBe(newest?.kid);
  });

  test("keys are replaced before they end, and a year later everything still verifies", async () => {
    const first = f.keys.pin;
    await bundleOf("first");
    for (let month = 1; month <= 26; month += 1) {
      f.clock.now += KEY_RENEW_MS - CHECKPOINT_EVERY_MS;
      await bundleOf(`m_${month}`);
    }
    expect(f.clock.now).toBeGreaterThan(Date.UTC(2031, 4, 1) + 2 * KEY_LIFE_MS);
    await f.keys.current();
    expect(f.keys.pin).not.toBe(first);
    for (const name of ["first", "m_11", "m_12", "m_26"])
      for (const pin of [first, f.keys.pin]) expect(await answer(await bundleAgain(name), pin)).toBe("L2");
  });
});
