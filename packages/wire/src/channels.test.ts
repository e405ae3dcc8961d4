import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { previewText, terminalJson, terminalText } from "./index.ts";

const ODD = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom(
      "\u202e",
      "\u200b",
      "\u{e0100}",
      "\u00a0",
      "\u001b[2J",
      "https://evil.example/a",
      "a@b.example",
      "\n",
      "[U+202E]",
      "e\u0301",
    ),
  ),
  { maxLength: 30 },
);
const HIDDEN =
  /[\p{Cc}\p{Co}\p{Cs}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\u00ad\u00a0\u3000\ufeff\u{e0000}-\u{e0fff}]/u;

describe("U33 the terminal", () => {
  test("keeps our own lines and columns, and shows what would move the cursor or hide", () => {
    expect(terminalText(`name${" ".repeat(20)}what it is\nnext`)).toBe(`name${" ".repeat(20)}what it is\nnext`);
    expect(terminalText("a\u001b[2J\u202eb\u200b\rc")).toBe("a[U+001B][2J[U+202E]b[U+200B][U+000D]c");
    expect(terminalText("revealed already: [U+202E]")).toBe("revealed already: [U+202E]");
  });

  test("JSON has the same value, whatever is in it, and nothing hidden in its text", () => {
    fc.assert(
      fc.property(ODD, (parts) => {
        const value = {
          [`k${parts[0] ?? ""}`]: parts.join("").toWellFormed(),
          list: parts.map((p) => p.toWellFormed()),
        };
        const text = terminalJson(value);
        expect(text.replaceAll("\n", "")).not.toMatch(HIDDEN);
        expect(JSON.parse(text)).toEqual(value);
      }),
      { numRuns: 500 },
    );
    expect(terminalJson(undefined)).toBe("null");
  });
});

describe("U33 a preview", () => {
  test.each([
    ["Trail Lamp 200", "Trail Lamp 200"],
    ["49.90 EUR to shop.example", "49.90 EUR to shop[.]example"],
    ["https://evil.example/a?b=c", "https[:]//evil[.]example/a?b=c"],
    ["write to help@evil.example", "write to help[@]evil[.]example"],
    ["mailto:a@b.c", "mailto[:]a[@]b[.]c"],
    ["http://127.0.0.1:80/", "http[:]//127[.]0[.]0[.]1[:]80/"],
    ["1.example", "1[.]example"],
    ["Lamp\u202egnp", "Lamp[U+202E]gnp"],
    ["two\nlines", "two[U+000A]lines"],
    ["The end. Next: more", "The end. Next: more"],
  ])("of %j", (text, shown) => {
    expect(previewText(text, 200)).toBe(shown);
  });

  test("is bounded, says how long the text is, and cuts neither an escape nor a character", () => {
    expect(previewText("a".repeat(500), 40)).toBe(`${"a".repeat(22)}… (500 characters)`);
    expect(previewText(`${"a".repeat(20)}\u202e${"b".repeat(80)}`, 42)).toBe(`${"a".repeat(20)}… (106 characters)`);
    const flags = previewText("🇩🇪".repeat(100), 30);
    expect(flags.replace(/…/u, "").startsWith("🇩🇪")).toBe(true);
    fc.assert(
      fc.property(ODD, fc.integer({ min: 24, max: 120 }), (parts, max) => {
        const shown = previewText(parts.join(""), max);
        expect(Array.from(shown).length).toBeLessThanOrEqual(max);
        expect(shown).not.toMatch(HIDDEN);
        expect(shown).not.toMatch(/[A-Za-z]\.[A-Za-z]|:\/\/|[^\s[]@[^\s\]]/);
      }),
      { numRuns: 1000 },
    );
  });
});
