import type { Answer } from "@countersign/plugin";
import { fingerprintOf, matchOwn, ownReference, readFingerprint, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { claimSubmit as byApi } from "../api/claim-submit.ts";
import { claimSubmit as byPages } from "../browser/claim-submit.ts";
import { claimWish, type ListedClaim, ownClaims, possible } from "./claim.ts";

const ORIGIN = "https://insurer.example";
const CASE = "c".repeat(43);
const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "insurance.claim.submit",
  created_at: "2026-11-30T12:00:00Z",
  route: { kind: "browser", origin: ORIGIN },
  parameters: {
    policy_ref: "pol-home",
    incident_on: "2026-11-21",
    claimed_minor: 84_000,
    currency: "GBP",
    description: "The hose burst.",
    document_refs: [],
  },
  terms: { currency: "GBP", claimed_minor: 84_000 },
} as unknown as ActionRecord;
const OURS = ownReference(record);

const claim = (change: Partial<ListedClaim> = {}): ListedClaim => ({
  number: "FM-1",
  title: "Hose",
  policyRef: "pol-home",
  happenedOn: "2026-11-21",
  submittedOn: "2026-11-30",
  status: "received",
  statusText: "Received",
  currency: "GBP",
  claimedMinor: 84_000,
  ownReference: OURS,
  ...change,
});
function find(claims: readonly ListedClaim[], made = fingerprintOf(record, "D-7")) {
  const print = readFingerprint(made);
  if (!print.ok) throw new Error(print.reason);
  return matchOwn(claims, print.value, record, ownClaims);
}

describe("STA-3 (U04) the claim of a submission", () => {
  it("is the one with the task's own reference, and an equal one of the person's is never taken for it", () => {
    const theirs = claim({ number: "FM-2", ownReference: "" });
    expect(find([theirs, claim()])).toMatchObject({ kind: "found", confirmation: "FM-1" });
    expect(find([theirs])).toEqual({ kind: "none" });
  });

  it("where only the record has survived, an equal one makes it unclear", () => {
    expect(find([claim({ ownReference: "" })], traceOf(record))).toMatchObject({ kind: "unclear" });
    expect(find([claim({ ownReference: "", submittedOn: "2026-11-29" })], traceOf(record))).toEqual({ kind: "none" });
    expect(find([claim({ ownReference: "", claimedMinor: 84_001 })], traceOf(record))).toEqual({ kind: "none" });
  });

  it("two with the same reference are one too many, and one of something else is not ours", () => {
    expect(find([claim(), claim({ number: "FM-2" })])).toMatchObject({ kind: "unclear" });
    expect(find([claim({ claimedMinor: 1 })])).toMatchObject({ kind: "unclear" });
  });
});

it("what the insurer never takes online is a gap, in plain words", () => {
  const wish = claimWish(record.parameters as never);
  expect(possible(wish).ok).toBe(true);
  expect(possible({ ...wish, documentRefs: ["d1"] })).toMatchObject({ reason: { kind: "gap" } });
  expect(possible({ ...wish, currency: "EUR" })).toMatchObject({ reason: { kind: "gap" } });
});

const answer = (status: number, headers: Answer["headers"], body = ""): Answer => ({
  status,
  headers,
  body: new TextEncoder().encode(body),
});
const html: Answer["headers"] = [["content-type", "text/html; charset=utf-8"]];

describe("what an answer to the form means", () => {
  it("only the company's own redirect to a claim confirms", () => {
    expect(byPages.recognise(answer(303, [["location", `/c/${CASE}/sent/FM-9`]]), record)).toMatchObject({
      kind: "confirmed",
      confirmation: "FM-9",
      result: { claim_ref: "FM-9", status: "received", currency: "GBP", claimed_minor: 84_000 },
    });
  });

  it.each([
    ["another step", answer(303, [["location", `/c/${CASE}/check`]])],
    ["a number that is none", answer(303, [["location", `/c/${CASE}/sent/x`]])],
    ["another host", answer(303, [["location", `https://evil.example/c/${CASE}/sent/FM-9`]])],
    ["another redirect", answer(302, [["location", `/c/${CASE}/sent/FM-9`]])],
    ["a proxy's error", answer(502, html, "<h1>502 Server Error</h1>")],
    ["the refusal's words in another status", answer(200, html, "<h1>Your claim was not sent</h1>")],
    ["the end of the session", answer(401, html, "<h1>You are signed out</h1>")],
    ["a form that stands alone", answer(403, html, "<h1>This form belongs to Fairhaven's pages</h1>")],
  ])("STA-4 (U08) %s is unknown", (_, given) => {
    expect(byPages.recognise(given, record)).toEqual({ kind: "unknown" });
  });

  it.each([
    [422, "Your claim was not sent"],
    [410, "This claim has lapsed"],
  ])("%i with the company's own heading is refused", (status, heading) => {
    expect(byPages.recognise(answer(status, html, `<h1>${heading}</h1>`), record)).toMatchObject({ kind: "refused" });
  });
});

describe("what an answer of the API means", () => {
  const wire = {
    number: "FM-9",
    title: "Hose",
    policy: "pol-home",
    happened_on: "2026-11-21",
    submitted_on: "2026-11-30",
    submitted_at: "2026-11-30T12:00:00.000Z",
    status: "received",
    currency: "GBP",
    claimed: "840.00",
    excess: "250.00",
    your_reference: OURS,
  };
  const said = (status: number, body: object) => answer(status, [], JSON.stringify(body));

  it("only the claim that was wanted, with the task's mark, confirms", () => {
    expect(byApi.recognise(said(201, { claim: wire }), record)).toMatchObject({
      kind: "confirmed",
      confirmation: "FM-9",
    });
    for (const change of [{ claimed: "841.00" }, { your_reference: "" }, { policy: "pol-car" }, { claimed: "840.0" }])
      expect(byApi.recognise(said(201, { claim: { ...wire, ...change } }), record)).toEqual({ kind: "unknown" });
    expect(byApi.recognise(said(200, { claim: wire }), record)).toEqual({ kind: "unknown" });
  });

  it("only the insurer's own refusal in its own status refuses", () => {
    const refusal = (status: number, code: string) => byApi.recognise(said(status, { error: { code } }), record);
    expect(refusal(422, "claim_refused")).toMatchObject({ kind: "refused" });
    expect(refusal(410, "quote_expired")).toMatchObject({ kind: "refused" });
    for (const [status, code] of [
      [503, "claim_refused"],
      [401, "unauthenticated"],
      [403, "csrf_failed"],
    ] as const)
      expect(refusal(status, code)).toEqual({ kind: "unknown" });
  });
});
