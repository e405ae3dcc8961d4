import type { JsonObject } from "@countersign/wire";
import { afterEach, expect, it } from "vitest";
import { connected, openAgentWorld } from "../protocols/a2a/test/client-world.ts";
import { buy } from "../protocols/mcp/test/client/buy.ts";
import { upstreamWorld } from "../protocols/mcp/test/client/world.ts";
import { orderRequest } from "./support/agent.ts";
import { foreignVerifies, type Signed } from "./support/foreign-signature.ts";
import { publishedKeys, signing } from "./support/signing.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

const isSigned = ({ headers }: Signed) => [...headers].some(([name]) => name.toLowerCase() === "signature-input");

/** All that carried a task's work there is signed so that others can verify it; answers the paths that went unsigned. */
async function unsignedOf(issuer: string, left: readonly Signed[]): Promise<readonly string[]> {
  const { keys } = await publishedKeys(issuer);
  for (const request of left.filter(isSigned)) {
    expect(await foreignVerifies(request, keys), `${request.method} ${request.url}`).toBe(true);
  }
  return left.filter((request) => !isSigned(request)).map(({ url }) => new URL(url).pathname);
}

it("PLG-7 what the MCP route sends upstream, the order too, verifies by a foreign implementation", async () => {
  const { options, left } = await signing();
  const ready = await upstreamWorld(options);
  opened.push(ready);
  left.length = 0;
  expect(await buy(ready)).toMatchObject({ state: "succeeded" });
  expect(left.filter(({ method }) => method === "POST").length).toBeGreaterThan(2);
  expect(await unsignedOf(ready.world.issuer, left)).toEqual([]);
});

it("PLG-7 what the A2A route sends to the other agent, the order too, verifies by a foreign implementation", async () => {
  const { options, left } = await signing();
  const ready = await openAgentWorld(options);
  opened.push({ close: () => ready.remote.close() }, ready.world);
  const refs = await connected(ready);
  left.length = 0;
  const parameters: JsonObject = { item_ref: "lamp", quantity: 1, max_total_minor: 900_000 };
  const asked = await ready.agent.post("/v1/tasks", orderRequest(refs, { parameters }));
  const taskId = String(asked.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
  expect(await ready.agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
  expect(left.filter(({ method }) => method === "POST").length).toBeGreaterThan(1);
  // The card is anybody's to read, and its fetch is no work of a task.
  const card = "/.well-known/agent-card.json";
  expect((await unsignedOf(ready.world.issuer, left)).filter((path) => path !== card)).toEqual([]);
});
