import { GATEWAY_ORIGIN, type HttpEntry } from "@countersign/plugin";
import { expect, it } from "vitest";
import { placeProblems, resourcesOf } from "./places.ts";

const ISSUER = "https://gate.example";
const entry = (path: string, more: Partial<HttpEntry> = {}) => ({
  plugin: "protocol.x",
  value: {
    origin: GATEWAY_ORIGIN,
    method: "GET",
    path,
    auth: "agent",
    handler: async () => new Response(),
    ...more,
  } satisfies HttpEntry,
});

it("PLG-1 nothing stands at a place of the gateway's own, in whatever letters", () => {
  const own = ["/v1/x", "/V1/x", "/oauth/x", "/tasks", "/Approvals/x", "/assets/x", "/healthz", "/api/v2"];
  const wellKnown = ["oauth-protected-resource", "openid-configuration", "countersign-keys", "OAuth-x"];
  for (const path of [...own, ...wellKnown.map((name) => `/.well-known/${name}`)])
    expect(placeProblems(ISSUER, [entry(path)]), path).toHaveLength(1);
  expect(placeProblems(ISSUER, [entry("/x", { resource: "/v1" })])).toHaveLength(1);
  expect(placeProblems(ISSUER, [entry("/mcp"), entry("/.well-known/agent-card.json", { auth: "public" })])).toEqual([]);
});

it("PLG-1 two at one place are refused with both names, and so is another origin", () => {
  const other = { ...entry("/MCP/:b"), plugin: "protocol.y" };
  const [problem] = placeProblems(ISSUER, [entry("/mcp/:a"), other]);
  expect(problem).toMatch(/protocol\.x and protocol\.y/);
  expect(placeProblems(ISSUER, [entry("/mcp", { origin: "https://pay.example" })])).toHaveLength(1);
  expect(placeProblems(ISSUER, [entry("/mcp", { origin: ISSUER })])).toEqual([]);
});

it("U50 tokens are for the resources of guarded entries", () => {
  const entries = [
    entry("/mcp"),
    entry("/mcp", { method: "POST" }),
    entry("/a2a/v1/x", { resource: "/a2a" }),
    entry("/card", { auth: "public" }),
  ];
  expect(resourcesOf(ISSUER, entries)).toEqual([`${ISSUER}/mcp`, `${ISSUER}/a2a`]);
});
