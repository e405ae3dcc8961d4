/**
 * The MCP Inspector's command-line client makes a purchase: `node tools/inspector/mcp.ts`. It lists the tools, asks for an
 * order, the account holder approves it in a real browser, and it fetches the result with its receipt. Each call is a
 * process of its own, as somebody at a terminal makes them.
 */
import { spawn } from "node:child_process";
import { assert, isJsonObject, type JsonObject, parseJson, parseJws } from "@countersign/wire";
import { openApprover, pagesOfConsole } from "../../test/support/approver.ts";
import { mcpWorld, orderArguments } from "../../test/support/mcp.ts";
import { openDoor } from "../conformance/door.ts";
import { installedInspector } from "./install.ts";

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const SETTLED = ["succeeded", "denied", "expired", "failed", "cancelled"];

const program = await installedInspector();
const ready = await mcpWorld({ console: await pagesOfConsole() });
// The token is added on the way: an argument of a process can be read by whoever lists processes.
const door = await openDoor(ready.world.issuer, () => ready.token);
const approver = await openApprover(ready.world.issuer, ready.person);
let passed = 0;
let failed = 0;

function inspector(...args: readonly string[]): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, "--cli", `${door.url}/mcp`, "--transport", "http", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("error", reject);
    child.on("close", (code) => {
      const text = Buffer.concat(parts).toString("utf8");
      const json = parseJson(text.slice(Math.max(0, text.indexOf("{"))), { maxBytes: ANSWER_BYTES_MAX });
      if (code === 0 && json.ok && isJsonObject(json.value)) resolve(json.value);
      else reject(new Error(`the Inspector ended with ${code}: ${text.slice(0, 2_000)}`));
    });
  });
}

async function call(tool: string, args: JsonObject): Promise<JsonObject> {
  const given = Object.entries(args).flatMap(([name, value]) => [
    "--tool-arg",
    `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  const { structuredContent, isError } = await inspector("--method", "tools/call", "--tool-name", tool, ...given);
  assert(isError !== true && isJsonObject(structuredContent ?? null), `${tool} answers`);
  return structuredContent as JsonObject;
}

async function step(title: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    passed += 1;
    console.log(`passed  ${title}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

let task: JsonObject = {};
await step("lists the tools of what is granted", async () => {
  const { tools } = await inspector("--method", "tools/list");
  assert(JSON.stringify(tools).includes('"retail_order_submit"'), "the order's tool is there");
});
await step("asks for an order, which waits for the account holder", async () => {
  task = await call("retail_order_submit", orderArguments(ready));
  assert(task["state"] === "approval_required", `it waits: ${String(task["state"])}`);
});
await step("the account holder approves it in a real browser", () => approver.approve(String(task["approval_url"])));
await step("has the result", async () => {
  for (let looks = 0; looks < 20 && !SETTLED.includes(String(task["state"])); looks += 1)
    task = await call("task_wait", { task_id: task["task_id"] ?? "", seconds: 5 });
  assert(task["state"] === "succeeded", `it was ordered: ${String(task["state"])}`);
  assert(ready.world.shop.control.counters().orders === 1, "the shop has one order");
});
await step("has the receipt", async () => {
  const { receipt } = await call("task_receipt", { task_id: task["task_id"] ?? "" });
  assert(parseJws(String(receipt), { maxPayloadBytes: 65_536 }).ok, "it is a signed record");
});
await approver.close();
door.close();
await ready.world.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
