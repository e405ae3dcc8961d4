import { assert, ok, secret } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { createDoor } from "./door.ts";
import type { Tokens } from "./oauth/tokens.ts";
import { Stopped } from "./trouble.ts";

const ENDPOINT = new URL("https://shop.example/mcp");
const TOKEN = secret("upstream-token");
const tokens: Tokens = {
  current: async () => ok(TOKEN),
  fresh: async () => ok(undefined),
  refused: async () => ok(TOKEN),
  challenged: async () => "no",
  secrets: () => [TOKEN],
};

function open() {
  const sent: Request[] = [];
  const door = createDoor({
    ctx: {
      fetch: async (request) => {
        sent.push(request);
        return Response.json({ jsonrpc: "2.0", id: 1, result: {} });
      },
      withIdentity: async (request) => request,
    },
    endpoint: ENDPOINT,
    commits: ["order"],
    tokens,
  });
  const post = (method: string, name: string, headers: Readonly<Record<string, string>> = {}) => ({
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { name, arguments: {} } }),
  });
  return { sent, door, post };
}

describe("what the protocol's library may send", () => {
  it("PLG-6 never a tool that commits, whatever asks for it: it is held, and the gateway sends it once", async () => {
    const { sent, door, post } = open();
    await expect(async () => door.fetch(ENDPOINT, post("tools/call", "order"))).rejects.toThrow(Stopped);
    expect(sent).toEqual([]);
    const held = await door.hold("order", async () => door.fetch(ENDPOINT, post("tools/call", "order")));
    assert(typeof held !== "string", "the call is held");
    expect([held.request.method, held.request.url, sent.length]).toEqual(["POST", ENDPOINT.href, 0]);
    await held.abandon();
    await expect(async () => door.fetch(ENDPOINT, post("tools/call", "quote"))).rejects.toThrow(Stopped);
    expect(sent).toEqual([]);
  });

  it("U50 to the one endpoint, and with no header but the protocol's and our own token", async () => {
    const { sent, door, post } = open();
    for (const elsewhere of ["https://shop.example/other", "https://evil.example/mcp", "http://shop.example/mcp"])
      await expect(async () => door.fetch(elsewhere, post("tools/call", "quote"))).rejects.toThrow(Stopped);
    expect(sent).toEqual([]);
    const strange = { authorization: "Bearer of-somebody", cookie: "a=b", "x-forwarded-for": "10.0.0.1" };
    await door.fetch(ENDPOINT, post("tools/call", "quote", { ...strange, "mcp-protocol-version": "2026-07-28" }));
    const [request] = sent;
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: "Bearer upstream-token",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
    });
    expect(request?.redirect).toBe("manual");
  });
});
