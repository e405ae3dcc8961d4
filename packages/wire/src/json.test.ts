import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, checkRecord, type Json, type JsonProblem, parseJson, parseRecord } from "./index.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const utf8 = (text: string) => new TextEncoder().encode(text);

function refusal(result: { ok: true } | { ok: false; reason: JsonProblem }): string {
  return result.ok ? "accepted" : result.reason.code;
}

describe("parseJson", () => {
  test.each<[string, string | Uint8Array, JsonProblem["code"], string]>([
    ["equal names", '{"a":1,"b":{"c":1,"c":1}}', "duplicate_name", "/b/c"],
    ["names equal after unescaping", '{"ab":1,"\\u0061b":2}', "duplicate_name", "/ab"],
    ["__proto__", '{"a":{"__proto__":{}}}', "forbidden_name", "/a/__proto__"],
    ["__proto__ in escapes", '{"\\u005f_proto__":{}}', "forbidden_name", "/__proto__"],
    ["33 levels", nested(33), "too_deep", "/0".repeat(32)],
    ["2^53", "[9007199254740992]", "unsafe_number", "/0"],
    ["2^53+1", '{"total_minor":9007199254740993}', "unsafe_number", "/total_minor"],
    ["-(2^53)", "-9007199254740992", "unsafe_number", ""],
    ["2^53+1 with a fraction", "9007199254740993.0", "unsafe_number", ""],
    ["1e400", "1e400", "unsafe_number", ""],
    ["-0", "-0", "unsafe_number", ""],
    ["-0.0e5", "-0.0e5", "unsafe_number", ""],
    ["underflow", "1e-400", "unsafe_number", ""],
    ["a fraction that rounds to an integer", "7500.00000000000000001", "unsafe_number", ""],
    ["a lone surrogate in escapes", '["x","\\ud800"]', "lone_surrogate", "/1"],
    ["a lone surrogate as it is", '["\ud800"]', "lone_surrogate", "/0"],
    ["surrogates in the wrong order", '"\\ude00\\ud83d"', "lone_surrogate", ""],
    ["a lone surrogate in a name", '{"\\udfff":1}', "lone_surrogate", ""],
    ["a byte order mark, text", "\ufeff{}", "syntax", ""],
    ["a byte order mark, bytes", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), "syntax", ""],
    ["overlong UTF-8", new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), "not_utf8", ""],
    ["a surrogate in UTF-8", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), "not_utf8", ""],
    ["more than 64 KiB", `"${"a".repeat(65_535)}"`, "too_large", ""],
    ["more than 64 KiB of UTF-8, fewer characters", `"${"é".repeat(32_768)}"`, "too_large", ""],
    ["more than 64 KiB, bytes", utf8(`"${"a".repeat(65_535)}"`), "too_large", ""],
    ["bytes after the value", "{} {}", "syntax", ""],
    ["a comma at the end", '{"a":[1,]}', "syntax", "/a/1"],
    ["nothing", "", "syntax", ""],
    ["a control character in a string", '"\u0001"', "syntax", ""],
    ["a leading zero", "01", "syntax", ""],
    ["an inherited escape letter", '"\\constructor"', "syntax", ""],
    ["a non-breaking space between tokens", "[1,\u00a02]", "syntax", "/1"],
  ])("refuses %s", (_title, input, code, path) => {
    expect(parseJson(input)).toMatchObject({ ok: false, reason: { code, path } });
  });

  test("U55 7500.0 and 7.5e3 are the JSON number 7500 in requests, and refused in records", () => {
    for (const spelling of ["7500.0", "7.5e3", "75e2", "750000e-2"]) {
      expect(parseJson(spelling)).toEqual({ ok: true, value: 7500 });
      expect(refusal(parseRecord(`{"a":${spelling}}`))).toBe("unsafe_number");
    }
    expect(parseJson("7500.5")).toEqual({ ok: true, value: 7500.5 });
    expect(parseJson("0e9999999999999")).toEqual({ ok: true, value: 0 });
  });

  test("takes exactly the limits", () => {
    expect(parseJson(nested(32)).ok).toBe(true);
    expect(parseJson(`"${"a".repeat(65_534)}"`).ok).toBe(true);
    expect(parseJson(`"${"é".repeat(32_767)}"`).ok).toBe(true);
    expect(parseJson("9007199254740991")).toEqual({ ok: true, value: Number.MAX_SAFE_INTEGER });
    expect(parseJson("[[1]]", { maxDepth: 1 })).toMatchObject({ reason: { code: "too_deep" } });
    expect(parseJson(`"${"a".repeat(100_000)}"`, { maxBytes: 200_000 }).ok).toBe(true);
    expect(() => parseJson("1", { maxDepth: 100_000 })).toThrow("depth limit");
  });

  test("names of Object.prototype are ordinary members", () => {
    const parsed = parseJson('{"constructor":1,"toString":2,"hasOwnProperty":3}');
    expect(parsed).toEqual({ ok: true, value: { constructor: 1, toString: 2, hasOwnProperty: 3 } });
  });

  test("a problem holds no value, and a name only up to 64 characters", () => {
    const value = "correct-horse";
    const deep = parseJson(`{"${"n".repeat(1000)}":{"card":"${value}","card":"${value}"}}`);
    expect(deep).toEqual({
      ok: false,
      reason: { code: "duplicate_name", path: `/${"n".repeat(64)}/card`, offset: 1028 },
    });
    expect(JSON.stringify(parseJson(`["${value}" oops]`))).not.toContain(value);
    const astral = parseJson(`{"${"n".repeat(63)}😀":-0}`);
    expect(astral.ok ? "" : astral.reason.path.isWellFormed()).toBe(true);
  });

  test("pointers escape ~ and / (RFC 6901)", () => {
    expect(parseJson('{"a/b":{"c~d":[0,-0]}}')).toMatchObject({ reason: { path: "/a~1b/c~0d/1" } });
  });

  test("fuzz: never throws, and what it accepts JSON.parse reads alike", () => {
    const token = fc.constantFrom(
      ...["{", "}", "[", "]", ",", ":", '"a"', '"b"', '"\\u0061"', "1", "-0", "1.0", "1e2", "9007199254740993", "null"],
      ...["true", '"', "\\", '"\\ud83d"', '"__proto__"', " ", "\ufeff", "1e400", "\u0000", "é", "😀"],
    );
    const soup = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join("")),
      fc.json(),
    );
    fc.assert(
      fc.property(soup, (text) => {
        const parsed = parseJson(text);
        parseRecord(text);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const parsed = parseJson(bytes);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(new TextDecoder().decode(bytes)));
      }),
    );
  });

  test("accepts whatever JSON.stringify makes of a well-formed value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(text);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
        else expect(["unsafe_number", "forbidden_name", "lone_surrogate"]).toContain(parsed.reason.code);
      }),
    );
  });
});

describe("parseRecord and checkRecord", () => {
  test.each<[string, string, JsonProblem["code"]]>([
    ["null", '{"a":null}', "not_in_profile"],
    ["a fraction", '{"a":7500.5}', "unsafe_number"],
    ["a camelCase name", '{"totalMinor":1}', "forbidden_name"],
    ["a look-alike name", '{"p\\u0430yee":1}', "forbidden_name"],
    ["an empty name", '{"":1}', "forbidden_name"],
    ["a tab", '{"a":"x\\ty"}', "not_in_profile"],
    ["a zero byte", '{"a":"\\u0000"}', "not_in_profile"],
    ["an array", "[1]", "not_in_profile"],
    ["a number", "1", "not_in_profile"],
    ["9 levels", `{"a":${nested(8)}}`, "too_deep"],
    ["more than 16 KiB", `{"a":"${"x".repeat(16_384)}"}`, "too_large"],
    ["a duplicate", '{"a":1,"a":1}', "duplicate_name"],
  ])("refuses %s", (_title, text, code) => {
    expect(refusal(parseRecord(text))).toBe(code);
    const inMemory: Json = JSON.parse(text);
    if (code !== "duplicate_name") expect(refusal(checkRecord(inMemory))).toBe(code);
  });

  test("keeps newline, bidi and invisible characters in text (decisions.md 5)", () => {
    const value = { title: "a\nb \u202e \u200b \u{e0100} \u00a0 é", n: -3, yes: true, list: [1, "x"] };
    expect(parseRecord(JSON.stringify(value))).toEqual({ ok: true, value });
    expect(checkRecord(value)).toEqual({ ok: true, value });
  });

  test("checkRecord refuses what is no JSON", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const sparse: unknown[] = [];
    sparse.length = 2;
    const symbol = { [Symbol("x")]: 1 };
    for (const value of [{ a: undefined }, { a: 1n }, { a: new Date(0) }, { a: new Map() }, { a: sparse }, symbol]) {
      expect(refusal(checkRecord(value as unknown as Json))).toBe("not_in_profile");
    }
    expect(refusal(checkRecord(cycle as unknown as Json))).toBe("too_deep");
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, -0, 0.5, 2 ** 53]) {
      expect(checkRecord({ a: { b: number } })).toMatchObject({ reason: { code: "unsafe_number", path: "/a/b" } });
    }
  });

  test("both agree on every canonical text within the profile's limits of spelling", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z0-9_]{1,3}$/), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const record = value as Json;
        const inMemory = checkRecord(record);
        if (inMemory.ok) expect(parseRecord(canonicalJson(record))).toEqual({ ok: true, value: record });
      }),
    );
  });
});
