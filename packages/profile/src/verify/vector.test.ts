import { canonicalJson, digestOf, digestOfText, type Json, type JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { businessRecord, requestEnvelope } from "../request/request.ts";
import { verifyBundle } from "./bundle.ts";
import { copyOfBundle, TRUST, vector } from "./example.ts";
import { verifyKeySet } from "./keyset.ts";
import { verifyReceipt } from "./receipt.ts";
import { statementOf } from "./report.ts";

type Bundle = ReturnType<typeof copyOfBundle>;

/** `L3 with receipt`, or `refused` with the check that refused. */
async function answer(bundle: unknown, trust = TRUST): Promise<string> {
  const report = await verifyBundle(bundle as Json, trust);
  if (!report.ok) return `refused: ${report.reason.step} ${report.reason.part} ${report.reason.code}`;
  const { level, receipt } = report.value;
  return `${level} ${receipt === "absent" ? "without" : "with"} receipt`;
}

describe("the worked example", () => {
  test("APR-2 every digest reproduces", async () => {
    const { digests, bundle } = vector;
    expect(await digestOf(vector.request)).toBe(digests.request);
    expect(await digestOf(vector.business_record)).toBe(digests.business_record);
    expect(await digestOf(businessRecord(requestEnvelope.parse(vector.request)) as JsonObject)).toBe(
      digests.business_record,
    );
    expect(canonicalJson(bundle.action)).toBe(vector.action_canonical);
    expect(await digestOf(bundle.action)).toBe(digests.action);
    expect(bundle.action.request_digest).toBe(digests.request);
    expect(await digestOfText(bundle.disclosures[0] ?? "")).toBe(digests.display_text);
    expect(await digestOfText(vector.withheld_disclosure_ship_to)).toBe(digests.ship_to);
    expect(await digestOf(bundle.passkey)).toBe(digests.passkey);
    for (const part of ["credential", "approval", "receipt", "keys"] as const) {
      expect(await digestOfText(bundle[part])).toBe(digests[part]);
    }
  });

  test("APR-7 reports L3, display checked, receipt succeeded", async () => {
    const report = await verifyBundle(vector.bundle as Json, TRUST);
    if (!report.ok) throw new Error(JSON.stringify(report.reason));
    const { level, independent, proves, display, rendering, receipt, notes, disclosed } = report.value;
    expect({ level, independent, proves, display, rendering, receipt, notes }).toEqual({
      level: "L3",
      independent: "no_independent_evidence",
      proves: "approval",
      display: "checked",
      rendering: "not_checked",
      receipt: "succeeded",
      notes: [],
    });
    expect(Object.keys(disclosed)).toEqual(["display_text"]);
    expect(disclosed["display_text"]).toMatch(/^Place this order\?\n.*\nDecide before: 2026-11-30T10:10:00Z\n$/s);
    expect(statementOf(report.value)).toContain("enrolled passkey signed the digest of this record");
  });

  test("it is the same read as text and as bytes, with any white space", async () => {
    const text = JSON.stringify(vector.bundle, null, 2);
    expect(await answer(text)).toBe("L3 with receipt");
    expect(await answer(new TextEncoder().encode(text))).toBe("L3 with receipt");
  });

  test("REC-4 a held checkpoint is compared", async () => {
    const olderCheckpoint = { checkpoint: vector.checkpoint_size_5, consistency: vector.consistency_5_to_7 };
    const report = await verifyBundle(vector.bundle as Json, { ...TRUST, olderCheckpoint });
    expect(report).toMatchObject({ ok: true, value: { level: "L3", notes: ["held_checkpoint_consistent"] } });
  });

  test("REC-1 the receipt of a task denied before preparation verifies, alone and in a bundle", async () => {
    const keys = await verifyKeySet(vector.bundle.keys, vector.pin, vector.issuer);
    if (!keys.ok) throw new Error(keys.reason.code);
    const receipt = await verifyReceipt(vector.receipt_of_a_denied_task, keys.value);
    expect(receipt).toMatchObject({ ok: true, value: { record: { outcome: "denied", reason: "over_limit" } } });

    const bundle = {
      typ: "countersign.bundle/1",
      disclosures: [],
      receipt: vector.receipt_of_a_denied_task,
      keys: vector.bundle.keys,
    };
    const report = await verifyBundle(bundle, TRUST);
    expect(report).toMatchObject({
      ok: true,
      value: { level: "L1", proves: "receipt", display: "none", receipt: "denied", notes: ["not_logged"] },
    });
    if (report.ok) expect(statementOf(report.value)).toContain("no decision of the account holder");
  });

  test("the pin and the issuer are the whole trust anchor", async () => {
    const other = vector.kids.approval;
    expect(await answer(vector.bundle, { ...TRUST, pin: other })).toBe("refused: 2 keys wrong_role");
    const stranger = await digestOfText("somebody else's key");
    expect(await answer(vector.bundle, { ...TRUST, pin: stranger })).toBe("refused: 2 keys pin_not_in_keys");
    expect(await answer(vector.bundle, { ...TRUST, issuer: "https://gateway.example/" })).toBe(
      "refused: 2 keys wrong_issuer",
    );
  });
});

/** Each listed change, made to a copy, with the check that must refuse it where one must. */
const CHANGES: Readonly<Record<string, { change: (bundle: Bundle) => unknown; refusal?: string; pin?: string }>> = {
  "action.terms.total_minor + 1": {
    change(bundle) {
      bundle.action.terms.total_minor += 1;
      return bundle;
    },
    refusal: "5 approval digest_differs",
  },
  "action.parameters.quantity 2": {
    change(bundle) {
      bundle.action.parameters.quantity = 2;
      return bundle;
    },
    refusal: "5 approval digest_differs",
  },
  "member added to action": {
    change: (bundle) => ({ ...bundle, action: { ...bundle.action, priority: 1 } }),
    refusal: "1 action not_this_record",
  },
  "members of action reordered": {
    change: (bundle) => ({ ...bundle, action: Object.fromEntries(Object.entries(bundle.action).reverse()) }),
  },
  "passkey removed": {
    change: ({ passkey: _, ...rest }) => rest,
    refusal: "7 passkey passkey_missing",
  },
  "receipt removed (and its proof)": {
    change({ receipt: _, log, ...rest }) {
      const { receipt: __, ...proofs } = log;
      return { ...rest, log: proofs };
    },
  },
  "approval in the receipt slot": {
    change: (bundle) => ({ ...bundle, receipt: bundle.approval }),
    refusal: "1 receipt wrong_kind",
  },
  "other pin": {
    change: (bundle) => bundle,
    pin: vector.kids.receipt,
    refusal: "2 keys wrong_role",
  },
  "path of approval reversed": {
    change(bundle) {
      bundle.log.approval.path.reverse();
      return bundle;
    },
    refusal: "8 approval not_in_log",
  },
  "index of receipt 5": {
    change(bundle) {
      bundle.log.receipt.index = 5;
      return bundle;
    },
    refusal: "8 receipt not_in_log",
  },
  "checkpoint of size 5": {
    change(bundle) {
      bundle.log.checkpoint = vector.checkpoint_size_5;
      return bundle;
    },
    refusal: "8 keys not_in_log",
  },
  "display disclosure withheld": {
    change: (bundle) => ({ ...bundle, disclosures: [] }),
  },
  "display text altered": {
    change(bundle) {
      const [salt, name, value] = JSON.parse(Buffer.from(bundle.disclosures[0] ?? "", "base64url").toString());
      const altered = JSON.stringify([salt, name, value.replace("49.90", "4.99")]);
      return { ...bundle, disclosures: [Buffer.from(altered).toString("base64url")] };
    },
    refusal: "6 disclosures disclosure_unknown",
  },
  "ship_to disclosed too": {
    change: (bundle) => ({ ...bundle, disclosures: [...bundle.disclosures, vector.withheld_disclosure_ship_to] }),
  },
  "one bit of approval signature": {
    change(bundle) {
      const [header, payload, signature = ""] = bundle.approval.split(".");
      const bytes = Buffer.from(signature, "base64url");
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      return { ...bundle, approval: `${header}.${payload}.${bytes.toString("base64url")}` };
    },
    refusal: "5 approval bad_signature",
  },
};

describe("APR-7 each listed change of the worked example", () => {
  test("every one of them is made here", () => {
    expect(Object.keys(CHANGES).sort()).toEqual(vector.changes.map((listed) => listed.change).sort());
  });

  test.each(vector.changes)("$change: $expected", async ({ change, expected }) => {
    const made = CHANGES[change];
    const found = await answer(made?.change(copyOfBundle()), { ...TRUST, pin: made?.pin ?? TRUST.pin });
    expect(found).toBe(expected === "refused" ? `refused: ${made?.refusal}` : expected);
  });

  test("a withheld display is reported as withheld, a disclosed one as checked", async () => {
    const withheld = await verifyBundle({ ...vector.bundle, disclosures: [] } as Json, TRUST);
    expect(withheld).toMatchObject({ ok: true, value: { display: "withheld", disclosed: {} } });
  });
});
