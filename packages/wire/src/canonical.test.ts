import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import example from "./fixtures/evidence-example.json" with { type: "json" };
import {
  canonicalJson,
  type Digest,
  digestOf,
  digestOfBytes,
  digestOfText,
  fromBase64Url,
  type Json,
  parseDigest,
  parseJson,
  sameDigest,
  secret,
  toBase64Url,
} from "./index.ts";

const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 }).filter(isWellFormedJson) as fc.Arbitrary<Json>;

function isWellFormedJson(json: unknown): boolean {
  const text = JSON.stringify(json);
  return !/\\ud[89a-f]/i.test(text) && !text.includes("__proto__") && parseJson(text).ok;
}

describe("canonicalJson", () => {
  test("the example of RFC 8785 section 3.2.2 and the name order of 3.2.3", () => {
    // biome-ignore lint/correctness/noPrecisionLoss: the literal of the RFC.
    const numbers = { numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 1e-27], literals: [null, true, false] };
    expect(canonicalJson(numbers)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    );
    const names = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 };
    expect(canonicalJson(names)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });

  test("agrees with an independent implementation, and parses back to the same value", () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = canonicalJson(json);
        expect(text).toBe(canonicalize(json));
        // RFC 8785 writes -0 as 0, as JSON.stringify does.
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(JSON.stringify(json)) });
      }),
      { numRuns: 1000 },
    );
  });

  test("does not depend on the order in which members were added", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      }),
    );
  });

  test("throws for what JSON cannot carry, and never calls toJSON", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const sparse: unknown[] = [1];
    sparse.length = 3;
    const bad: unknown[] = [
      ...[undefined, { a: undefined }, [undefined], sparse, Number.NaN, Number.NEGATIVE_INFINITY, 1n, Symbol("x")],
      ...[
        "\ud800",
        { "\udc00": 1 },
        new Date(0),
        new Map([["a", 1]]),
        new Set(),
        new Uint8Array(2),
        secret("x"),
        cycle,
      ],
      ...[{ toJSON: () => 1 }, { [Symbol("x")]: 1 }, Object.create({ inherited: 1 }), () => 1],
    ];
    for (const each of bad) expect(() => canonicalJson(each as Json)).toThrow("canonical JSON");
  });
});

describe("digests", () => {
  test("reproduce the worked example's action digest", async () => {
    const action = parseJson(example.action_canonical);
    expect(action.ok && canonicalJson(action.value)).toBe(example.action_canonical);
    expect(action.ok && (await digestOf(action.value))).toBe(example.action_digest);
    expect(await digestOfText(example.approval)).toBe(example.approval_digest);
  });

  test('U19 1, "1" and true have three digests', async () => {
    const digests = await Promise.all([{ quantity: 1 }, { quantity: "1" }, { quantity: true }].map(digestOf));
    expect(new Set(digests).size).toBe(3);
  });

  test("are 43 characters; known answer for nothing", async () => {
    const empty = await digestOfBytes(new Uint8Array());
    expect(empty).toBe("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    expect(await digestOfText("")).toBe(empty);
    expect(parseDigest(empty)).toEqual({ ok: true, value: empty });
    await expect(digestOfText("\ud800")).rejects.toThrow("lone surrogate");
  });

  test("parseDigest refuses another length, padding and a respelled end", () => {
    for (const text of ["", "A".repeat(42), "A".repeat(44), `${"A".repeat(42)}B`, `${"A".repeat(42)}=`]) {
      expect(parseDigest(text).ok).toBe(false);
    }
  });

  test("sameDigest compares the whole text", () => {
    const a = "A".repeat(43) as Digest;
    expect(sameDigest(a, "A".repeat(43) as Digest)).toBe(true);
    expect(sameDigest(a, `${"A".repeat(42)}E` as Digest)).toBe(false);
    expect(sameDigest(a, "A".repeat(42) as Digest)).toBe(false);
    expect(sameDigest("" as Digest, a)).toBe(false);
  });
});

describe("base64url", () => {
  test("round trip, and one spelling for each byte string", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64url"));
        expect(fromBase64Url(text)).toEqual({ ok: true, value: bytes });
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,9}$/), (text) => {
        const bytes = fromBase64Url(text);
        if (bytes.ok) expect(toBase64Url(bytes.value)).toBe(text);
      }),
    );
  });

  test.each(["A", "AB", "AA==", "A+/A", "AA A", "AAAAA", "ÄA", "AB=="])("refuses %j", (text) => {
    expect(fromBase64Url(text)).toEqual({ ok: false, reason: "malformed" });
  });
});

test("Node's own hash and WebCrypto's, which browsers use, are the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
      expect(await digestOfBytes(bytes)).toBe(toBase64Url(new Uint8Array(hash)));
    }),
  );
});
