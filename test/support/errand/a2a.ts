/** An agent as somebody else might write it, over A2A: a program of its own that is told the gateway's address alone. */
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { fail, type Json, read, say, tokenFor, told } from "./stranger.ts";

const gateway = String(process.argv[2]);

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

const token = await tokenFor(door);

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
process.exit(0);

/** RFC 8785, for what stands on a card: texts, numbers, lists and objects. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}
