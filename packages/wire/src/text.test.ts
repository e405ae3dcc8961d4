import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, hasMixedScripts, plainText, type RevealOptions, revealText } from "./index.ts";
import { isUnassigned } from "./unassigned.ts";

const shown = (text: string) => plainText(revealText(text));

describe("U30-U33 revealText", () => {
  test("reads a text of plain letters at one glance as it reads it one by one", () => {
    const unit = fc.constantFrom(
      "a",
      "Z",
      "0",
      " ",
      "  ",
      "   ",
      "    ",
      "[",
      "U+2",
      "[U+202E]",
      "\n",
      "\t",
      "~",
      "\u007f",
    );
    const options = fc.record({ lines: fc.constantFrom("escape", "keep"), layout: fc.constantFrom("foreign", "ours") });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), options, (text, how) => {
        // One letter that is not ASCII, and plain: with it every character is looked at.
        const oneByOne = plainText(revealText(`${text}é`, how as RevealOptions));
        expect(`${plainText(revealText(text, how as RevealOptions))}é`).toBe(oneByOne);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["a right-to-left override", "Lamp\u202egnp", "Lamp[U+202E]gnp", "bidi"],
    ["an isolate", "\u2066x\u2069", "[U+2066]x[U+2069]", "bidi"],
    ["an Arabic letter mark", "x\u061c", "x[U+061C]", "bidi"],
    ["a zero-width space", "pay\u200bpal", "pay[U+200B]pal", "invisible"],
    ["a zero-width joiner", "a\u200db", "a[U+200D]b", "invisible"],
    ["a soft hyphen", "a\u00adb", "a[U+00AD]b", "invisible"],
    ["a byte order mark", "\ufeffa", "[U+FEFF]a", "invisible"],
    ["a word joiner", "a\u2060b", "a[U+2060]b", "invisible"],
    ["a Hangul filler", "a\u3164b\uffa0\u115f", "a[U+3164]b[U+FFA0][U+115F]", "invisible"],
    ["a grapheme joiner", "a\u034fb", "a[U+034F]b", "invisible"],
    ["a variation selector on a letter", "a\ufe0fb", "a[U+FE0F]b", "invisible"],
    ["an astral variation selector", "a\u{e0100}b", "a[U+E0100]b", "invisible"],
    ["a tag", "a\u{e0041}b", "a[U+E0041]b", "invisible"],
    ["a musical control", "a\u{1d173}b", "a[U+1D173]b", "invisible"],
    ["a note without a head", "a\u{1d159}b", "a[U+1D159]b", "invisible"],
    ["400 no-break spaces", `a${"\u00a0".repeat(400)}b`, "a[U+00A0×400]b", "space"],
    ["an ideographic space", "a\u3000b", "a[U+3000]b", "space"],
    ["a Braille blank", "a\u2800b", "a[U+2800]b", "space"],
    ["a line separator", "a\u2028b", "a[U+2028]b", "space"],
    ["padding with ordinary spaces", `a${" ".repeat(9)}b`, "a[U+0020×9]b", "space"],
    ["a newline", "a\nb", "a[U+000A]b", "control"],
    ["an escape sequence", "a\u001b[2Jb", "a[U+001B][2Jb", "control"],
    ["a C1 control", "a\u009bb", "a[U+009B]b", "control"],
    ["DEL", "a\u007fb", "a[U+007F]b", "control"],
    ["private use", "a\ue000b\u{f0000}", "a[U+E000]b[U+F0000]", "private_use"],
    ["an unassigned code point", "a\u0378b", "a[U+0378]b", "unassigned"],
    ["a noncharacter", "a\uffffb", "a[U+FFFF]b", "unassigned"],
    ["half a surrogate pair", "a\ud800b", "a[U+D800]b", "surrogate"],
    ["a Cyrillic letter in a Latin word", "pаypal", "p[U+0430]ypal", "lookalike"],
    ["a Greek letter in a Latin word", "Gοοgle", "G[U+03BF×2]gle", "lookalike"],
    ["a Latin letter in a Cyrillic word", "Мocква", "М[U+006F][U+0063]ква", "lookalike"],
    ["mathematical letters", "\u{1d429}ay", "[U+1D429]ay", "lookalike"],
    ["a price struck through", "4\u03369\u0336", "4[U+0336]9[U+0336]", "combining"],
    ["a letter in a ring", "a\u20dd", "a[U+20DD]", "combining"],
    ["a mark on a space", "a \u0301b", "a [U+0301]b", "combining"],
    [
      "a word of Cyrillic letters that reads as Latin",
      "Buy раураӏ",
      "Buy [U+0440][U+0430][U+0443][U+0440][U+0430][U+04CF]",
      "lookalike",
    ],
    ["an Armenian letter in a Latin word", "g\u0585ld", "g[U+0585]ld", "lookalike"],
    ["Cherokee letters in a Latin word", "\u13aaiant", "[U+13AA]iant", "lookalike"],
    ["a Cyrillic letter among digits", "1\u041e0 EUR", "1[U+041E]0 EUR", "lookalike"],
    ["a Bengali four that reads as eight", "only \u09ea EUR", "only [U+09EA] EUR", "lookalike"],
    ["a digit of another script in a number", "日本 1\u09672", "日本 1[U+0967]2", "lookalike"],
    ["a text that imitates an escape", "[U+202E]", "[U+005B]U+202E]", "forged"],
    ["a mark without a base", "\u0301abc", "[U+0301]abc", "combining"],
    ["a pile of marks", `e${"\u0301".repeat(9)}x`, `e${"\u0301".repeat(4)}[U+0301×5]x`, "combining"],
    ["a mark on an escape", "a\u200b\u0301", "a[U+200B][U+0301]", "combining"],
  ])("shows %s", (_title, text, expected, why) => {
    expect(shown(text)).toBe(expected);
    const reasons = revealText(text).flatMap((segment) => (segment.kind === "escaped" ? [segment.why] : []));
    expect(reasons).toContain(why);
  });

  test.each([
    ...["Trail Lamp 200", "Crème brûlée", "cre\u0300me", "Привет, мир", "Καλημέρα", "日本語 テスト", "مرحبا", "नमस्ते"],
    ...[
      "❤️ lamp",
      "1️⃣",
      "🔦",
      "👍🏽",
      "🇩🇪",
      "10kΩ",
      "10k\u2126",
      "USB-кабель",
      "USBケーブル",
      "Δ",
      "α-lipoic",
      "Хор и сор",
      "ভাত ৪",
      "٤ كتب",
      "１２ Ｌ",
      "[U]",
      "เสื้อNike",
      "a        b",
      "½ € ™ ©️",
      "",
    ],
  ])("leaves %j alone", (text) => {
    expect(revealText(text)).toEqual(text === "" ? [] : [{ kind: "plain", text }]);
  });

  test("a second selector after an emoji is shown, as is a selector alone", () => {
    expect(shown("❤️\ufe0f")).toBe("❤️[U+FE0F]");
    expect(shown("1\ufe0f")).toBe("1[U+FE0F]");
  });

  test("newlines stay only where lines are asked for, and carry no mark", () => {
    expect(plainText(revealText("a\nb", { lines: "keep" }))).toBe("a\nb");
    expect(plainText(revealText("a\r\nb", { lines: "keep" }))).toBe("a[U+000D]\nb");
    expect(plainText(revealText("a\n\u0301", { lines: "keep" }))).toBe("a\n[U+0301]");
  });

  test("what is shown holds nothing invisible, and the record is untouched", () => {
    const hidden =
      /[\p{Cc}\p{Co}\p{Cs}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\u00ad\u00a0\u3000\ufeff\u{e0000}-\u{e0fff}]/u;
    const unit = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom("\u202e", "\u200b", "\u{e0100}", "\u00a0", "a", "\u0430", "❤️", "\u0301", "\n", " "),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        const segments = revealText(text);
        expect(plainText(segments)).not.toMatch(hidden);
        for (const segment of segments) {
          if (segment.kind === "escaped") expect(segment.text).toMatch(/^U\+[0-9A-F]{4,6}(×[0-9]+)?$/);
        }
        expect(restored(segments)).toBe(text);
      }),
      { numRuns: 2000 },
    );
    expect(canonicalJson({ title: "a\u202eb" })).toBe('{"title":"a\u202eb"}');
  });

  test("takes time in proportion to the text", () => {
    const started = performance.now();
    revealText("a".repeat(200_000));
    revealText(" ".repeat(200_000));
    revealText("\u200b\u200c".repeat(100_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

/** Escapes lose nothing: the text can be had back from the segments. */
function restored(segments: ReturnType<typeof revealText>): string {
  return segments
    .map((segment) => {
      if (segment.kind === "plain") return segment.text;
      const [hex = "", count = "1"] = segment.text.slice(2).split("×");
      return String.fromCodePoint(Number.parseInt(hex, 16)).repeat(Number(count));
    })
    .join("");
}

test("hasMixedScripts looks at each word", () => {
  expect(hasMixedScripts("pаypal")).toBe(true);
  expect(hasMixedScripts("shop pаypal today")).toBe(true);
  expect(hasMixedScripts("Αpple")).toBe(true);
  expect(hasMixedScripts("привет world καλημέρα")).toBe(false);
  expect(hasMixedScripts("USB-кабель")).toBe(false);
  expect(hasMixedScripts("раураl")).toBe(true);
  expect(hasMixedScripts("")).toBe(false);
});

test("the frozen table holds everything that this engine has not assigned either", () => {
  const now = /^\p{Cn}$/u;
  let missing = 0;
  for (let point = 0; point <= 0x10ffff; point++) {
    if (now.test(String.fromCodePoint(point)) && !isUnassigned(point)) missing++;
  }
  expect(missing).toBe(0);
  for (const point of [0x41, 0x430, 0x4e00, 0x1f600, 0xd800, 0xe000, 0xe0100]) expect(isUnassigned(point)).toBe(false);
});
