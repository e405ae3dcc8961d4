import { a2aPluginWith, type CardExtension } from "@countersign/a2a";
import { createEgress, fromKernel } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin } from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadOAuthKeys } from "../packages/gateway/src/oauth/keys.ts";
import { type A2aReady, a2aWorld, orderData, sending, wireOf } from "./support/a2a.ts";
import { BINDINGS, call, stateOf } from "./support/a2a-wire.ts";
import { send } from "./support/http.ts";
import { filesBelow, leaks } from "./support/leaks.ts";
import { openWorld } from "./support/world.ts";

let ready: A2aReady;
/** Every byte that the gateway sent to a destination. */
const sent: string[] = [];
beforeAll(async () => {
  ready = await a2aWorld({
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

/** A token of our own making: the claims of a good one, changed, under whatever key. */
async function forged(change: JsonObject, key: "ours" | "foreign"): Promise<string> {
  const { core } = ready.world.gateway;
  const [own] = await core.store.as("system", () => loadOAuthKeys(core));
  const signer =
    key === "ours"
      ? await importJWK({ ...own.privateJwk.reveal() } as never, "ES256")
      : (await generateKeyPair("ES256")).privateKey;
  return new SignJWT({ ...decodeJwt(ready.token), ...change })
    .setProtectedHeader({ ...decodeProtectedHeader(ready.token), alg: "ES256" })
    .sign(signer);
}

describe.each(BINDINGS)("AUT-3 U50 who may come in, over %s", (binding) => {
  it("a token for this resource alone", async () => {
    expect((await call(wireOf(ready, binding), "ListTasks")).status).toBe(200);
    const tokens = {
      "for the API": ready.agent.token,
      "for the resource with a slash": await forged({ aud: `${ready.url}/` }, "ours"),
      "for one path of it": await forged({ aud: `${ready.url}/tasks` }, "ours"),
      "for nobody": await forged({ aud: [] }, "ours"),
      "for us and another": await forged({ aud: [ready.url, "https://other.example/a2a"] }, "ours"),
      "of another issuer": await forged({ iss: "https://other.example" }, "ours"),
      "under another key": await forged({}, "foreign"),
      "of the past": await forged({ exp: Math.floor(Date.now() / 1000) - 60 }, "ours"),
      "that is none": "rubbish",
    };
    for (const [what, token] of Object.entries(tokens)) {
      const reply = await call(wireOf(ready, binding, token), "ListTasks");
      expect([what, reply.status]).toEqual([what, 401]);
      expect(reply.headers.get("www-authenticate")).toContain(
        `resource_metadata="${ready.world.issuer}/.well-known/oauth-protected-resource/a2a"`,
      );
    }
  });

  it("U36 other hosts and other pages are refused before any token is looked at", async () => {
    const path = binding === "JSONRPC" ? "/a2a" : "/a2a/message:send";
    const at = (headers: Record<string, string>) =>
      send(ready.world.issuer, "POST", path, {
        headers: { "content-type": "application/json", ...headers },
        body: "{}",
      });
    expect((await at({ host: "evil.example" })).status).toBe(403);
    expect((await at({ origin: "https://evil.example" })).status).toBe(403);
    expect((await at({ origin: ready.world.issuer })).status).toBe(401);
  });
});

it("PLG-6 a gateway whose card would publish one extension twice, a reserved one or a credential does not start", async () => {
  const one = { uri: "https://extensions.example/e/v1", description: "Of a test.", required: false };
  const again = { ...one, uri: "HTTPS://extensions.EXAMPLE/e/./v1" };
  const open = (...published: CardExtension[]) => {
    const built = buildProtocols([gatewayPlugin, a2aPluginWith({ published })]);
    assert(built.ok, "the set of plugins is fine by itself");
    return openWorld({ bindings: fromKernel(built.kernel).bindings ?? [] });
  };
  await expect(open(one, again)).rejects.toThrow("stands on the card twice");
  await expect(open({ ...one, uri: "URN:countersign:mine" })).rejects.toThrow("is reserved");
  const refused = open({ ...one, params: { a: [{ token: "planted-value" }] } });
  await expect(refused).rejects.toThrow("/a/0/token");
  await expect(refused).rejects.not.toThrow("planted-value");
});

it("U51 nobody is told of a task at an address that is not public: refused when it is named, and no task is made", async () => {
  const wire = wireOf(ready, "JSONRPC");
  const tasks = async () => (await call(wire, "ListTasks", {})).result["totalSize"];
  const before = await tasks();
  for (const url of [
    "http://receiver.example/x",
    "https://169.254.169.254/latest",
    "https://[::ffff:10.0.0.1]/x",
    "https://localhost/x",
  ]) {
    const asked = await call(
      wire,
      "SendMessage",
      sending(orderData(ready), {}, { taskPushNotificationConfig: { url } }),
    );
    expect([url, asked.error?.reason]).toEqual([url, "INVALID_PARAMS"]);
    expect(asked.error?.message).not.toContain(url);
  }
  expect(await tasks()).toBe(before);
});

it("the card is made of nothing that a request says", async () => {
  const fine = await send(ready.world.issuer, "GET", "/.well-known/agent-card.json");
  const spoken = await send(ready.world.issuer, "GET", "/.well-known/agent-card.json?x=evil.example", {
    headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", forwarded: "host=evil.example" },
  });
  expect(spoken.text).toBe(fine.text);
});

it("AUT-3 PLG-10 no byte to a destination, no log line, no file and no answer holds a token that came in", async () => {
  const wire = wireOf(ready, "JSONRPC");
  const asked = await call(wire, "SendMessage", sending(orderData(ready)));
  const id = String((asked.result["task"] as JsonObject)["id"]);
  await ready.person.decide(await ready.person.approvalFor(id), "approved");
  await ready.agent.reaches(id, "succeeded");
  const done = await call(wire, "GetTask", { id });
  expect(stateOf(done.result)).toBe("TASK_STATE_COMPLETED");
  const [, payload = "", signature = ""] = ready.token.split(".");
  assert(payload !== "" && signature !== "", "a token has three parts");
  expect(sent.length).toBeGreaterThan(0);
  const places = new Map<string, string | Uint8Array>([
    ["destination", sent.join("\n")],
    ["log", ready.world.logLines.join("\n")],
    ["answers", JSON.stringify([asked.body, done.body])],
    ...filesBelow(ready.world.dataDir),
  ]);
  expect(leaks({ token: ready.token, payload, signature }, places)).toEqual([]);
  expect(ready.world.shop.control.counters().foreignTokens).toBe(0);
});

it("CON-1 a revoked grant stops what waits and what is asked for next", async () => {
  const wire = wireOf(ready, "HTTP+JSON");
  const asked = await call(wire, "SendMessage", sending(orderData(ready)));
  const id = String((asked.result["task"] as JsonObject)["id"]);
  expect(stateOf(asked.result["task"])).toBe("TASK_STATE_AUTH_REQUIRED");
  expect((await ready.person.post(`/consents/${ready.consentRef}/revoke`)).status).toBeLessThan(300);
  await ready.agent.reaches(id, "denied");
  expect(stateOf((await call(wire, "GetTask", { id })).result)).toBe("TASK_STATE_REJECTED");
  const next = await call(wire, "SendMessage", sending(orderData(ready)));
  expect(stateOf(next.result["task"])).toBe("TASK_STATE_REJECTED");
  const { result } = await call(wire, "GetExtendedAgentCard");
  expect(JSON.stringify(result)).not.toContain("retail.order.submit");
});
