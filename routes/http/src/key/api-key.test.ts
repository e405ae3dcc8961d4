import { secret } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEY_CHARS_MAX, KEY_CHARS_MIN } from "../limits.ts";
import { type ApiKeySignIn, presentsKey, problemWithHeader, readKey } from "./api-key.ts";

const FORM = { pattern: /abc_[0-9a-z]{8}/, rule: "A key begins with abc_ and has 8 more signs." };

const KEY = secret("abc_12345678");
const carried = (how: Pick<ApiKeySignIn, "header" | "scheme">) => {
  const { header, value } = presentsKey(how)(KEY);
  return [header, value.reveal()];
};

describe("the header of a key", () => {
  it.each(["x-api-key", "authorization", "x-northlight-key", "apikey"])("%s can carry one", (name) => {
    expect(problemWithHeader(name)).toBeUndefined();
  });

  it.each([
    "cookie",
    "host",
    "content-type",
    "idempotency-key",
    "x-forwarded-for",
    "accept-encoding",
    "signature-input",
    "transfer-encoding",
    "X-Api-Key",
    "x_api_key",
    "x-api-key:",
    "x-api-key\r\nhost",
    "",
    "-x",
    "x".repeat(65),
  ])("AUT-4 %j cannot", (name) => {
    expect(problemWithHeader(name)).toBeDefined();
    expect(() => presentsKey({ header: name })).toThrow();
  });

  it("holds the key alone, or after the site's own word", () => {
    expect(carried({ header: "x-api-key" })).toEqual(["x-api-key", "abc_12345678"]);
    expect(carried({ header: "authorization", scheme: "Token" })).toEqual(["authorization", "Token abc_12345678"]);
    expect(() => presentsKey({ header: "authorization", scheme: "Token: x" })).toThrow(/one short word/);
  });

  it("AUT-4 never shows itself", () => {
    expect(JSON.stringify(presentsKey({ header: "x-api-key" })(KEY))).not.toContain(KEY.reveal());
  });
});

describe("a key as it was pasted", () => {
  it("loses the spaces around it", () => {
    const read = readKey(secret("  abc_12345678\n"), FORM);
    expect(read.ok && read.value.reveal()).toBe("abc_12345678");
  });

  it.each([
    "",
    "abc_1234567",
    "xabc_12345678",
    "abc_12345678x",
    "abc_1234 5678",
    "abc_12345678\r\nx: y",
    "äbc_12345678",
  ])("%j is refused by the site's own rule", (typed) => {
    expect(readKey(secret(typed), FORM)).toEqual({ ok: false, reason: FORM.rule });
  });

  it("is judged alike the second time, whatever the pattern's flags", () => {
    const form = { ...FORM, pattern: /abc_[0-9a-z]{8}/g };
    for (let time = 0; time < 3; time += 1) expect(readKey(secret("abc_12345678"), form).ok).toBe(true);
  });

  it("AUT-4 whatever is typed, what is taken is one line of plain signs, and what is refused is not told", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (typed) => {
        const read = readKey(secret(typed), undefined);
        if (read.ok) expect(read.value.reveal()).toMatch(/^[!-~]{8,512}$/);
        else expect(read.reason).toBe(readKey(undefined, undefined).ok ? "" : read.reason);
      }),
    );
    const [short, long] = ["k".repeat(KEY_CHARS_MIN - 1), "k".repeat(KEY_CHARS_MAX + 1)];
    for (const typed of [short, long]) expect(JSON.stringify(readKey(secret(typed), undefined))).not.toContain(typed);
  });
});
