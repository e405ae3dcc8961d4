// An agent that looks at what was bought before and orders a lamp, over the gateway's own HTTP API.
// It proposes; the account holder decides, on the gateway's pages; the shop decides what is true.
import { createClient, type Problem, type Result, refreshingToken, secret } from "@countersign/client";
import type { Credential } from "../home/home.ts";

export async function agent(gateway: string, credential: Credential, say: (line: string) => void): Promise<void> {
  const client = createClient({
    gateway,
    token: refreshingToken({
      clientId: credential.client_id,
      tokenEndpoint: credential.token_endpoint,
      resource: credential.resource,
      refreshToken: secret(credential.refresh_token),
      keep: () => {}, // A program that runs more than once writes it to its file here: the old one is spent.
    }),
  });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

  // 1. Ask for a grant, as narrow as will do. The account holder picks the account and may narrow it further.
  const asked = got(
    await client.askConsent({
      destination: "practice-shop",
      operations: ["retail.orders.list", "retail.order.submit"],
      limits: { max_total_minor: 6000, currency: "EUR" },
      purpose: "A lamp for the desk",
      expires_at: inAnHour,
    }),
  );
  say(`Please decide: ${gateway}/consents/${asked.consent_ref}`);
  const grant = got(await client.waitForConsent(asked.consent_ref));
  if (grant.account_ref === undefined) return say("The account holder said no.");
  const mine = { account_ref: grant.account_ref, consent_ref: grant.consent_ref, expires_at: inAnHour };

  // 2. Read: what was bought before. A read needs the grant and nobody's decision.
  const read = got(await client.submit({ ...mine, operation: "retail.orders.list", parameters: { limit: 5 } }));
  got(await client.wait(read.task.task_id));
  const { orders } = got(await client.result(read.task.task_id)).result as { orders: unknown[] };
  say(`There are ${orders.length} earlier orders.`);

  // 3. Propose: one lamp, to the address that the account holder calls home. 60 euros is the most it may cost in all.
  const { references } = got(await client.capabilities(grant.account_ref));
  const home = references.find((row) => row.label === "Home")?.ref ?? "";
  const parameters = { item_ref: "TL-200", quantity: 1, max_total_minor: 6000, currency: "EUR", fulfillment_ref: home };
  const { task } = got(await client.submit({ ...mine, operation: "retail.order.submit", parameters }));

  // 4. Wait. Nothing is ordered until the account holder has approved the very terms that the shop showed.
  const done = got(await client.wait(task.task_id, { onChange: (now) => say(`${now.state}: ${now.next_step}`) }));
  if (done.state !== "succeeded") return say(`It was not ordered: ${done.reason}`);

  // 5. The shop's answer, and the gateway's signed receipt. It comes a moment later, in the order of the log.
  say(`Ordered: ${JSON.stringify(got(await client.result(task.task_id)).result)}`);
  const signed = got(await client.wait(task.task_id, { until: (now) => now.receipt_ref !== undefined }));
  say(`Receipt ${got(await client.receipt(signed.task_id)).receipt_id}`);
}

function got<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(`${result.reason.reason}: ${result.reason.title}`);
  return result.value;
}
