import { secret } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { fromMaterial, type StorageState, sameState, toMaterial } from "./material.ts";
import { secretValues } from "./secrets.ts";

type Cookie = StorageState["cookies"][number];
const cookie = (more: Partial<Cookie>): Cookie => ({
  name: "sid",
  value: "value",
  domain: "shop.example",
  path: "/",
  expires: 1_900_000_000.123,
  httpOnly: false,
  secure: true,
  sameSite: "Lax",
  ...more,
});
const state = (cookies: Cookie[], stored: Record<string, string> = {}): StorageState => ({
  cookies,
  origins: [
    {
      origin: "https://shop.example",
      localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })),
    },
  ],
});

describe("material", () => {
  it("comes back as it went", () => {
    const kept = state([cookie({})], { half: "\ud800" });
    expect(fromMaterial(toMaterial(kept))).toEqual({ ok: true, value: kept });
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"v":2,"storageState":{"cookies":[],"origins":[]}}',
    '{"v":1}',
    '{"v":1,"storageState":{"cookies":[{}],"origins":[]}}',
    '{"v":1,"storageState":{"cookies":[],"origins":{}}}',
  ])("of another form is refused: %j", (text) => {
    expect(fromMaterial(secret(text)).ok).toBe(false);
  });

  it("is new when a value is, not when the order or a few milliseconds are", () => {
    const a = cookie({ name: "a" });
    const b = cookie({ name: "b" });
    expect(sameState(state([a, b], { x: "1", y: "2" }), state([b, a], { y: "2", x: "1" }))).toBe(true);
    expect(sameState(state([a]), state([{ ...a, expires: a.expires + 0.2 }]))).toBe(true);
    expect(sameState(state([a]), state([{ ...a, expires: a.expires + 120 }]))).toBe(false);
    expect(sameState(state([a]), state([{ ...a, value: "other" }]))).toBe(false);
    expect(sameState(state([a], { x: "1" }), state([a], { x: "\ud800" }))).toBe(false);
    expect(sameState(state([a]), state([]))).toBe(false);
  });
});

describe("AUT-4 secretValues", () => {
  const values = (...args: Parameters<typeof state>) => secretValues(state(...args)).map((each) => each.reveal());

  it("names hidden cookies and tokens, also decoded and inside JSON", () => {
    const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";
    expect(values([cookie({ httpOnly: true, value: "s%3Aabcdef" })])).toEqual(["s%3Aabcdef", "s:abcdef"]);
    expect(values([], { a: token, b: JSON.stringify({ deep: [{ t: `${token}x1` }] }) })).toEqual([token, `${token}x1`]);
  });

  it("leaves settings, words and order numbers alone", () => {
    expect(values([cookie({ value: "USD" }), cookie({ httpOnly: true, value: "dark" })])).toEqual([]);
    const order = "0f8fad5b-d9cb-469f-a165-70867728950e";
    expect(values([], { order, text: "A long enough sentence 1", url: "https://shop.example/a/1/b2" })).toEqual([]);
  });
});
