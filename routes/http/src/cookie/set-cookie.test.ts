import { secret } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { presentsCookie, readSetCookie } from "./set-cookie.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const HTTPS = new URL("https://www.insurer.example/api/session");
const LOOPBACK = new URL("http://127.0.0.1:4010/api/session");
const PLAIN = new URL("http://insurer.example/api/session");
const read = (line: string, url = HTTPS, name = "sid") => readSetCookie(line, name, { url, now: NOW });

/** What is kept, as text; or why nothing is. */
function kept(line: string, url = HTTPS, name = "sid"): string | undefined {
  const taken = read(line, url, name);
  if (taken === undefined) return undefined;
  if (!taken.ok) return taken.reason;
  return taken.value.kind === "ended" ? "ended" : taken.value.cookie.value.reveal();
}

describe("the session's cookie in an answer", () => {
  it("is taken by its exact name, and no other", () => {
    expect(kept("sid=abc; Path=/; Secure; HttpOnly; SameSite=Lax")).toBe("abc");
    for (const line of ["SID=abc", "sid2=abc", "xsid=abc", "lang=sid=abc", "=abc", "abc", ""])
      expect(kept(line), line).toBeUndefined();
  });

  it.each([
    ["sid=abc; Domain=www.insurer.example", "abc"],
    ["sid=abc; domain=.insurer.example", "abc"],
    ["sid=abc; Domain=", "abc"],
    ["sid=abc; Domain=evil.example", "another_host"],
    ["sid=abc; Domain=example", "another_host"],
    ["sid=abc; Domain=insurer.example.evil.example", "another_host"],
    ["sid=abc; Domain=surer.example", "another_host"],
    ["sid=abc; Domain=api.www.insurer.example", "another_host"],
    ["sid=abc; Domain=insurer.example; Domain=evil.example", "another_host"],
  ])("U51 of another host is refused: %s", (line, seen) => {
    expect(kept(line)).toBe(seen);
  });

  it("an address has no host above it", () => {
    expect(kept("sid=abc; Domain=127.0.0.1", LOOPBACK)).toBe("abc");
    expect(kept("sid=abc; Domain=0.0.1", LOOPBACK)).toBe("another_host");
  });

  it("Secure is kept where it can be: encrypted, or on this machine itself", () => {
    expect(kept("sid=abc; Secure")).toBe("abc");
    expect(kept("sid=abc; Secure", LOOPBACK)).toBe("abc");
    expect(kept("sid=abc; Secure", PLAIN)).toBe("not_secure");
    expect(kept("sid=abc", PLAIN)).toBe("abc");
  });

  it.each([
    ["sid=abc; Path=/", "abc"],
    ["sid=abc; Path=/api", "abc"],
    ["sid=abc; Path=relative", "abc"],
    ["sid=abc; Path=/ap", "another_path"],
    ["sid=abc; Path=/shop", "another_path"],
  ])("of another part of the site is none: %s", (line, seen) => {
    expect(kept(line)).toBe(seen);
  });

  it("name prefixes are what they promise", () => {
    expect(kept("__Host-sid=abc; Secure; Path=/", HTTPS, "__Host-sid")).toBe("abc");
    expect(kept("__Secure-sid=abc; Secure", HTTPS, "__Secure-sid")).toBe("abc");
    for (const line of ["Path=/", "Secure", "Secure; Path=/; Domain=insurer.example", "Secure; Path=/api"])
      expect(kept(`__Host-sid=abc; ${line}`, HTTPS, "__Host-sid"), line).toBe("prefix_broken");
    expect(kept("__Secure-sid=abc", HTTPS, "__Secure-sid")).toBe("prefix_broken");
  });

  it.each([
    "sid=; Path=/",
    'sid=""',
    "sid=abc; Max-Age=0",
    "sid=abc; Max-Age=-1; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
    "sid=abc; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  ])("one that is taken back has ended: %s", (line) => {
    expect(kept(line)).toBe("ended");
  });

  it("its end is Max-Age before Expires; what cannot be read says nothing", () => {
    const end = (line: string) => {
      const taken = read(line);
      return taken?.ok && taken.value.kind === "kept" ? taken.value.cookie.expiresAtMs : "none";
    };
    expect(end("sid=a; Max-Age=60; Expires=Fri, 01 Jan 2100 00:00:00 GMT")).toBe(NOW + 60_000);
    expect(end("sid=a; Expires=Mon, 30 Nov 2026 13:00:00 GMT")).toBe(NOW + 3_600_000);
    expect(end("sid=a; Max-Age=soon; Expires=soon")).toBeUndefined();
  });

  it("AUT-4 whatever a site sets, what is sent is one cookie of one line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (value) => {
        const taken = read(`sid=${value}`);
        if (taken?.ok !== true || taken.value.kind !== "kept") return;
        const { cookie } = taken.value;
        expect(presentsCookie(cookie.name)(cookie.value).value.reveal()).toMatch(/^sid=[^\s;,\\]+$/);
      }),
    );
    expect(kept(`sid=${"a".repeat(5000)}`)).toBe("too_long");
    expect(() => presentsCookie("a=b; c")).toThrow();
    expect(JSON.stringify(presentsCookie("sid")(secret("abcdef")))).not.toContain("abcdef");
  });
});
