import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { freePort, readyWorld } from "./support/world.ts";

// The programs in the client's README and in docs/client.md, as their readers run them.
const PROGRAM_MS = 120_000;
let ready: Awaited<ReturnType<typeof readyWorld>>;
let folder: string;
const programs: string[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  ready = await readyWorld({ taskWebhooks: "loopback_too" });
  folder = mkdtempSync(join(tmpdir(), "countersign-client-docs-"));
});
afterAll(async () => {
  for (const child of children) child.kill();
  for (const program of programs) rmSync(program, { force: true });
  rmSync(folder, { recursive: true, force: true });
  await ready.world.close();
});

/** The nth program of a document, in a file from which the project's packages are found. */
function program(document: string, n: number, replace: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(fileURLToPath(new URL(`../${document}`, import.meta.url)), "utf8");
  const found = [...text.matchAll(/^```ts\n(.*?)^```$/gms)][n]?.[1];
  assert(found !== undefined, `${document} has program ${n}`);
  let code = found.replaceAll("http://localhost:4600", ready.world.issuer);
  for (const [from, to] of Object.entries(replace)) code = code.replaceAll(from, to);
  const file = fileURLToPath(new URL(`./docs-${process.pid}-${programs.length}.tmp.mts`, import.meta.url));
  writeFileSync(file, code);
  programs.push(file);
  return file;
}

describe("the client's programs", () => {
  it("README: reads earlier orders", { timeout: PROGRAM_MS }, async () => {
    const env = { ...process.env, COUNTERSIGN_TOKEN: ready.agent.token };
    const run = await promisify(execFile)(process.execPath, [program("packages/client/README.md", 0)], { env });
    expect(run.stdout).toMatch(/^succeeded \{/);
    expect(run.stdout).toContain("orders");
  });

  it("docs/client.md: a token from an agent's file, which is kept for the next time", {
    timeout: PROGRAM_MS,
  }, async () => {
    const added = await askGateway(ready.world.dataDir, { command: "agent_add", name: "Reader" });
    assert(added.ok, "an agent can be asked for");
    const clientId = String(added.value["client_id"]);
    await ready.person.post(`/agents/${clientId}/decision`, { decision: "accept" });
    const given = await askGateway(ready.world.dataDir, { command: "agent_credential", client_id: clientId });
    assert(given.ok, "the credential is handed over once");
    const file = join(folder, "agent.json");
    writeFileSync(file, JSON.stringify(given.value));
    const env = { ...process.env, COUNTERSIGN_AGENT: file };
    const script = program("docs/client.md", 0);
    // Twice: the second run has what the first one kept.
    for (const _ of [1, 2]) {
      const run = await promisify(execFile)(process.execPath, [script], { env });
      expect(run.stdout).toContain("ok: true");
    }
  });

  it("docs/client.md: a receiver of webhooks, which reads the task", { timeout: PROGRAM_MS }, async () => {
    const port = await freePort();
    const made = await ready.agent.post("/v1/webhooks", { url: `http://localhost:${port}/` });
    const env = {
      ...process.env,
      COUNTERSIGN_TOKEN: ready.agent.token,
      WEBHOOK_SECRET: String(made.json["secret"]),
    };
    const child = spawn(process.execPath, [program("docs/client.md", 1, { "8080": String(port) })], { env });
    children.push(child);
    let said = "";
    child.stdout?.on("data", (part: Buffer) => {
      said += part.toString("utf8");
    });
    const origin = `http://localhost:${port}`;
    const forged = () =>
      send(origin, "POST", "/", { headers: { "webhook-id": "evt_1" }, body: "{}" }).catch(() => undefined);
    const refused = await until(forged, (answer) => answer !== undefined, "the receiver to listen");
    expect(refused?.status).toBe(401);
    const taskId = String((await ready.agent.post("/v1/tasks", orderRequest(ready))).json["task_id"]);
    await until(
      async () => said,
      (text) => text.includes(taskId) && text.includes("approval_required"),
      "the receiver to have read the task",
      60_000,
    );
  });
});
