import { readFileSync } from "node:fs";
import { digestOf, type JsonObject, parseJson } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { businessRecord, requestEnvelope } from "./request.ts";

const draft: unknown = JSON.parse(readFileSync(new URL("../../fixtures/draft-request.json", import.meta.url), "utf8"));

describe("request envelope", () => {
  it("REQ-1 the draft's own example validates by shape", () => {
    expect(requestEnvelope.safeParse(draft).success).toBe(true);
  });

  it.each([
    ["an unknown member", { approved: true }],
    ["another profile", { profile: "sophtron.agentic-web-execution/9" }],
    ["a time without offset", { expires_at: "2026-10-10T19:00:00" }],
    ["the thirtieth of February", { expires_at: "2026-02-30T19:00:00Z" }],
    ["an empty reference", { account_ref: "" }],
    ["a reference with a line break", { account_ref: "a\nb" }],
    ["a reference of 129 characters", { consent_ref: "a".repeat(129) }],
    ["parameters that are no object", { parameters: [] }],
  ])("REQ-1 refuses %s", (_name, change) => {
    expect(requestEnvelope.safeParse({ ...(draft as object), ...change }).success).toBe(false);
  });

  it("REQ-4 the business record leaves request_id out and reproduces the published digest", async () => {
    const vector = JSON.parse(readFileSync(new URL("../../fixtures/evidence.json", import.meta.url), "utf8"));
    const request = requestEnvelope.parse(vector.request);
    const other = { ...request, request_id: "req_another", idempotency_key: "another" };
    expect(await digestOf(businessRecord(request) as JsonObject)).toBe(vector.digests.business_record);
    expect(await digestOf(businessRecord(other) as JsonObject)).toBe(vector.digests.business_record);
  });

  it("REQ-3 `approved: true` and other invented members are refused in the body itself", () => {
    const parsed = parseJson(JSON.stringify({ ...(draft as object), approved: true }));
    expect(parsed.ok && requestEnvelope.safeParse(parsed.value).success).toBe(false);
  });
});
