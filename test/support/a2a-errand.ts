/**
 * An agent as somebody else might write it: a program of its own that is told the gateway's address and nothing else. It
 * speaks plain HTTP with what Node has. What a person must do it writes as a line of JSON; what became of it, too.
 */
import { createHash, createPublicKey, randomBytes, randomUUID, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

type Json = Record<string, unknown>;

const gateway = String(process.argv[2]);
const say = (line: Json) => process.stdout.write(`${JSON.stringify(line)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const told = async () => JSON.parse(String((await lines.next()).value)) as Json;
const fail = (why: string): never => {
  say({ failed: why });
  process.exit(1);
};
const read = async (url: string) => (await (await fetch(url)).json()) as Json;

// The agent's own place: its metadata document, and where the person's browser comes back to.
const back: { arrived: (url: URL) => void } = { arrived: () => {} };
const site = createServer((request, response) => {
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  if (url.pathname === "/callback") {
    back.arrived(url);
    response.end("You can close this window.");
    return;
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ client_id: clientId, client_name: "Errand of a stranger", redirect_uris: [redirect] }));
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const { port } = site.address() as AddressInfo;
const clientId = `http://localhost:${port}/client.json`;
const redirect = `http://127.0.0.1:${port}/callback`;

// The card: where the agent is, and that nobody changed what it says.
const card = await read(`${gateway}/.well-known/agent-card.json`);
const [signature] = card["signatures"] as { protected: string; signature: string }[];
const { jku, kid } = JSON.parse(Buffer.from(String(signature?.protected), "base64url").toString()) as Json;
if (new URL(String(jku)).origin !== new URL(gateway).origin) fail("the keys stand elsewhere");
const jwk = ((await read(String(jku)))["keys"] as Json[]).find((one) => one["kid"] === kid);
const { signatures: _, ...unsigned } = card;
const signed = `${signature?.protected}.${Buffer.from(canonical(unsigned)).toString("base64url")}`;
const key = { key: createPublicKey({ key: jwk as never, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
if (!verify("sha256", Buffer.from(signed), key, Buffer.from(String(signature?.signature), "base64url")))
  fail("the card is not signed by its keys");
const [first] = card["supportedInterfaces"] as { url: string; protocolBinding: string }[];
const door = String(first?.url);

// 401, and from there to where tokens are had (RFC 9728, RFC 8414).
const refused = await fetch(door, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
if (refused.status !== 401 || metadata === undefined) fail("no way to a token");
const resource = await read(String(metadata));
const [issuer] = resource["authorization_servers"] as string[];
const server = await read(`${issuer}/.well-known/oauth-authorization-server`);

// The person's yes: authorization code, PKCE, for this resource alone.
const verifier = randomBytes(32).toString("base64url");
const state = randomUUID();
const ask = new URL(String(server["authorization_endpoint"]));
for (const [name, value] of Object.entries({
  client_id: clientId,
  redirect_uri: redirect,
  response_type: "code",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
  state,
  resource: String(resource["resource"]),
}))
  ask.searchParams.set(name, value);
const arrival = new Promise<URL>((resolve) => {
  back.arrived = resolve;
});
say({ open: ask.href });
const came = (await arrival).searchParams;
if (came.get("state") !== state || came.get("iss") !== issuer) fail("another one's answer");
const tokens = (await (
  await fetch(String(server["token_endpoint"]), {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: String(came.get("code")),
      redirect_uri: redirect,
      client_id: clientId,
      code_verifier: verifier,
      resource: String(resource["resource"]),
    }),
  })
).json()) as Json;
const token = String(tokens["access_token"]);

async function rpc(method: string, params: Json): Promise<Response> {
  return fetch(door, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params }),
  });
}

async function send(data: Json): Promise<Json> {
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ data }] };
  const answer = (await (await rpc("SendMessage", { message })).json()) as Json;
  return (answer["result"] as Json | undefined) ?? fail(JSON.stringify(answer["error"]));
}

async function question(data: Json): Promise<Json> {
  const { message } = (await send(data)) as { message?: { parts: { data: Json }[] } };
  return message?.parts[0]?.data ?? fail("no answer");
}

// What may be done, for whom, within what.
const { accounts, consents } = (await question({ skill: "accounts" })) as { accounts: Json[]; consents: Json[] };
const account = String(accounts[0]?.["account_ref"]);
const capabilities = await question({ skill: "capabilities", account_ref: account });
const references = (capabilities["references"] as { value: Json[] }).value;
say({ granted: consents[0]?.["operations"] });

// The purchase.
const { task } = (await send({
  skill: "act",
  operation: "retail.order.submit",
  account_ref: account,
  consent_ref: String(consents[0]?.["consent_ref"]),
  idempotency_key: `errand-${randomUUID()}`,
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  parameters: {
    item_ref: "TL-200",
    quantity: 1,
    max_total_minor: 6000,
    currency: "EUR",
    fulfillment_ref: references.find((one) => one["label"] === "Home")?.["ref"],
  },
})) as { task?: { id: string; status: { state: string } } };
say({ task: task?.id, state: task?.status.state });

// Waiting, on a stream, until it is over.
const stream = await rpc("SubscribeToTask", { id: task?.id });
const states: string[] = [];
let text = "";
for await (const chunk of stream.body ?? []) {
  text += Buffer.from(chunk as Uint8Array).toString();
  for (const line of text.split("\n\n").slice(0, -1)) {
    if (!line.startsWith("data:")) continue;
    const { result } = JSON.parse(line.slice(5)) as { result: { statusUpdate?: { status: { state: string } } } };
    if (result.statusUpdate !== undefined) states.push(result.statusUpdate.status.state);
  }
  const rest = text.lastIndexOf("\n\n");
  if (rest >= 0) text = text.slice(rest + 2);
}
const over = (await (await rpc("GetTask", { id: task?.id })).json()) as { result: { artifacts: Json[] } };
say({ over: states.at(-1), artifacts: over.result.artifacts.map((one) => one["artifactId"]) });

// Whoever is shown the door afterwards.
await told();
say({ afterwards: (await rpc("ListTasks", {})).status });
site.close();
process.exit(0);

/** RFC 8785, for what stands on a card: texts, numbers, lists and objects. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}
