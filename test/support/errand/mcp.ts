/** An agent as somebody else might write it, over MCP: a program of its own that is told the door's address alone. */
import { randomUUID } from "node:crypto";
import { fail, type Json, say, tokenFor, told } from "./stranger.ts";

const door = String(process.argv[2]);
const REVISION = "2026-07-28";
const token = await tokenFor(door);

async function rpc(method: string, params: Json): Promise<Response> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "errand", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return fetch(door, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params: { ...params, _meta: meta } }),
  });
}

/** The answer, whether it comes as JSON or as a stream of events. */
async function ask(method: string, params: Json): Promise<Json> {
  const response = await rpc(method, params);
  const text = await response.text();
  const data = text.startsWith("{")
    ? [text]
    : text.split("\n").flatMap((l) => (l.startsWith("data: {") ? [l.slice(6)] : []));
  const answer = JSON.parse(data.at(-1) ?? "{}") as Json;
  return (
    (answer["result"] as Json | undefined) ?? fail(`${method}: ${response.status} ${JSON.stringify(answer["error"])}`)
  );
}

async function call(name: string, args: Json): Promise<Json> {
  const { structuredContent, isError } = await ask("tools/call", { name, arguments: args });
  return isError === true ? fail(`${name}: ${JSON.stringify(structuredContent)}`) : (structuredContent as Json);
}

// What may be done, for whom, within what.
const { tools } = (await ask("tools/list", {})) as { tools: { name: string }[] };
const names = tools.map(({ name }) => name);
if (names.some((name) => /approve|decide/.test(name))) fail("a tool that decides");
const listed = await call("accounts_list", {});
const accounts = (listed["accounts"] as { value: Json[] } | undefined)?.value ?? (listed["accounts"] as Json[]);
const account = String(accounts[0]?.["account_ref"]);
const consents = listed["consents"] as Json[];
const { references } = (await call("capabilities_list", { account_ref: account })) as { references: { value: Json[] } };
say({ granted: consents[0]?.["operations"], orders: names.includes("retail_order_submit") });

// The purchase.
let task = await call("retail_order_submit", {
  account_ref: account,
  consent_ref: String(consents[0]?.["consent_ref"]),
  idempotency_key: `errand-${randomUUID()}`,
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  parameters: {
    item_ref: "TL-200",
    quantity: 1,
    max_total_minor: 6000,
    currency: "EUR",
    fulfillment_ref: references.value.find((one) => one["label"] === "Home")?.["ref"],
  },
});
say({ task: task["task_id"], state: task["state"] });
while (!["succeeded", "denied", "expired", "failed", "cancelled"].includes(String(task["state"])))
  task = await call("task_wait", { task_id: task["task_id"] });
const receipt = await call("task_receipt", { task_id: task["task_id"] });
say({ over: task["state"], receipt: typeof receipt["receipt_id"] });

// Whoever is shown the door afterwards.
await told();
say({ afterwards: (await rpc("tools/list", {})).status });
process.exit(0);
