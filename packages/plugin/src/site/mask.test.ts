import { secret } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsSecret, maskJson, maskText } from "./mask.ts";

const TOKEN = "tk_9f8e7d6c5b4a32101234";

describe("U52 what is kept of a page", () => {
  it.each([
    TOKEN,
    encodeURIComponent(TOKEN),
    Buffer.from(TOKEN).toString("base64"),
    Buffer.from(TOKEN).toString("base64url"),
    TOKEN.slice(0, 6),
    `${TOKEN.slice(0, 20)}...`,
  ])("holds nothing of a secret written as %s", (written) => {
    const text = `authorization=${written}; path=/`;
    expect(holdsSecret(text, [secret(TOKEN)])).toBe(true);
    const masked = maskText(text, { secrets: [secret(TOKEN)] });
    expect(masked).toContain("[secret]");
    expect(masked).not.toContain(written.slice(0, 6));
  });

  it("a secret in markup and in JSON", () => {
    const odd = `p"a<s>s&'\\word`;
    for (const text of [JSON.stringify({ odd }), "p&quot;a&lt;s&gt;s&amp;&#39;\\word", odd])
      expect(maskText(text, { secrets: [secret(odd)] })).not.toContain("word");
  });

  it("personal texts, however they are set", () => {
    const known = { secrets: [], personal: ["Alex  Example", "14 Harbour Street"] };
    expect(maskText("For ALEX\n Example, 14 Harbour Street", known)).toBe("For [personal], [personal]");
  });

  it.each(["a.b+c@mail.example", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "+353 1 555 0100"])(
    "%s looks personal",
    (text) => expect(maskText(`it is ${text}.`, { secrets: [] })).toBe("it is [personal]."),
  );

  it.each([
    "Order HH-1004 of 2026-11-30",
    "€1,234.50",
    "1234 5678 9012 3456",
    "2026-11-00418",
    "GB00 1234 5678 9012 34",
  ])("%s does not", (text) => expect(maskText(text, { secrets: [] })).toBe(text));

  it("members that the catalogue calls personal, in every row", () => {
    const value = { claims: [{ person: "Sam", number: "C-1" }, { person: null }], total_minor: 5 };
    expect(maskJson(value, { secrets: [] }, ["result/claims/*/person"])).toEqual({
      claims: [{ person: "[personal]", number: "C-1" }, { person: null }],
      total_minor: 5,
    });
    expect(maskJson({ note: `key ${TOKEN}` }, { secrets: [secret(TOKEN)] })).toEqual({ note: "key [secret]" });
  });

  const value = fc.string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" });
  it("whatever the secret and whatever stands around it, it is gone, and stays gone", () => {
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (hidden, before, after) => {
        fc.pre(!"[secret][personal]".includes(hidden));
        const known = { secrets: [secret(hidden)] };
        const masked = maskText(`${before}${hidden}${after}`, known);
        expect(masked).not.toContain(hidden);
        expect(holdsSecret(`${before}${hidden}${after}`, known.secrets)).toBe(true);
      }),
    );
  });
});
