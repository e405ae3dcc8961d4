import { canonicalJson, digestOf, type Json, type JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { type VerifyOptions, verifyBundle } from "./bundle.ts";
import { answerTo, type Changes, example, put, remade, signAs, TRUST, vector } from "./example.ts";

const answer = async (changes: Changes, options: Partial<VerifyOptions> = {}) =>
  answerTo(await remade(changes), options);

const SESSION = { method: "session", uv: false };
const bySession: Changes = { approval: put({ auth: SESSION }), without: ["passkey", "credential"] };

test("the example made again stands as the example does", async () => {
  expect(await answer({})).toBe("L3 approval succeeded");
});

describe("APR-7 levels", () => {
  test("without a log everything is the operator's word, whoever signed", async () => {
    expect(await answer({ without: ["log"] })).toBe("L1 approval succeeded not_logged");
  });

  test("a session reaches L2 and no more", async () => {
    expect(await answer(bySession)).toBe("L2 approval succeeded");
  });

  test("a passkey that did not verify the person reaches L2 at most, and is refused where one is required", async () => {
    const touched: Changes = {
      authenticatorData: (bytes) => bytes.map((byte, index) => (index === 32 ? 0x01 : byte)),
      approval: (record) => put({ auth: { ...(record["auth"] as JsonObject), uv: false } })(record),
    };
    expect(await answer(touched)).toBe("L2 approval succeeded user_not_verified");
    expect(await answer(touched, { passkeyRequired: () => true })).toBe("7 passkey user_not_verified");
    expect(await answer({ authenticatorData: touched.authenticatorData ?? ((b) => b) })).toBe(
      "7 passkey user_not_verified",
    );
  });

  test("APR-3 an operation that needs a passkey is not approved by a session, but may be refused by one", async () => {
    const passkeyRequired = (operation: string) => operation === "retail.order.submit";
    expect(await answer(bySession, { passkeyRequired })).toBe("5 approval passkey_required");
    expect(await answer(bySession, { passkeyRequired: () => false })).toBe("L2 approval succeeded");
    expect(await answer({}, { passkeyRequired })).toBe("L3 approval succeeded");
    const denied: Changes = {
      ...bySession,
      approval: put({ auth: SESSION, decision: "denied" }),
      without: ["passkey", "credential", "receipt"],
    };
    expect(await answer(denied, { passkeyRequired })).toBe("L2 denial absent");
  });
});

describe("step 1: what is read", () => {
  const text = canonicalJson(vector.bundle as Json);
  const swap = (from: string, to: string) => {
    if (!text.includes(from)) throw new Error(`the example has no ${from}`);
    return text.replace(from, to);
  };

  test.each([
    ["a duplicate member", swap('"uses":1', '"uses":1,"uses":1')],
    ["a duplicate member, escaped", swap('"uses":1', '"uses":1,"u\\u0073es":1')],
    ["1.0", swap('"uses":1', '"uses":1.0')],
    ["1e3", swap('"total_minor":4990}', '"total_minor":4.99e3}')],
    ["2^53", swap('"total_minor":4990}', '"total_minor":9007199254740992}')],
    ["a lone surrogate", swap('"Trail Lamp 200"', '"Trail Lamp \\ud800"')],
    ["null", swap('"uses":1', '"uses":null')],
    ["trailing bytes", `${text}{}`],
    ["an array", "[]"],
    ["not JSON", "countersign"],
    ["nothing", ""],
  ])("%s is refused", async (_name, input) => {
    expect(await answerTo(input)).toMatch(/^1 \w+ not_strict_json$/);
  });

  test("bytes that are not UTF-8 are refused", async () => {
    expect(await verifyBundle(new Uint8Array([0x7b, 0xff, 0x7d]), TRUST)).toMatchObject({ ok: false });
  });

  test("a value in memory obeys the same rules", async () => {
    expect(await answerTo({ ...(vector.bundle as unknown as JsonObject), disclosures: null })).toBe(
      "1 disclosures not_strict_json",
    );
    expect(await answerTo(7)).toBe("1 bundle not_strict_json");
  });

  test("an action larger or deeper than a record is refused inside a larger bundle", async () => {
    const nested = { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } };
    expect(await answer({ action: put({ terms: nested }) })).toBe("1 action not_strict_json");
    expect(await answer({ action: put({ limits: { note: "x".repeat(16_384) } }) })).toBe("1 action not_strict_json");
  });

  test.each(["action", "approval", "receipt", "keys", "typ"])(
    "%s missing, or another kind of thing",
    async (member) => {
      const bundle = (await remade()) as Record<string, Json>;
      const { [member]: _, ...rest } = bundle;
      const gone = await verifyBundle(rest, TRUST);
      const isReceipt = member === "receipt";
      expect(gone).toMatchObject({ ok: false, reason: isReceipt ? { code: "proof_unexpected" } : {} });
      expect(await answerTo({ ...bundle, [member]: 1 })).toMatch(/^1 \w+ not_this_record$/);
    },
  );

  test("unknown members are refused in the bundle and in every signed record", async () => {
    expect(await answerTo({ ...(await remade()), extra: 1 })).toBe("1 bundle not_this_record");
    for (const part of ["keys", "credential", "approval", "receipt"] as const) {
      expect(await answer({ [part]: put({ extra: 1 }) })).toBe(`1 ${part} not_this_record`);
    }
    expect(await answer({ checkpoint: put({ extra: 1 }) })).toBe("1 log not_this_record");
  });
});

describe("bundles without a decision", () => {
  const base = { typ: "countersign.bundle/1" };
  const { approval_ref: _ref, approval_digest: _digest, ...unapproved } = example.receipt;
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, unapproved[name] as Json]));
  const common = pick(["typ", "issuer", "source", "receipt_id", "task_id", "operation", "account_ref", "account_seq"]);
  const ending = { ...common, finished_at: "2026-11-30T10:10:00Z", evidence: [], merchant_records: [] };

  async function bundleOf(receipt: JsonObject, more: JsonObject = {}): Promise<JsonObject> {
    const keys = await signAs("log", "keys", example.keys);
    return { ...base, ...more, keys, receipt: await signAs("receipt", "receipt", receipt) };
  }

  test("REC-1 a read's receipt stands alone", async () => {
    const read = { ...ending, operation: "retail.orders.list", outcome: "succeeded" };
    expect(await answerTo(await bundleOf(read))).toBe("L1 receipt succeeded not_logged");
    expect(await answerTo(await bundleOf({ ...read, issuer: "https://other.example" }))).toBe("9 receipt wrong_issuer");
  });

  test("an action that nobody decided has a receipt that says so", async () => {
    const action = { action: example.action, disclosures: vector.bundle.disclosures };
    const digest = await digestOf(example.action);
    const expired = { ...ending, outcome: "expired", reason: "approval_expired", action_digest: digest };
    expect(await answerTo(await bundleOf(expired, action))).toBe("L1 receipt expired not_logged");
    expect(await answerTo(await bundleOf({ ...expired, task_id: "task_other" }, action))).toBe(
      "9 receipt links_differ",
    );
    expect(await answerTo(await bundleOf({ ...ending, outcome: "succeeded" }, action))).toBe("9 receipt links_differ");
    const committed = { ...ending, outcome: "succeeded", action_digest: digest };
    expect(await answerTo(await bundleOf(committed, action))).toBe("9 receipt committed_without_approval");
    const stray = { ...action, passkey: vector.bundle.passkey };
    expect(await answerTo(await bundleOf(expired, stray))).toBe("5 approval approval_missing");
  });

  test("a receipt that names an action or an approval does not stand without it", async () => {
    expect(await answerTo(await bundleOf(example.receipt))).toBe("9 receipt action_missing");
    const approved = { ...example.receipt, action_digest: await digestOf(example.action) };
    expect(await answerTo(await bundleOf(approved, { action: example.action }))).toBe("9 receipt approval_missing");
    const read = { ...ending, outcome: "succeeded" };
    const { passkey, credential } = vector.bundle;
    expect(await answerTo(await bundleOf(read, { passkey }))).toBe("7 passkey passkey_unexpected");
    expect(await answerTo(await bundleOf(read, { credential }))).toBe("7 credential passkey_unexpected");
  });

  test("a bundle of nothing but keys is none", async () => {
    const keys = await signAs("log", "keys", example.keys);
    expect(await answerTo({ ...base, keys })).toBe("1 bundle not_this_record");
    expect(await answerTo({ ...base, keys, approval: vector.bundle.approval })).toBe("1 bundle not_this_record");
    expect(
      await answerTo({ ...base, keys, receipt: vector.bundle.receipt, disclosures: vector.bundle.disclosures }),
    ).toBe("1 bundle not_this_record");
  });
});
