import { canonicalJson, digestOf, type Json, type JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { makeDisclosure } from "../records/disclosure.ts";
import { type VerifyOptions, verifyBundle } from "./bundle.ts";
import { type Changes, example, remade, signAs, TRUST, vector } from "./example.ts";

async function answerTo(bundle: Json, options: Partial<VerifyOptions> = {}): Promise<string> {
  const report = await verifyBundle(bundle, { ...TRUST, ...options });
  if (!report.ok) return `${report.reason.step} ${report.reason.part} ${report.reason.code}`;
  const { level, proves, receipt, notes } = report.value;
  return [level, proves, receipt, ...notes].join(" ");
}

const answer = async (changes: Changes, options: Partial<VerifyOptions> = {}) =>
  answerTo(await remade(changes), options);

/** A record with some members replaced; undefined takes one out. */
const put =
  (members: Readonly<Record<string, Json | undefined>>) =>
  (record: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries({ ...record, ...members }).filter((entry): entry is [string, Json] => entry[1] !== undefined),
    );

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

describe("step 2 and keys: roles and times", () => {
  const listed = example.keys["keys"] as readonly JsonObject[];
  const withKey = (role: string, members: Readonly<Record<string, Json | undefined>>): Changes => ({
    keys: put({ keys: listed.map((key) => (key["role"] === role ? put(members)(key) : key)) }),
  });

  test.each([
    ["keys", "receipt", "2 keys not_signed_by_pin"],
    ["credential", "receipt", "7 credential wrong_role"],
    ["approval", "receipt", "5 approval wrong_role"],
    ["approval", "log", "5 approval wrong_role"],
    ["receipt", "approval", "9 receipt wrong_role"],
    ["receipt", "log", "9 receipt wrong_role"],
    ["checkpoint", "receipt", "3 log wrong_role"],
    ["checkpoint", "approval", "3 log wrong_role"],
  ] as const)("APR-3 %s signed by the %s key: %s", async (kind, by, expected) => {
    expect(await answer({ signers: { [kind]: by } })).toBe(expected);
  });

  test("a key that is not listed signs nothing", async () => {
    const without = (role: string) => put({ keys: listed.filter((key) => key["role"] !== role) });
    expect(await answer({ keys: without("approval") })).toBe("5 approval unknown_key");
    expect(await answer({ keys: without("receipt") })).toBe("9 receipt unknown_key");
    expect(await answer({ keys: without("log") })).toBe("2 keys pin_not_in_keys");
  });

  test("a key after not_after, before not_before, or suspect is refused; before its suspicion it is reported", async () => {
    const past = { not_before: "2025-01-01T00:00:00Z" };
    expect(
      await answer(withKey("approval", { not_before: "2026-10-30T00:00:00Z", not_after: "2026-11-30T10:00:41Z" })),
    ).toBe("5 approval key_not_valid_then");
    expect(
      await answer(withKey("approval", { not_before: "2026-10-30T00:00:00Z", not_after: "2026-11-30T10:00:42Z" })),
    ).toBe("L3 approval succeeded");
    expect(await answer(withKey("approval", { not_before: "2026-11-01T00:00:00Z" }))).toBe(
      "7 credential key_not_valid_then",
    );
    expect(await answer(withKey("receipt", { ...past, not_after: "2026-11-30T10:00:52Z" }))).toBe(
      "9 receipt key_not_valid_then",
    );
    expect(await answer(withKey("log", { not_after: "2026-11-30T10:00:54Z" }))).toBe("3 log key_not_valid_then");
    expect(await answer(withKey("log", { not_before: "2026-10-02T00:00:00Z" }))).toBe("2 keys key_not_valid_then");
    const suspect = { suspect_from: "2026-11-30T10:00:42Z", revoked_at: "2026-12-01T00:00:00Z" };
    expect(await answer(withKey("approval", suspect))).toBe("5 approval key_suspect");
    expect(await answer(withKey("receipt", suspect))).toBe("9 receipt key_suspect");
    const later = { suspect_from: "2026-11-30T10:00:54Z", revoked_at: "2026-12-01T00:00:00Z" };
    expect(await answer(withKey("receipt", later))).toBe("L3 approval succeeded key_later_suspect");
    const inverted = { suspect_from: "2026-12-02T00:00:00Z", revoked_at: "2026-11-30T10:00:40Z" };
    expect(await answer(withKey("approval", inverted))).toBe("5 approval key_not_valid_then");
  });

  test("a listed key is what its kid says, and nothing private", async () => {
    const [first, second] = listed;
    const swapped = { x: second?.["x"], y: second?.["y"] };
    expect(await answer(withKey("approval", swapped))).toBe("2 keys bad_key");
    expect(await answer(withKey("receipt", { d: first?.["x"] ?? "" }))).toBe("1 keys not_this_record");
    expect(await answer({ keys: put({ keys: [...listed, ...listed] }) })).toBe("1 keys not_this_record");
  });
});

describe("step 3: the log", () => {
  const held = { checkpoint: vector.checkpoint_size_5, consistency: vector.consistency_5_to_7 };

  test("REC-4 a held checkpoint that the log does not continue is an alarm", async () => {
    const [first = "", ...rest] = held.consistency;
    const bundle = vector.bundle as Json;
    expect(await answerTo(bundle, { olderCheckpoint: held })).toContain("held_checkpoint_consistent");
    for (const consistency of [[], rest, [...rest, first], ["malformed"]]) {
      expect(await answerTo(bundle, { olderCheckpoint: { ...held, consistency } })).toBe("3 log log_inconsistent");
    }
    const forked = await signAs("log", "checkpoint", { ...example.checkpoint, size: 5 });
    expect(await answerTo(bundle, { olderCheckpoint: { ...held, checkpoint: forked } })).toBe("3 log log_inconsistent");
    const elsewhere = await signAs("log", "checkpoint", {
      ...example.checkpoint,
      log: "https://gateway.example/other",
    });
    expect(await answerTo(bundle, { olderCheckpoint: { checkpoint: elsewhere, consistency: [] } })).toBe(
      "3 log wrong_log",
    );
    const strangers = await signAs("receipt", "checkpoint", example.checkpoint);
    expect(await answerTo(bundle, { olderCheckpoint: { ...held, checkpoint: strangers } })).toBe("3 log wrong_role");
  });

  test("a bundle older than what the reader holds is compared the other way round", async () => {
    const bundle = { ...(vector.bundle as unknown as JsonObject) };
    const { receipt: _receipt, ...older } = bundle;
    const olderCheckpoint = { checkpoint: vector.bundle.log.checkpoint, consistency: held.consistency };
    // The five-leaf tree holds the approval; its proofs there are not in the example, so step 8 refuses, not step 3.
    const log = { ...(bundle["log"] as JsonObject), checkpoint: vector.checkpoint_size_5 };
    expect(await answerTo({ ...older, log }, { olderCheckpoint })).toBe("8 keys not_in_log");
  });

  test("somebody who holds a checkpoint knows that there is a log", async () => {
    expect(await answer({ without: ["log"] }, { olderCheckpoint: held })).toBe("3 log log_missing");
  });

  test("another operator's log is not this one's", async () => {
    expect(await answer({ checkpoint: put({ log: "https://gateway.example.evil/log" }) })).toBe("3 log wrong_log");
  });
});

describe("step 5: the approval", () => {
  test.each([
    ["another action", { action_digest: vector.digests.request }, "digest_differs"],
    ["another action id", { action_id: "act_other" }, "ids_differ"],
    ["another task", { task_id: "task_other" }, "ids_differ"],
    ["another holder", { account_holder: "usr_other" }, "holder_differs"],
    ["another issuer", { issuer: "https://other.example" }, "wrong_issuer"],
    ["before the record was made", { decided_at: "2026-11-30T09:59:59Z" }, "outside_window"],
    [
      "after the record ran out",
      { decided_at: "2026-11-30T10:10:01Z", commit_before: "2026-11-30T10:10:02Z" },
      "outside_window",
    ],
    ["a commit allowed after the record ran out", { commit_before: "2026-11-30T10:10:01Z" }, "outside_window"],
    ["a commit allowed only before the decision", { commit_before: "2026-11-30T10:00:41Z" }, "outside_window"],
  ])("APR-2 of %s", async (_name, members, code) => {
    expect(await answer({ approval: put(members) })).toBe(`5 approval ${code}`);
  });

  test("APR-2 what was shown is the record's own display text", async () => {
    const surface = { ...(example.approval["surface"] as JsonObject), display_digest: vector.digests.ship_to };
    expect(await answer({ approval: put({ surface }) })).toBe("5 approval display_digest_differs");
    expect(await answer({ action: put({ private: {} }) })).toMatch(/^(6 disclosures|5 approval) /);
  });

  test("APR-3 a denied decision is not an approval, and nothing commits under it", async () => {
    const denied = put({ decision: "denied" });
    expect(await answer({ approval: denied, without: ["receipt"] })).toBe("L3 denial absent");
    expect(await answer({ approval: denied })).toBe("9 receipt committed_without_approval");
    const receipt = put({
      outcome: "denied",
      reason: "refused_by_holder",
      commit_started_at: undefined,
      attempt: undefined,
      destination: undefined,
      observed: undefined,
    });
    const refused = await remade({ approval: denied, receipt: (record) => receipt(record) });
    expect(await answerTo(refused)).toBe("L3 denial denied");
  });

  test("methods that this verifier does not know fail closed", async () => {
    for (const method of ["openid4vp", "spc"]) {
      expect(await answer({ approval: put({ auth: { method, uv: true } }) })).toBe("5 approval method_not_verifiable");
    }
    expect(await answer({ approval: put({ auth: { method: "agent", uv: true } }) })).toBe("1 approval not_this_record");
  });

  test("a session that claims user verification is no session", async () => {
    const auth = { method: "session", uv: true };
    expect(await answer({ approval: put({ auth }), without: ["passkey", "credential"] })).toBe(
      "1 approval not_this_record",
    );
  });
});

describe("step 6: what was shown", () => {
  const salt = "AAAAAAAAAAAAAAAAAAAAAA";

  async function withDisclosures(texts: Readonly<Record<string, string>>) {
    const made = await Promise.all(
      Object.entries(texts).map(async ([name, value]) => ({ name, ...(await makeDisclosure({ salt, name, value })) })),
    );
    const fields = Object.fromEntries(made.map(({ name, digest }) => [name, digest]));
    const surface = { ...(example.approval["surface"] as JsonObject), display_digest: fields["display_text"] ?? "" };
    const bundle = await remade({ action: put({ private: fields }), approval: put({ surface }) });
    return { bundle: bundle as Record<string, Json>, disclosures: made.map(({ disclosure }) => disclosure) };
  }

  test("drawn again it must be the text that was shown", async () => {
    const { bundle, disclosures } = await withDisclosures({ display_text: "Pay 49.90?", ship_to: "12 Sample Street" });
    const full = { ...bundle, disclosures };
    const report = await verifyBundle(full, {
      ...TRUST,
      render(record, personal, surface) {
        expect(personal).toEqual({ ship_to: "12 Sample Street" });
        expect(surface.version).toBe("1.3.0");
        return `Pay ${Number(record.terms["total_minor"]) / 100}0?`;
      },
    });
    expect(report).toMatchObject({ ok: true, value: { display: "checked", rendering: "same" } });
    expect(await answerTo(full, { render: () => "Pay 4.99?" })).toBe("6 disclosures display_differs");
    // A version that is not known here, or a field withheld: the digest alone speaks.
    expect(await verifyBundle(full, { ...TRUST, render: () => undefined })).toMatchObject({
      value: { display: "checked", rendering: "not_checked" },
    });
    expect(
      await verifyBundle({ ...bundle, disclosures: disclosures.slice(0, 1) }, { ...TRUST, render: () => "no" }),
    ).toMatchObject({ value: { display: "checked", rendering: "not_checked" } });
  });

  test("a disclosure of nothing in the record, twice the same, or malformed is refused", async () => {
    const { bundle, disclosures } = await withDisclosures({ display_text: "Pay 49.90?" });
    const [display = ""] = disclosures;
    const stranger = await makeDisclosure({ salt, name: "ship_to", value: "elsewhere" });
    const cases = [[display, display], [stranger.disclosure], ["AAAA"]];
    const answers = await Promise.all(cases.map((list) => answerTo({ ...bundle, disclosures: list })));
    expect(answers).toEqual([
      "6 disclosures disclosure_unknown",
      "6 disclosures disclosure_unknown",
      "6 disclosures disclosure_malformed",
    ]);
  });
});

describe("step 8: inclusion", () => {
  test("REC-4 every signed part has a proof, and every proof its part", async () => {
    const bundle = await remade();
    const log = bundle["log"] as Record<string, Json>;
    for (const part of ["credential", "approval", "receipt"]) {
      const { [part]: _, ...rest } = log;
      expect(await answerTo({ ...bundle, log: rest })).toBe(`8 ${part} proof_missing`);
    }
    const { receipt: _, ...without } = bundle as Record<string, Json>;
    expect(await answerTo(without)).toBe("8 receipt proof_unexpected");
  });

  test("REC-4 logged out of order is refused: the passkey before the approval, the approval before the receipt", async () => {
    expect(await answer({ order: ["credential", "keys", "approval", "receipt"] })).toBe("L3 approval succeeded");
    expect(await answer({ order: ["keys", "approval", "credential", "receipt"] })).toBe("8 log log_order");
    expect(await answer({ order: ["keys", "credential", "receipt", "approval"] })).toBe("8 log log_order");
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
    expect(await answerTo(await bundleOf(ending, { passkey: vector.bundle.passkey }))).toMatch(/^[17] /);
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
