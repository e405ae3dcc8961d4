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
