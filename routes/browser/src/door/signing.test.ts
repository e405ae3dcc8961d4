import { describe, expect, it } from "vitest";
import { mayBeSigned, type Standing, signedHeaders } from "./signing.ts";

const ORIGIN = "https://shop.example";
const standing = (change: Partial<Standing> = {}): Standing => ({
  url: `${ORIGIN}/a?b=1`,
  method: "GET",
  resourceType: "Fetch",
  headers: { Referer: `${ORIGIN}/` },
  body: new Uint8Array(),
  isTopLevel: async () => false,
  askedBy: async () => undefined,
  ...change,
});

describe("PLG-7 which requests of a page say who is calling", () => {
  it.each<[string, Partial<Standing>]>([
    [
      "the document of a page, wherever the link stood",
      { resourceType: "Document", isTopLevel: async () => true, headers: { Referer: "https://news.example/" } },
    ],
    ["what the page itself asks for", {}],
    ["what it posts", { method: "POST", headers: { Origin: ORIGIN, Referer: `${ORIGIN}/x` } }],
    ["a frame of its own", { resourceType: "Document" }],
    ["what a page asks for that sends no referrer", { headers: {}, askedBy: async () => ORIGIN }],
  ])("%s", async (_title, change) => {
    expect(await mayBeSigned(standing(change), ORIGIN)).toBe(true);
  });

  it.each<[string, Partial<Standing>]>([
    ["another origin", { url: "https://cdn.shop.example/a" }],
    ["another port", { url: `${ORIGIN}:8443/a` }],
    ["asked for by another site's page", { headers: { Referer: "https://ads.example/" } }],
    [
      "posted by another site's page",
      { method: "POST", headers: { Origin: "https://ads.example", Referer: `${ORIGIN}/` } },
    ],
    ["by a page that hides where it is from", { method: "POST", headers: { Origin: "null", Referer: `${ORIGIN}/` } }],
    ["in a frame that another site opens", { resourceType: "Document", headers: { Referer: "https://ads.example/" } }],
    ["by nobody that can be found", { headers: {} }],
    ["a body that is not handed over whole", { method: "POST", body: undefined }],
  ])("not %s", async (_title, change) => {
    expect(await mayBeSigned(standing(change), ORIGIN)).toBe(false);
  });
});

describe("PLG-7 what the request goes on with", () => {
  it("its own headers and what was added, the cookies left to the browser; the body is signed as it is", async () => {
    const request = standing({
      method: "POST",
      headers: { Cookie: "sid=1", Origin: ORIGIN, "Content-Type": "text/plain" },
      body: new Uint8Array([1, 2]),
    });
    const seen: unknown[] = [];
    const headers = await signedHeaders(request, async (asked) => {
      seen.push(asked.method, asked.url, asked.headers.get("cookie"), [
        ...new Uint8Array(await asked.clone().arrayBuffer()),
      ]);
      const all = new Headers(asked.headers);
      all.set("signature", "sig1=:A:");
      return new Request(asked, { headers: all });
    });
    expect(seen).toEqual(["POST", `${ORIGIN}/a?b=1`, null, [1, 2]]);
    expect(headers).toEqual([
      { name: "Origin", value: ORIGIN },
      { name: "Content-Type", value: "text/plain" },
      { name: "signature", value: "sig1=:A:" },
    ]);
  });

  it("nothing is touched where nobody signs", async () => {
    expect(await signedHeaders(standing(), async (asked) => asked)).toBeUndefined();
  });
});
