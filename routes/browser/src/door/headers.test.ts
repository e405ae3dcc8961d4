import { describe, expect, it } from "vitest";
import { answerHeaders, heldHeaders, type Intercepted } from "./headers.ts";

const request: Intercepted = {
  url: "https://shop.example/buy",
  resourceType: "XHR",
  headers: { Cookie: "a=b", Origin: "https://shop.example", Connection: "keep-alive", "Content-Length": "3" },
  pageOrigin: undefined,
  frame: "top",
  acceptLanguage: "en-US",
};
const plain = (each: Intercepted) =>
  Object.fromEntries(heldHeaders(each).map(([name, value]) => [name, value.reveal()]));

describe("heldHeaders", () => {
  it("keeps what the page sends, drops what belongs to a connection, adds what Chromium adds later", () => {
    expect(plain(request)).toEqual({
      cookie: "a=b",
      origin: "https://shop.example",
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "cors",
      "sec-fetch-dest": "empty",
      "accept-language": "en-US",
      "accept-encoding": "identity",
    });
  });

  it.each([
    [{ Origin: "https://shop.example" }, undefined, "same-origin"],
    [{ Origin: "https://www.shop.example" }, undefined, "same-site"],
    [{ Origin: "http://shop.example" }, undefined, "cross-site"],
    [{ Origin: "https://evil.example" }, "https://shop.example", "cross-site"],
    [{ Origin: "null" }, "https://shop.example", "same-origin"],
    [{ Origin: "null", Referer: "https://evil.example/x" }, undefined, "cross-site"],
    [{}, undefined, "cross-site"],
  ] as const)("tells the site from %j and the page %s: %s", (headers, pageOrigin, site) => {
    expect(plain({ ...request, headers, pageOrigin })["sec-fetch-site"]).toBe(site);
  });

  it("says that the answer of a navigation stands in a frame, where it does", () => {
    const navigation = { ...request, resourceType: "Document" };
    expect(plain(navigation)["sec-fetch-dest"]).toBe("document");
    expect(plain({ ...navigation, frame: "inner" })["sec-fetch-dest"]).toBe("iframe");
    expect(plain({ ...request, frame: "inner" })["sec-fetch-dest"]).toBe("empty");
  });

  it("shows no value when printed", () => {
    expect(JSON.stringify(heldHeaders(request))).not.toContain("a=b");
  });
});

it("answerHeaders keeps each Set-Cookie apart and drops lengths and encodings", () => {
  const headers = [
    ["Set-Cookie", "a=1"],
    ["set-cookie", "b=2"],
    ["Content-Length", "10"],
    ["Content-Encoding", "br"],
    ["Transfer-Encoding", "chunked"],
    ["Connection", "close"],
    ["content-type", "text/html"],
  ] as const;
  expect(answerHeaders({ status: 200, headers, body: new Uint8Array() })).toEqual([
    { name: "Set-Cookie", value: "a=1" },
    { name: "set-cookie", value: "b=2" },
    { name: "content-type", value: "text/html" },
  ]);
});
