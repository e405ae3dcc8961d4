import { digestOfText, toBase64Url } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import vector from "../../fixtures/evidence.json" with { type: "json" };
import { makeDisclosure, readDisclosure } from "./disclosure.ts";

const encode = (value: unknown) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
const salt = "AAAAAAAAAAAAAAAAAAAAAA";

describe("disclosures", () => {
  test("the worked example's reproduce", async () => {
    for (const [encoded, name] of [
      [vector.bundle.disclosures[0] ?? "", "display_text"],
      [vector.withheld_disclosure_ship_to, "ship_to"],
    ] as const) {
      const read = readDisclosure(encoded);
      if (!read.ok) throw new Error("readable");
      expect(read.value.name).toBe(name);
      expect(await makeDisclosure(read.value)).toEqual({
        disclosure: encoded,
        digest: vector.bundle.action.private[name],
      });
    }
  });

  test("REC-2 what is made reads back, and another salt gives another digest", async () => {
    const text = fc.string({ unit: "grapheme" });
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(text, bytes, bytes, async (value, first, second) => {
        fc.pre(toBase64Url(first) !== toBase64Url(second));
        const field = { salt: toBase64Url(first), name: "ship_to", value };
        const made = await makeDisclosure(field);
        expect(readDisclosure(made.disclosure)).toEqual({ ok: true, value: field });
        expect(made.digest).toBe(await digestOfText(made.disclosure));
        expect((await makeDisclosure({ ...field, salt: toBase64Url(second) })).digest).not.toBe(made.digest);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ["no base64url", "***"],
    ["no JSON", "AAAA"],
    ["an object", encode({ salt, name: "a", value: "b" })],
    ["two members", encode([salt, "a"])],
    ["four members", encode([salt, "a", "b", "c"])],
    ["a value that is no text", encode([salt, "a", 1])],
    ["a short salt", encode(["AAAA", "a", "b"])],
    ["a name that records do not allow", encode([salt, "shipTo", "b"])],
    ["something after it", toBase64Url(new TextEncoder().encode(`["${salt}","a","b"] x`))],
    ["a lone surrogate", toBase64Url(new TextEncoder().encode(`["${salt}","a","\\ud800"]`))],
  ])("%s is refused", (_name, encoded) => {
    expect(readDisclosure(encoded)).toEqual({ ok: false, reason: "malformed" });
  });

  test.each([
    ["a salt that is not 16 bytes", { salt: "AAAA", name: "a", value: "b" }],
    ["a name that records do not allow", { salt, name: "shipTo", value: "b" }],
    ["a lone surrogate", { salt, name: "a", value: "\ud800" }],
    ["too long a text", { salt, name: "a", value: "x".repeat(64 * 1024) }],
  ])("making one with %s is our own bug", async (_name, field) => {
    await expect(makeDisclosure(field)).rejects.toThrow("disclosure:");
  });
});
