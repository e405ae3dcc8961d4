import { createEgress } from "@countersign/gateway";
import { assert, type JsonObject } from "@countersign/wire";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadOAuthKeys } from "../packages/gateway/src/oauth/keys.ts";
import { Agent } from "./support/agent.ts";
import { send } from "./support/http.ts";
import { filesBelow, leaks } from "./support/leaks.ts";
import { callTool, type McpReady, mcpClient, mcpWorld, orderArguments, rawCall, rawResult } from "./support/mcp.ts";

let ready: McpReady;
/** Every byte that the gateway sent to a destination. */
const sent: string[] = [];
beforeAll(async () => {
  ready = await mcpWorld({
    egress: (guard) => {
      const real = createEgress(guard);
      return {
        ...real,
        fetch: async (request) => {
          sent.push(request.url, JSON.stringify([...request.headers]), await request.clone().text());
          return real.fetch(request);
        },
        sendOnce: (held, mayLeave) => {
          sent.push(held.url, Buffer.from(held.body.reveal()).toString("latin1"));
          sent.push(JSON.stringify(held.headers.map(([name, value]) => [name, value.reveal()])));
          return real.sendOnce(held, mayLeave);
        },
      };
    },
  });
});
afterAll(() => ready.world.close());

const ping = { method: "tools/list", params: {} };

/** A token of our own making: the claims of a good one, changed, under whatever key. */
async function forged(change: JsonObject, key: "ours" | "foreign"): Promise<string> {
  const { core } = ready.world.gateway;
  const [own] = await core.store.as("system", () =>
    loadOAuthKeys({ store: core.store, sealer: core.sealer, now: core.now } as never),
  );
  const header = decodeProtectedHeader(ready.token);
  const signer =
    key === "ours"
      ? await importJWK({ ...own.privateJwk.reveal() } as never, "ES256")
      : (await generateKeyPair("ES256")).privateKey;
  return new SignJWT({ ...decodeJwt(ready.token), ...change })
    .setProtectedHeader({ ...header, alg: "ES256" })
    .sign(signer);
}

describe("AUT-3 U50 who may come in", () => {
  it("takes a token for this resource alone", async () => {
    expect((await rawCall(ready, ping)).status).toBe(200);
    const good = await forged({}, "ours");
    expect((await rawCall({ ...ready, token: good }, ping)).status, "a token made as ours are counts").toBe(200);
    const tokens = {
      "for the API": ready.agent.token,
      "for the resource with a slash": await forged({ aud: `${ready.url}/` }, "ours"),
      "for nobody": await forged({ aud: [] }, "ours"),
      "for us and another": await forged({ aud: [ready.url, "https://other.example/mcp"] }, "ours"),
      "of another issuer": await forged({ iss: "https://other.example" }, "ours"),
      "under another key": await forged({}, "foreign"),
      "of the past": await forged({ exp: Math.floor(Date.now() / 1000) - 60 }, "ours"),
      "without a subject": await forged({ sub: "" }, "ours"),
      "that is none": "rubbish",
    };
    for (const [what, token] of Object.entries(tokens)) {
      const reply = await rawCall({ ...ready, token }, ping);
      expect(reply.status, what).toBe(401);
      expect(reply.headers.get("www-authenticate"), what).toBe(
        `Bearer error="invalid_token", resource_metadata="${ready.world.issuer}/.well-known/oauth-protected-resource/mcp", scope="agent"`,
      );
    }
    expect((await ready.agent.get("/v1/accounts")).status, "the API takes its own").toBe(200);
    const astray = await send(ready.world.issuer, "GET", "/v1/accounts", {
      headers: { authorization: `Bearer ${ready.token}` },
    });
    expect(astray.status, "and not the one for here").toBe(401);
  });

  it("MAP-1 without a token, or with one in the address, says where to get one", async () => {
    const { issuer } = ready.world;
    for (const path of ["/mcp", `/mcp?access_token=${ready.token}`]) {
      const reply = await send(issuer, "POST", path, { headers: { "content-type": "application/json" }, body: "{}" });
      expect([path, reply.status]).toEqual([path, 401]);
      expect(reply.headers["www-authenticate"]).not.toContain("error=");
      const metadata = /resource_metadata="([^"]+)"/.exec(String(reply.headers["www-authenticate"]))?.[1];
      const document = await send(issuer, "GET", new URL(metadata ?? "", issuer).pathname);
      expect(document.json).toEqual({
        resource: ready.url,
        authorization_servers: [issuer],
        scopes_supported: ["agent"],
        bearer_methods_supported: ["header"],
      });
    }
    for (const path of ["", "/mcp/", "/mcp/x", "/other"])
      expect((await send(issuer, "GET", `/.well-known/oauth-protected-resource${path}`)).status, path).toBe(404);
  });

  it("U36 refuses other hosts and other pages before it looks at any token", async () => {
    const { issuer } = ready.world;
    const call = (headers: Record<string, string>) =>
      send(issuer, "POST", "/mcp", { headers: { "content-type": "application/json", ...headers }, body: "{}" });
    expect((await call({ host: "evil.example" })).status).toBe(403);
    for (const origin of ["null", "https://evil.example", `${issuer}.evil.example`, "http://localhost"])
      expect((await call({ origin })).status, origin).toBe(403);
    expect((await call({ origin: issuer })).status).toBe(401);
  });

  it("takes one JSON object and nothing that two readers could read in two ways", async () => {
    const raw = async (body: string, headers: Record<string, string> = {}) => {
      const reply = await send(ready.world.issuer, "POST", "/mcp", {
        headers: { authorization: `Bearer ${ready.token}`, "content-type": "application/json", ...headers },
        body,
      });
      return [reply.status, (reply.json["error"] as JsonObject | undefined)?.["code"]];
    };
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
    expect(await raw(`[${list}]`)).toEqual([400, -32600]);
    expect(await raw('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}')).toEqual([400, -32700]);
    expect(await raw("{")).toEqual([400, -32700]);
    expect(await raw(list, { "content-type": "text/plain" })).toEqual([415, -32600]);
    expect((await raw(`{"x":"${"y".repeat(70_000)}"}`))[0]).toBe(413);
    for (const method of ["GET", "DELETE"]) {
      const reply = await send(ready.world.issuer, method, "/mcp", {
        headers: { authorization: `Bearer ${ready.token}` },
      });
      expect([method, reply.status]).toEqual([method, 405]);
    }
  });
});

it("an agent's tools are what its grants allow, now; another agent's references are unknown ones", async () => {
  const stranger = await Agent.join(ready.world, ready.person, "Another agent");
  const theirs = await mcpClient(ready.url, await stranger.tokenFor(ready.url));
  const names = (await theirs.listTools()).tools.map((t) => t.name);
  expect(names).not.toContain("retail_order_submit");
  const ours = await mcpClient(ready.url, ready.token);
  const read = await callTool(ours, "retail_orders_list", {
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    parameters: {},
  });
  const taskId = String(read.body["task_id"]);
  for (const tool of ["task_get", "task_wait", "task_cancel", "task_receipt"]) {
    const foreign = await callTool(theirs, tool, { task_id: taskId });
    const unknown = await callTool(theirs, tool, { task_id: "task_unknownunknown" });
    expect([tool, foreign.isError, foreign.body]).toEqual([tool, true, unknown.body]);
    expect(foreign.body["code"]).toBe("not_found");
  }
  const account = await callTool(theirs, "capabilities_list", { account_ref: ready.accountRef });
  expect(account.body["code"]).toBe("not_found");
  await theirs.close();
  await ours.close();
});

it("U36 the answers of plugins stand under the server's own headers, and a known tool takes no member that it does not name", async () => {
  const reply = await rawCall(ready, ping);
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(reply.headers.get("x-frame-options")).toBe("DENY");
  expect(reply.headers.get("set-cookie")).toBeNull();
  const client = await mcpClient(ready.url, ready.token);
  const extra = await callTool(client, "retail_order_submit", { ...orderArguments(ready), approved: true });
  expect(extra.isError).toBe(true);
  await expect(client.callTool({ name: "approve", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  await client.close();
});

it("AUT-3 PLG-10 no byte to a destination, no log line and no file holds a token that came in", async () => {
  const client = await mcpClient(ready.url, ready.token);
  const asked = await callTool(client, "retail_order_submit", orderArguments(ready));
  await ready.person.decide(await ready.person.approvalFor(String(asked.body["task_id"])), "approved");
  const done = await callTool(client, "task_wait", { task_id: String(asked.body["task_id"]), seconds: 20 });
  expect(done.body["state"]).toMatch(/executing|succeeded/);
  await ready.agent.reaches(String(asked.body["task_id"]), "succeeded");
  const [, payload = "", signature = ""] = ready.token.split(".");
  assert(payload !== "" && signature !== "", "a token has three parts");
  const secrets = { token: ready.token, payload, signature };
  expect(sent.length).toBeGreaterThan(0);
  const places = new Map<string, string | Uint8Array>([
    ["destination", sent.join("\n")],
    ["log", ready.world.logLines.join("\n")],
    ["answers", JSON.stringify([asked.raw, done.raw])],
    ...filesBelow(ready.world.dataDir),
  ]);
  expect(leaks(secrets, places)).toEqual([]);
  expect(ready.world.shop.control.counters().foreignTokens).toBe(0);
  await client.close();
});

it("CON-1 tools go with the grant", async () => {
  const client = await mcpClient(ready.url, ready.token);
  const names = async () => (await client.listTools()).tools.map((t) => t.name);
  expect(await names()).toContain("retail_order_submit");
  const revoked = await ready.person.post(`/consents/${ready.consentRef}/revoke`);
  expect(revoked.status).toBeLessThan(300);
  expect(await names()).not.toContain("retail_order_submit");
  const call = await rawResult(
    await rawCall(ready, {
      method: "tools/call",
      params: { name: "retail_order_submit", arguments: orderArguments(ready) },
    }),
  );
  expect(call["code"]).toBe(-32602);
  await client.close();
});
