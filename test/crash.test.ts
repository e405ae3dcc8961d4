import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { assert, type JsonObject, parseJson } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEASE_MS } from "../packages/gateway/src/limits.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { freePort, testDatabase } from "./support/world.ts";

const SCRIPT = fileURLToPath(new URL("./support/gateway-process.ts", import.meta.url));
type Crash = "never" | "before_send" | "after_send" | "before_decision" | "after_decision";

let shop: PracticeShop;
let dataDir: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let issuer: string;
let child: ChildProcess | undefined;
let starts = 0;

beforeEach(async () => {
  shop = await startPracticeShop();
  dataDir = mkdtempSync(join(tmpdir(), "countersign-crash-"));
  database = await testDatabase();
  starts = 0;
  issuer = `http://localhost:${await freePort()}`;
});
afterEach(async () => {
  await kill();
  await shop.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(crash: Crash): Promise<{ readonly ready: JsonObject; readonly process: ChildProcess }> {
  // There the dead one's leases run out by time, for its owner might be well: the next one lives that much later.
  const stored = database === undefined ? {} : { database: database.url, aheadMs: starts * (LEASE_MS + 1_000) };
  starts += 1;
  const settings = JSON.stringify({ dataDir, ...stored, issuer, shop: shop.origin, crash });
  const started = spawn(process.execPath, [SCRIPT, settings], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    started.stdout.on("data", (part: Buffer) => {
      text += part.toString("utf8");
      if (text.includes("\n")) resolve(text);
    });
    started.once("exit", () => reject(new Error(`the gateway ended: ${text}`)));
  });
  const ready = parseJson(line.trim());
  assert(ready.ok, "one line of JSON");
  return { ready: ready.value as JsonObject, process: started };
}

async function run(crash: Crash): Promise<string> {
  const started = await start(crash);
  child = started.process;
  return String(started.ready["link"]);
}

async function kill(): Promise<void> {
  const ending = child;
  child = undefined;
  if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
  await new Promise((resolve) => {
    ending.once("exit", resolve);
    ending.kill("SIGKILL");
  });
}

async function ended(): Promise<void> {
  const running = child;
  await until(
    async () => running?.signalCode ?? running?.exitCode,
    (code) => code !== null && code !== undefined,
    "the gateway to die",
  );
}

async function setUp(link: string) {
  const where = { issuer, dataDir, shop };
  const person = await Person.withLink(where, link);
  const agent = await Agent.join(where, person);
  const accountRef = await person.connectShop("http");
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref ?? "";
  const submitted = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");
  return { person, agent, taskId };
}

describe("kill -9", () => {
  it("APR-1 (U15) while an approval waits: after a restart the same page decides, and one order is placed", async () => {
    const { person, agent, taskId } = await setUp(await run("never"));
    const before = await person.approvalFor(taskId);
    await kill();
    await run("never");
    const after = await person.approvalFor(taskId);
    expect(after["action_digest"]).toBe(before["action_digest"]);
    expect((await person.decide(after, "approved")).status).toBe(200);
    expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("APR-6 (U25) right after the decision is stored: after a restart the task executes, once", async () => {
    const { person, agent, taskId } = await setUp(await run("after_decision"));
    const view = await person.approvalFor(taskId);
    await expect(person.decide(view, "approved")).rejects.toThrow();
    await ended();
    await run("never");
    expect((await person.decide(view, "approved")).json).toMatchObject({ status: "approved" });
    expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("APR-6 (U25) right before it: nothing is decided, the record still waits", async () => {
    const { person, agent, taskId } = await setUp(await run("before_decision"));
    const view = await person.approvalFor(taskId);
    await expect(person.decide(view, "approved")).rejects.toThrow();
    await ended();
    await run("never");
    expect((await agent.task(taskId)).json).toMatchObject({ state: "approval_required" });
    expect((await person.decide(await person.approvalFor(taskId), "denied")).status).toBe(200);
    expect(await agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "refused_by_holder" });
    expect(shop.control.counters()).toMatchObject({ submits: 0, orders: 0 });
  });

  it("STA-2 STA-4 after the shop has answered: unknown at first, then found; one order", async () => {
    const { person, agent, taskId } = await setUp(await run("after_send"));
    await person.decide(await person.approvalFor(taskId), "approved");
    await ended();
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
    await run("never");
    expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("STA-2 STA-3 right after the submission row is written: never submitted again, unknown until time has settled it", async () => {
    const { person, agent, taskId } = await setUp(await run("before_send"));
    await person.decide(await person.approvalFor(taskId), "approved");
    await ended();
    await run("never");
    const now = await until(
      () => agent.task(taskId),
      (r) => r.json["state"] === "outcome_unknown",
      "the unknown outcome",
    );
    expect(now.json).toMatchObject({ state: "outcome_unknown", reason: "awaiting_confirmation" });
    expect(shop.control.counters()).toMatchObject({ submits: 0, orders: 0 });
    const repeat = await until(
      () => person.get(`/tasks/${taskId}`),
      (r) => r.json["receipt"] !== undefined,
      "the signed receipt",
    );
    expect(repeat.json["receipt"]).toMatchObject({ outcome: "outcome_unknown" });
  });
});

it("a second gateway on the same data is refused, and the first goes on", async () => {
  await run("never");
  const second = await start("never");
  expect(second.ready).toEqual({ problem: "store_in_use" });
  expect((await fetch(`${issuer}/readyz`)).status).toBe(200);
});
