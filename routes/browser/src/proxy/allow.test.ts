import { describe, expect, it } from "vitest";
import { allowList, parseAbsolute, parseAuthority, placeKey } from "./allow.ts";

describe("allowList", () => {
  it("takes host and port exactly", () => {
    const allowed = allowList([
      "https://Shop.example",
      "http://127.0.0.1:4601",
      "http://[::1]:80",
      "ftp://x",
      "nonsense",
    ]);
    expect([...allowed].sort()).toEqual(["127.0.0.1:4601", "::1:80", "shop.example:443"]);
  });
});

describe("parseAuthority", () => {
  it.each([
    ["shop.example:443", "shop.example:443"],
    ["SHOP.example:443", "shop.example:443"],
    ["[::1]:80", "::1:80"],
    // Chromium never sends these; they must not be read as something allowed.
    ["0x7f.1:80", "127.0.0.1:80"],
  ])("reads %s", (text, key) => {
    const place = parseAuthority(text);
    expect(place && placeKey(place)).toBe(key);
  });

  it.each([
    "shop.example",
    "shop.example:0",
    "shop.example:99999",
    "a@shop.example:443",
    "shop.example/x:443",
    ":443",
    "a:1:2",
    "x?:1",
    "x#:1",
    "",
  ])("refuses %j", (text) => {
    expect(parseAuthority(text)).toBeUndefined();
  });
});

describe("parseAbsolute", () => {
  it("reads an http URL and drops the fragment", () => {
    expect(parseAbsolute("http://shop.example/a?b=1#c")).toEqual({
      place: { host: "shop.example", port: 80 },
      path: "/a?b=1",
    });
  });

  it.each(["/path", "https://shop.example/", "http://user@shop.example/", "nonsense"])("refuses %j", (text) => {
    expect(parseAbsolute(text)).toBeUndefined();
  });
});
