import { join } from "node:path";
import { assert, secret } from "@countersign/wire";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCredential } from "../packages/countersign/src/agent/credential.ts";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { callTool, type McpReady, mcpWorld, orderArguments } from "./support/mcp.ts";

let ready: McpReady;
let file: string;
beforeAll(async () => {
  ready = await mcpWorld();
  const added = await askGateway(ready.world.dataDir, { command: "agent_add", name: "Desktop" });
  assert(added.ok, "an agent can be asked for");
  const clientId = String(added.value["client_id"]);
  await ready.person.post(`/agents/${clientId}/decision`, { decision: "accept" });
  const given = await askGateway(ready.world.dataDir, { command: "agent_credential", client_id: clientId });
  assert(given.ok, "the credential can be fetched");
  file = join(ready.world.dataDir, "desktop.json");
  writeCredential(file, {
    clientId,
    tokenEndpoint: String(given.value["token_endpoint"]),
    resource: String(given.value["resource"]),
    refreshToken: secret(String(given.value["refresh_token"])),
  });
});
afterAll(() => ready.world.close());

const MAIN = join(import.meta.dirname, "../packages/countersign/src/main.ts");

async function desktop(mode: "auto" | "legacy", ...more: readonly string[]): Promise<Client> {
  const client = new Client({ name: "desktop", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp", "--agent", file, ...more],
      stderr: "ignore",
    }),
  );
  return client;
}

describe("MAP-1 a desktop program over standard input and output", () => {
  it.each(["auto", "legacy"] as const)("asks for a grant and a purchase, %s", async (mode) => {
    const client = await desktop(mode);
    const first = (await client.listTools()).tools.map((t) => t.name);
    expect(first).toContain("accounts_list");
    const asked = await callTool(client, "consent_request", {
      account_ref: ready.accountRef,
      operations: ["retail.order.submit"],
      purpose: "A lamp",
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const consentRef = String(asked.body["consent_ref"]);
    expect(asked.body["consent_url"]).toBe(`${ready.world.issuer}/consents/${consentRef}`);
    await ready.person.grant(consentRef, ready.accountRef);
    // Several at once share one token.
    const answers = await Promise.all([1, 2, 3].map(() => callTool(client, "accounts_list", {})));
    for (const { body } of answers) expect(JSON.stringify(body["consents"])).toContain(consentRef);
    const order = await callTool(client, "retail_order_submit", orderArguments({ ...ready, consentRef }));
    expect(order.body["state"]).toBe("approval_required");
    const gone = await callTool(client, "task_cancel", { task_id: String(order.body["task_id"]) });
    expect(gone.body["state"]).toBe("cancelled");
    await client.close();
  });

  it("AUT-3 takes its credential to no other gateway", async () => {
    await expect(desktop("legacy", "--gateway", "http://localhost:9")).rejects.toThrow();
  });
});
