import type { Json } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { commitOf } from "./commits.ts";

const PATTERNS = [
  { method: "POST", path: "/api/orders" },
  { method: "DELETE", path: "/api/plans/*" },
] as const;

describe("which requests commit", () => {
  it.each([
    ["POST", "/api/orders"],
    ["POST", "/api/orders?dry=1"],
    ["POST", "/api/orders/"],
    ["POST", "//api//orders"],
    ["POST", "/api/%6frders"],
    ["POST", "/api/x/../orders"],
    ["DELETE", "/api/plans/7"],
  ])("%s %s does", (method, path) => {
    expect(commitOf(method, new URL(`http://shop.example${path}`), PATTERNS)).toBeDefined();
  });

  it.each([
    ["GET", "/api/orders"],
    ["POST", "/api/orders/1"],
    ["POST", "/api"],
    ["DELETE", "/api/plans/7/8"],
    ["POST", "/api/%ff"],
  ])("%s %s does not", (method, path) => {
    expect(commitOf(method, new URL(`http://shop.example${path}`), PATTERNS)).toBeUndefined();
  });
});

const READ = "query Cart { activeOrder { code } }";
const GRAPHQL = [{ method: "POST", path: "/shop-api", exceptDocuments: [READ] }] as const;

describe("where reads and commits go to one path", () => {
  const commit = (body?: Json, path = "/shop-api") =>
    commitOf("POST", new URL(`http://shop.example${path}`), GRAPHQL, body) !== undefined;

  it("a declared read commits nothing", () => {
    expect(commit({ query: READ, variables: { take: 3 } })).toBe(false);
    expect(commit({ query: READ }, "/shop-api?languageCode=de")).toBe(false);
  });

  it.each<[string, Json | undefined]>([
    ["another document", { query: "mutation { addPaymentToOrder { code } }" }],
    ["more than the read", { query: `${READ} mutation Pay { pay }`, operationName: "Pay" }],
    ["several at once", [{ query: READ }]],
    ["no body", undefined],
  ])("APR-5 everything else does: %s", (_, body) => {
    expect(commit(body)).toBe(true);
  });

  it("APR-5 a path that a site takes for the same is the same", () => {
    expect(commit({ query: "mutation { pay }" }, "//shop%2Dapi/")).toBe(true);
  });

  it("APR-5 what one operation reads is a commit while another does not declare it", () => {
    const both = [...GRAPHQL, { method: "POST", path: "/shop-api", exceptDocuments: [] }] as const;
    expect(commitOf("POST", new URL("http://shop.example/shop-api"), both, { query: READ })).toBeDefined();
  });
});
