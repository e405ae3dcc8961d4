import type { RequestPattern } from "@countersign/plugin";
import { describe, expect, it } from "vitest";
import { commitOf } from "./commits.ts";

const pattern: RequestPattern = { method: "POST", path: "/api/carts/*/checkout" };
const guarded = [{ origin: "https://shop.example", patterns: [pattern] }];
const of = (method: string, url: string) => commitOf(method, url, guarded);

describe("commitOf", () => {
  it.each([
    "https://shop.example/api/carts/7/checkout",
    "https://shop.example/api/carts/7/checkout?x=1#y",
    "https://shop.example:443/api/carts/7/checkout/",
    "https://shop.example/api//carts/7/checkout",
    "https://shop.example/api/%63arts/7/checkout",
    "https://shop.example/x/../api/carts/a%2Fb/checkout",
  ])("names %s a commit", (url) => {
    expect(of("POST", url)).toBe(pattern);
    expect(of("post", url)).toBe(pattern);
  });

  it.each([
    "https://shop.example/api/carts/7/8/checkout",
    "https://shop.example/api/carts/checkout",
    "https://shop.example/api/carts/7/checkout/more",
    "https://www.shop.example/api/carts/7/checkout",
    "http://shop.example/api/carts/7/checkout",
    "https://shop.example:8443/api/carts/7/checkout",
    "not a url",
  ])("does not name %s one", (url) => {
    expect(of("POST", url)).toBeUndefined();
  });

  it("takes the method exactly", () => {
    expect(of("GET", "https://shop.example/api/carts/7/checkout")).toBeUndefined();
    expect(of("PUT", "https://shop.example/api/carts/7/checkout")).toBeUndefined();
  });

  it("APR-5 looks at no body: where a path takes reads too, everything sent there is a commit", () => {
    const graphql: RequestPattern = { method: "POST", path: "/shop-api", exceptDocuments: ["{ me { id } }"] };
    const there = [{ origin: "https://shop.example", patterns: [graphql] }];
    expect(commitOf("POST", "https://shop.example/shop-api", there)).toBe(graphql);
  });
});
