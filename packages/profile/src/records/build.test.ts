import {
  generateSigningKey,
  type Instant,
  importPrivateKey,
  instant,
  parseInstant,
  signerOf,
  thumbprint,
} from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { example, TRUST, vector } from "../verify/example.ts";
import { verifyKeySet } from "../verify/keyset.ts";
import {
  type ActionMembers,
  buildAction,
  buildApproval,
  buildKeySet,
  buildReceiptPayload,
  type ReceiptMembers,
} from "./build.ts";
import { APPROVAL, KEY_SET, RECEIPT, readSigned, signRecord } from "./signed.ts";

const { typ: _typ, profile: _profile, uses: _uses, ...members } = example.action;
const action = members as unknown as ActionMembers;
const { typ: _receiptTyp, source: _source, ...receiptMembers } = example.receipt;
const receipt = receiptMembers as unknown as ReceiptMembers;

function at(text: string): Instant {
  const read = parseInstant(text);
  if (!read.ok) throw new Error("a time");
  return read.value;
}

async function newKey() {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const key = await importPrivateKey(privateJwk);
  if (!key.ok) throw new Error("a key");
  return { publicJwk, signer: { kid: await thumbprint(publicJwk), sign: signerOf(key.value) } };
}

describe("building records", () => {
  test("APR-2 the worked example's action, with its digest", async () => {
    expect(await buildAction(action)).toEqual({
      ok: true,
      value: { record: example.action, digest: vector.digests.action },
    });
  });

  test("APR-2 what is no action, or no record, is refused with its place", async () => {
    expect(await buildAction({ ...action, nonce: "short" })).toEqual({
      ok: false,
      reason: { code: "not_this_record", path: "/nonce" },
    });
    expect(await buildAction({ ...action, limits: { note: "x".repeat(16_384) } })).toMatchObject({ ok: false });
    const halves = { note: "x".repeat(9_000) };
    expect(await buildAction({ ...action, limits: halves, terms: halves })).toEqual({
      ok: false,
      reason: { code: "too_large", path: "" },
    });
  });

  test("APR-3 the worked example's approval, out of its action", async () => {
    const { record } = (await buildActionOk()) ?? {};
    if (record === undefined) throw new Error("an action");
    const { display_digest: _, ...surface } = example.approval["surface"] as unknown as typeof SURFACE;
    const auth = example.approval["auth"] as unknown as Parameters<typeof buildApproval>[1]["auth"];
    const decided = { approvalRef: "apr_demo_001", decidedAt: at("2026-11-30T10:00:42Z"), surface, auth };
    expect(await buildApproval(record, { ...decided, decision: "approved" })).toEqual({
      ok: true,
      value: example.approval,
    });
    expect(await buildApproval(record, { ...decided, decision: "denied" })).toMatchObject({
      value: { decision: "denied" },
    });
    // A record without a display text shows nobody anything.
    expect(await buildApproval({ ...record, private: {} }, { ...decided, decision: "approved" })).toMatchObject({
      ok: false,
      reason: { path: "/surface/display_digest" },
    });
  });

  test("REC-1 the worked example's receipt; members that contradict its outcome are refused", () => {
    expect(buildReceiptPayload(receipt)).toEqual({ ok: true, value: example.receipt });
    expect(buildReceiptPayload({ ...receipt, outcome: "denied", reason: "over_limit" })).toMatchObject({
      ok: false,
      reason: { code: "not_this_record" },
    });
  });

  test("a key set chains to the one before it and verifies under its pin", async () => {
    const { publicJwk, signer } = await newKey();
    const issuedAt = at("2026-11-30T10:00:00Z");
    const log = { jwk: publicJwk, role: "log" as const, notBefore: issuedAt, notAfter: instant(issuedAt + 1000) };
    const first = await buildKeySet({ issuer: TRUST.issuer, issuedAt, keys: [log] });
    if (!first.ok) throw new Error(first.reason.path);
    expect(first.value).toMatchObject({ version: 1, prev: "", keys: [{ kid: signer.kid, role: "log" }] });
    const jws = await signRecord(KEY_SET, first.value, signer);
    const verified = await verifyKeySet(jws, signer.kid, TRUST.issuer);
    if (!verified.ok) throw new Error(verified.reason.code);
    const next = await buildKeySet({
      issuer: TRUST.issuer,
      issuedAt,
      previous: { version: 1, digest: verified.value.digest },
      keys: [log],
    });
    expect(next).toMatchObject({ ok: true, value: { version: 2, prev: verified.value.digest } });
  });

  test("APR-3 a compromised key is listed as such, and nothing private is listed", async () => {
    const { publicJwk } = await newKey();
    const [notBefore, suspectFrom, revokedAt, notAfter] = [1, 2, 3, 4].map((second) => instant(second * 1000));
    if (!notBefore || !suspectFrom || !revokedAt || !notAfter) throw new Error("times");
    const key = { jwk: publicJwk, role: "receipt" as const, notBefore, notAfter };
    const build = (listed: typeof key & { compromised?: { revokedAt: Instant; suspectFrom: Instant } }) =>
      buildKeySet({ issuer: TRUST.issuer, issuedAt: notBefore, keys: [listed] });
    expect(await build({ ...key, compromised: { revokedAt, suspectFrom } })).toMatchObject({
      value: { keys: [{ suspect_from: "1970-01-01T00:00:02Z", revoked_at: "1970-01-01T00:00:03Z" }] },
    });
    const withPrivate = { ...publicJwk, d: publicJwk.x };
    expect(await build({ ...key, jwk: withPrivate })).toEqual({
      ok: false,
      reason: { code: "not_this_record", path: "/keys/0" },
    });
  });
});

const SURFACE = { id: "", version: "", build_digest: "", display_digest: "" };

async function buildActionOk() {
  const built = await buildAction(action);
  return built.ok ? built.value : undefined;
}

describe("signing records", () => {
  test("what is signed reads back as its own kind and as no other", async () => {
    const { signer } = await newKey();
    const built = buildReceiptPayload(receipt);
    if (!built.ok) throw new Error(built.reason.path);
    const jws = await signRecord(RECEIPT, built.value, signer);
    expect(readSigned(RECEIPT, jws)).toMatchObject({ ok: true, value: { record: example.receipt } });
    expect(readSigned(APPROVAL, jws)).toEqual({ ok: false, reason: "other_kind" });
    expect(readSigned(RECEIPT, `${jws}A`)).toMatchObject({ ok: false });
  });

  test("signing what is no such record is our own bug", async () => {
    const { signer } = await newKey();
    const wrong = { ...example.receipt, outcome: "perhaps" } as unknown as ReceiptMembers & {
      typ: never;
      source: never;
    };
    await expect(signRecord(RECEIPT, wrong, signer)).rejects.toThrow("signRecord: not a receipt record");
  });
});
