import { secret } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { fromMaterial, toMaterial } from "./material.ts";

const EXPIRES_AT = "2026-11-30T13:00:00.000Z";
const EXPIRES_MS = Date.parse(EXPIRES_AT);

describe("kept token", () => {
  it("comes back as it was kept, until it runs out", () => {
    const kept = toMaterial({ token: secret("t0ken"), expiresAt: EXPIRES_AT });
    const read = fromMaterial(kept, EXPIRES_MS - 1);
    expect(read.ok && read.value.token.reveal()).toBe("t0ken");
    expect(fromMaterial(kept, EXPIRES_MS)).toEqual({ ok: false, reason: "expired" });
  });

  it("has no end when the site names none", () => {
    expect(fromMaterial(toMaterial({ token: secret("t0ken") }), Number.MAX_SAFE_INTEGER).ok).toBe(true);
  });

  it("AUT-4 never shows itself", () => {
    expect(`${JSON.stringify(toMaterial({ token: secret("t0ken") }))}`).not.toContain("t0ken");
  });

  it.each([
    ["another version", { v: 2, token: "t" }],
    ["no version", { token: "t" }],
    ["no token", { v: 1 }],
    ["an empty token", { v: 1, token: "" }],
    ["a token that is no text", { v: 1, token: 7 }],
    ["an end without an offset", { v: 1, token: "t", expires_at: "2026-11-30T13:00:00" }],
    ["an end that is a number", { v: 1, token: "t", expires_at: EXPIRES_MS }],
    ["a list", []],
  ])("U45 %s is unreadable, not guessed", (_, value) => {
    expect(fromMaterial(secret(JSON.stringify(value)), 0)).toEqual({ ok: false, reason: "unreadable" });
  });

  it("what is no JSON is unreadable", () => {
    expect(fromMaterial(secret("token"), 0)).toEqual({ ok: false, reason: "unreadable" });
  });
});
