import { parseJws } from "@countersign/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Approver, openApprover, pagesOfConsole } from "./support/approver.ts";
import { callTool, type McpReady, mcpClient, mcpWorld, orderArguments } from "./support/mcp.ts";

const TEST_MS = 240_000;
let ready: McpReady;
let approver: Approver;

beforeAll(async () => {
  ready = await mcpWorld({ console: await pagesOfConsole() });
  approver = await openApprover(ready.world.issuer, ready.person);
}, TEST_MS);
afterAll(async () => {
  await approver?.close();
  await ready?.world.close();
});

it("MAP-1 the protocol's own client buys: a tool call, the person's yes in a real browser, the result and its receipt", {
  timeout: TEST_MS,
}, async () => {
  const client = await mcpClient(ready.url, ready.token);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain("retail_order_submit");
  const asked = await callTool(client, "retail_order_submit", orderArguments(ready));
  expect(asked.body).toMatchObject({ state: "approval_required" });
  const taskId = String(asked.body["task_id"]);
  const waiting = callTool(client, "task_wait", { task_id: taskId, seconds: 25 });
  await approver.approve(String(asked.body["approval_url"]));
  let task = (await waiting).body;
  while (task["state"] === "executing" || task["state"] === "approval_required")
    task = (await callTool(client, "task_wait", { task_id: taskId, seconds: 25 })).body;
  expect(task).toMatchObject({ state: "succeeded" });
  const receipt = await callTool(client, "task_receipt", { task_id: taskId });
  expect(parseJws(String(receipt.body["receipt"]), { maxPayloadBytes: 65_536 }).ok).toBe(true);
  expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1, foreignTokens: 0 });
  await client.close();
});
