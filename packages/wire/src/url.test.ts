import { domainToUnicode } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostDisplay, isLoopbackHost, parseHttpUrl, parseOrigin, sameOrigin } from "./index.ts";
import { decodePunycode } from "./punycode.ts";

describe("parseOrigin", () => {
  test.each([
    ["https://shop.example", "https://shop.example"],
    ["HTTPS://Shop.Example", "https://shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080", "http://[::1]:8080"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    ["http://0x7f.1", "http://127.0.0.1"],
  ])("%s", (text, origin) => {
    expect(parseOrigin(text)).toEqual({ ok: true, value: origin });
  });

  test.each([
    ["https://shop.example/", "not_an_origin"],
    ["https://shop.example/path", "not_an_origin"],
    ["https://shop.example?", "not_an_origin"],
    ["https://shop.example#", "not_an_origin"],
    ["https://shop.example.", "malformed"],
    ["https://user@shop.example", "userinfo"],
    ["https://@shop.example", "userinfo"],
    ["https://user:pw@shop.example", "userinfo"],
    ["https://shop.example\\@evil.example", "forbidden_character"],
    ["https://shop.example ", "forbidden_character"],
    ["https://shop\t.example", "forbidden_character"],
    ["https://shop\u200b.example", "forbidden_character"],
    ["https://\u202eshop.example", "forbidden_character"],
    ["https://shop.example\u00a0", "forbidden_character"],
    ["https://\ud800.example", "forbidden_character"],
    ["ftp://shop.example", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["shop.example", "malformed"],
    ["//shop.example", "malformed"],
    ["https:shop.example", "malformed"],
    ["https:/shop.example", "malformed"],
    ["https:///shop.example", "malformed"],
    ["https://", "malformed"],
    ["https://shop.example:99999", "malformed"],
    ["https://1.2.3.256", "malformed"],
    ["", "malformed"],
    [`https://${"a".repeat(9000)}`, "too_long"],
  ])("U51 %j is refused: %s", (text, reason) => {
    expect(parseOrigin(text)).toEqual({ ok: false, reason });
  });

  test("is its own fixed point, and fuzz never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: "binary" }),
          fc.string().map((s) => `https://${s}`),
        ),
        (text) => {
          const url = parseHttpUrl(text);
          if (!url.ok) return;
          expect(url.value.username + url.value.password).toBe("");
          expect(["http:", "https:"]).toContain(url.value.protocol);
          const origin = parseOrigin(url.value.origin);
          if (origin.ok) expect(origin.value).toBe(url.value.origin);
        },
      ),
    );
  });
});

test("parseHttpUrl keeps path and query, refuses what parseOrigin refuses", () => {
  const url = parseHttpUrl("https://shop.example/a?b=c@d#e");
  expect(url.ok && url.value.href).toBe("https://shop.example/a?b=c@d#e");
  expect(parseHttpUrl("https://shop.example/a b")).toEqual({ ok: false, reason: "forbidden_character" });
  expect(parseHttpUrl("https://u@shop.example/")).toEqual({ ok: false, reason: "userinfo" });
});

test("sameOrigin", () => {
  expect(sameOrigin("https://shop.example/a", "https://SHOP.example:443/b?c")).toBe(true);
  expect(sameOrigin(new URL("https://shop.example/a"), "https://shop.example")).toBe(true);
  expect(sameOrigin("https://shop.example", "http://shop.example")).toBe(false);
  expect(sameOrigin("https://shop.example", "https://shop.example:444")).toBe(false);
  expect(sameOrigin("https://shop.example", "https://shop.example.evil.example")).toBe(false);
  expect(sameOrigin("null", "null")).toBe(false);
  expect(sameOrigin("about:blank", "about:blank")).toBe(false);
});

describe("U31 hostDisplay", () => {
  test.each([
    ["shop.example", { ascii: "shop.example" }],
    ["Shop.Example:8443", { ascii: "shop.example:8443" }],
    ["bücher.example", { ascii: "xn--bcher-kva.example", warning: "punycode" }],
    ["xn--bcher-kva.example", { ascii: "xn--bcher-kva.example", warning: "punycode" }],
    ["аррӏе.com", { ascii: "xn--80ak6aa92e.com", warning: "whole_script" }],
    ["shop.аррӏе.example", { ascii: "shop.xn--80ak6aa92e.example", warning: "whole_script" }],
    ["привет.example", { ascii: "xn--b1agh1afp.example", warning: "punycode" }],
    ["pаypal.com", { ascii: "xn--pypal-4ve.com", warning: "mixed_scripts" }],
    ["shop.xn--pypal-4ve.example", { ascii: "shop.xn--pypal-4ve.example", warning: "mixed_scripts" }],
    ["shop.example/evil", { ascii: "shop.example/evil", warning: "not_a_host" }],
    ["a b\u202e", { ascii: "a[U+0020]b[U+202E]", warning: "not_a_host" }],
  ])("%s", (host, shown) => {
    expect(hostDisplay(host)).toEqual(shown);
  });

  test("always answers printable ASCII", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (host) => {
        expect(hostDisplay(host).ascii).toMatch(/^[!-~]*$/);
      }),
    );
  });

  test("the decoder agrees with the platform's", () => {
    const label = fc.string({ unit: fc.constantFrom(..."abz09éßжяωшבאあ漢😀"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(label, (text) => {
        if (!URL.canParse(`https://${text}.example`)) return;
        const { hostname } = new URL(`https://${text}.example`);
        const [ascii = ""] = hostname.split(".");
        if (ascii.startsWith("xn--")) {
          expect(decodePunycode(ascii.slice(4))).toBe(domainToUnicode(hostname).split(".")[0]);
        }
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void decodePunycode(text)));
    expect(decodePunycode("99999999")).toBe(undefined);
    expect(decodePunycode("a-_")).toBe(undefined);
  });
});

describe("U51 this very machine", () => {
  test.each(["http://localhost:1/", "http://127.0.0.1/", "http://[::1]:8/", "http://LOCALHOST/", "http://0x7f.1/"])(
    "is meant by %s",
    (url) => expect(isLoopbackHost(new URL(url).hostname)).toBe(true),
  );

  test.each([
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://10.0.0.1/",
  ])("is not meant by %s", (url) => expect(isLoopbackHost(new URL(url).hostname)).toBe(false));
});
