// An agent that looks at what was bought before and orders a lamp, over the Model Context Protocol with its own client.
// It proposes; the account holder decides, on the gateway's pages; the shop decides what is true.
import { refreshingToken, secret } from "@countersign/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Credential } from "../home/home.ts";

type Grant = { state: string; consent_ref: string; consent_url?: string; account_ref?: string };
type Read = { destination_data: { value: { orders: unknown[] } } };
type Capabilities = { references: { value: { ref: string; label: string }[] } };
type Task = { task_id: string; state: string; message?: string; next_step: string; destination_data?: unknown } & {
  [page in "approval_url" | "continuation_url"]?: string;
};

export async function agent(gateway: string, credential: Credential, say: (line: string) => void): Promise<void> {
  const token = refreshingToken({
    clientId: credential.client_id,
    tokenEndpoint: credential.token_endpoint,
    resource: `${gateway}/mcp`, // A token is good for one door alone.
    refreshToken: secret(credential.refresh_token),
    keep: () => {}, // A program that runs more than once writes it to its file here: the old one is spent.
  });
  const client = new Client({ name: "lamp-buyer", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const authProvider = { token: async () => (await token())?.reveal() };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway}/mcp`), { authProvider }));
  const call = async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
    return structuredContent as T; // Each tool publishes the schema of its answer.
  };
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

  // 1. Ask for a grant, as narrow as will do. The account holder picks the account and may narrow it further.
  let grant = await call<Grant>("consent_request", {
    destination: "practice-shop",
    operations: ["retail.orders.list", "retail.order.submit"],
    limits: { max_total_minor: 6000, currency: "EUR" },
    purpose: "A lamp for the desk",
    expires_at: inAnHour,
  });
  say(`Please decide: ${grant.consent_url}`);
  while (grant.state === "requested") {
    await new Promise((resolve) => setTimeout(resolve, 500));
    grant = await call<Grant>("consent_get", { consent_ref: grant.consent_ref });
  }
  if (grant.state !== "granted") return say("The account holder said no.");
  const mine = { account_ref: grant.account_ref, consent_ref: grant.consent_ref };

  // 2. The grant has brought its tools along. Read: what was bought before; it needs nobody's decision.
  const read = await call<Read>("retail_orders_list", { ...mine, parameters: { limit: 5 } });
  say(`There are ${read.destination_data.value.orders.length} earlier orders.`);

  // 3. Propose: one lamp, to the address that the account holder calls home. 60 euros is the most it may cost in all.
  const { references } = await call<Capabilities>("capabilities_list", { account_ref: grant.account_ref });
  const home = references.value.find((row) => row.label === "Home")?.ref;
  const parameters = { item_ref: "TL-200", quantity: 1, max_total_minor: 6000, currency: "EUR", fulfillment_ref: home };
  const idempotency_key = crypto.randomUUID(); // One wish, one key: a call that is sent again is the same wish.
  let task = await call<Task>("retail_order_submit", { ...mine, parameters, idempotency_key, expires_at: inAnHour });

  // 4. Wait. Nothing is ordered until the account holder has approved the very terms that the shop showed.
  while (!["succeeded", "denied", "expired", "failed", "cancelled"].includes(task.state)) {
    say(`${task.state}: ${task.approval_url ?? task.continuation_url ?? task.next_step}`);
    task = await call<Task>("task_wait", { task_id: task.task_id });
  }
  if (task.state !== "succeeded") return say(`It was not ordered: ${task.message}`);

  // 5. The shop's answer, and the gateway's signed receipt.
  say(`Ordered: ${JSON.stringify(task.destination_data)}`);
  say(`Receipt ${(await call<{ receipt_id: string }>("task_receipt", { task_id: task.task_id })).receipt_id}`);
  await client.close();
}
