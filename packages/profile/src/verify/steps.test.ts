import type { Json, JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { makeDisclosure } from "../records/disclosure.ts";
import { type VerifyOptions, verifyBundle } from "./bundle.ts";
import { answerTo, type Changes, copyOfBundle, example, put, remade, signAs, TRUST, vector } from "./example.ts";

const answer = async (changes: Changes, options: Partial<VerifyOptions> = {}) =>
  answerTo(await remade(changes), options);

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

  test("the pinned key itself signed the key set", async () => {
    const bundle = copyOfBundle();
    const [header, payload] = bundle.keys.split(".");
    const [, , signature] = bundle.log.checkpoint.split(".");
    bundle.keys = `${header}.${payload}.${signature}`;
    expect(await answerTo(bundle as Json)).toBe("2 keys bad_signature");
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

describe("steps 4 and 5: the action and its approval", () => {
  test("another issuer's action is refused, even if both its records say the same", async () => {
    const issuer = put({ issuer: "https://other.example" });
    expect(await answer({ action: issuer, approval: issuer })).toBe("4 action wrong_issuer");
  });

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
    const denied = put({ decision: "denied", auth: { method: "session", uv: false } });
    const without = ["passkey", "credential"] as const;
    expect(await answer({ approval: denied, without: ["receipt", ...without] })).toBe("L2 denial absent");
    expect(await answer({ approval: denied, without })).toBe("9 receipt committed_without_approval");
    const receipt = put({
      outcome: "denied",
      reason: "refused_by_holder",
      commit_started_at: undefined,
      attempt: undefined,
      destination: undefined,
      observed: undefined,
    });
    const refused = await remade({ approval: denied, receipt: (record) => receipt(record), without });
    expect(await answerTo(refused)).toBe("L2 denial denied");
  });

  test("APR-3 a passkey's signature names no decision: beside a denial it is refused, never a level", async () => {
    const denied = put({ decision: "denied" });
    expect(await answer({ approval: denied, without: ["receipt"] })).toBe("5 approval passkey_unexpected");
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
