import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHttpEntry } from "../kernel/seam-points.ts";
import { GATEWAY_ORIGIN, httpPlace } from "./http-place.ts";

const at = (path: string, method = "GET", origin = GATEWAY_ORIGIN) => httpPlace({ origin, method, path });

describe("PLG-1 where a plugin may serve", () => {
  it.each([
    "/trusted",
    "/trusted/v1/inbox",
    "/Trusted/x",
    "/TRUSTED",
    "/%74rusted",
    "//trusted",
    "/./trusted",
    "/x/../trusted",
    "/x/%2e%2e/trusted",
    "/trusted%2fx",
    "/x\\..\\trusted",
    "\\trusted",
    "/:any/v1",
    "/*",
    "/x/*",
    "/",
    "",
    "trusted",
    "/mcp/",
    "/mcp?x",
    "/mcp#x",
    "/.well-known/:any",
    "/.well-known",
    "/a b",
    "/trüsted",
    "/x\u0000",
  ])("nothing is served at %s", (path) => {
    expect(at(path).ok).toBe(false);
  });

  it("two that could be taken for one another are one place", () => {
    const same = ["/mcp/:id", "/MCP/:other", "/mcp/:a1"].map((path) => at(path));
    expect(new Set(same.map((place) => place.ok && place.value)).size).toBe(1);
    expect(at("/mcp", "get").ok).toBe(false);
    expect(at("/mcp", "POST")).not.toEqual(at("/mcp", "GET"));
    expect(at("/mcp", "GET", "https://pay.example").ok).toBe(true);
    for (const origin of ["https://pay.example/", "pay.example", "", "https://PAY.example"])
      expect(at("/mcp", "GET", origin).ok, origin).toBe(false);
  });

  it("whatever a URL reader makes of a place that is taken, it is the path itself and not under /trusted", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("/", ".", "%", "2", "e", "t", "rusted", "\\", ":", "~", "T") }),
        (text) => {
          const path = `/${text}`;
          if (!at(path).ok || path.includes(":")) return;
          const { pathname } = new URL(path, "http://localhost");
          expect(pathname).toBe(path);
          expect(decodeURIComponent(pathname).toLowerCase()).not.toMatch(/^\/+trusted(\/|$)/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("an entry is whole", () => {
    const entry = {
      origin: GATEWAY_ORIGIN,
      method: "POST",
      path: "/mcp",
      auth: "agent",
      handler: async () => new Response(),
    };
    expect(isHttpEntry(entry)).toBe(true);
    for (const change of [{ auth: "none" }, { handler: 1 }, { path: 1 }, { resource: "/a/:b" }, { resource: "x" }])
      expect(isHttpEntry({ ...entry, ...change }), JSON.stringify(change)).toBe(false);
  });
});
