// An agent that has another agent, the gateway, order a lamp: over A2A 1.0, with the protocol's own client.
// It proposes; the account holder decides, on the gateway's pages; the shop decides what is true.
import { Message, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { refreshingToken, secret } from "@countersign/client";
import type { Credential } from "../home/home.ts";

type Grant = { state: string; consent_ref: string; consent_url?: string; account_ref?: string };
type Capabilities = { references: { value: { ref: string; label: string }[] } };
type Moved = { status: { state: string } };
type Piece = { task?: Moved; statusUpdate?: Moved } & {
  artifactUpdate?: { artifact: { artifactId: string; parts: { data?: unknown }[] } };
};

export async function agent(gateway: string, credential: Credential, say: (line: string) => void): Promise<void> {
  const token = refreshingToken({
    clientId: credential.client_id,
    tokenEndpoint: credential.token_endpoint,
    resource: `${gateway}/a2a`, // A token is good for one door alone.
    refreshToken: secret(credential.refresh_token),
    keep: () => {}, // A program that runs more than once writes it to its file here: the old one is spent.
  });
  const fetchImpl: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${(await token())?.reveal()}`);
    return fetch(input, { ...init, headers });
  };
  // The card says what the gateway can do and where it listens.
  const client = await new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] }).createFromUrl(
    gateway,
  );
  const message = (data: object) =>
    SendMessageRequest.fromJSON({ message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ data }] } });
  const ask = async <T>(data: object): Promise<T> => {
    const answer = Message.toJSON((await client.sendMessage(message(data))) as Message) as { parts: { data?: T }[] };
    return answer.parts.find((part) => part.data !== undefined)?.data as T; // Each skill says what it answers.
  };
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

  // 1. Ask for a grant, as narrow as will do. The account holder picks the account and may narrow it further.
  let grant = await ask<Grant>({
    skill: "request_consent",
    destination: "practice-shop",
    operations: ["retail.order.submit"],
    limits: { max_total_minor: 6000, currency: "EUR" },
    purpose: "A lamp for the desk",
    expires_at: inAnHour,
  });
  say(`Please decide: ${grant.consent_url}`);
  while (grant.state === "requested") {
    await new Promise((resolve) => setTimeout(resolve, 500));
    grant = await ask<Grant>({ skill: "consent", consent_ref: grant.consent_ref });
  }
  if (grant.state !== "granted") return say("The account holder said no.");

  // 2. Propose: one lamp, to the address that the account holder calls home. 60 euros is the most it may cost in all.
  const { account_ref, consent_ref } = grant;
  const { references } = await ask<Capabilities>({ skill: "capabilities", account_ref });
  const home = references.value.find((row) => row.label === "Home")?.ref;
  const parameters = { item_ref: "TL-200", quantity: 1, max_total_minor: 6000, currency: "EUR", fulfillment_ref: home };
  const wish = { skill: "act", operation: "retail.order.submit", account_ref, consent_ref, parameters };

  // 3. Follow the task. AUTH_REQUIRED is where the account holder decides; no message of an agent does.
  for await (const one of client.sendMessageStream(message({ ...wish, expires_at: inAnHour }))) {
    const { task, statusUpdate, artifactUpdate } = StreamResponse.toJSON(one) as Piece;
    const status = (task ?? statusUpdate)?.status;
    if (status !== undefined) say(status.state);
    const artifact = artifactUpdate?.artifact;
    // Two come: what the shop answered, and the gateway's signed receipt.
    if (artifact !== undefined) say(`${artifact.artifactId}: ${JSON.stringify(artifact.parts[0]?.data).slice(0, 400)}`);
  }
}
