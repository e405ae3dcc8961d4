import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { findChromium } from "@countersign/route-browser";
import { assert, type JsonObject, parseJson } from "@countersign/wire";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { PAGE_COOKIE } from "../packages/gateway/src/http/trusted/guard.ts";
import { LEASE_MS } from "../packages/gateway/src/limits.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { Person } from "./support/person.ts";
import { freePort, testDatabase } from "./support/world.ts";

// The approval page in a real browser on a gateway in a process of its own, which is killed while it is looked at.
const SCRIPT = fileURLToPath(new URL("./support/gateway-process.ts", import.meta.url));
const PHONE = { viewport: { width: 360, height: 640 } };
const PATIENCE = { timeout: 30_000 };

let shop: PracticeShop;
let dataDir: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let issuer: string;
let child: ChildProcess | undefined;
let starts = 0;
let browser: Browser;

beforeAll(async () => {
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  const found = findChromium(process.env);
  assert(found.ok, "a Chromium is installed");
  browser = await chromium.launch({
    executablePath: found.value,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
afterAll(() => browser?.close());
beforeEach(async () => {
  shop = await startPracticeShop();
  dataDir = mkdtempSync(join(tmpdir(), "countersign-page-"));
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

async function start(crash: "never" | "before_decision" | "after_decision"): Promise<string> {
  // On a shared database the dead one's leases run out by time, for its owner might be well.
  const stored = database === undefined ? {} : { database: database.url, aheadMs: starts * (LEASE_MS + 1_000) };
  starts += 1;
  const console = { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES };
  const settings = JSON.stringify({ dataDir, ...stored, issuer, shop: shop.origin, crash, console });
  const started = spawn(process.execPath, [SCRIPT, settings], { stdio: ["ignore", "pipe", "inherit"] });
  child = started;
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
  return String((ready.value as JsonObject)["link"]);
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

/** A decision waits, and the person looks at it in a browser. */
async function waiting(link: string): Promise<{ readonly page: Page; readonly agent: Agent; readonly taskId: string }> {
  const person = await Person.withLink({ issuer, dataDir, shop }, link);
  const agent = await Agent.join({ issuer, dataDir, shop }, person);
  const accountRef = await person.connectShop("http");
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref ?? "";
  const submitted = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");
  const { action_id: actionId } = await person.approvalFor(taskId);
  const context = await browser.newContext(PHONE);
  // The two cookies of the person's own session: one of the browser's, one that its pages show.
  const [name = "", value = ""] = person.cookie.split("=");
  const its = { url: issuer.replace("http:", "https:"), secure: true };
  await context.addCookies([
    { ...its, name, value, httpOnly: true },
    { ...its, name: PAGE_COOKIE, value: person.pageToken },
  ]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE.timeout);
  await page.goto(`${issuer}/approvals/${String(actionId)}`);
  return { page, agent, taskId };
}

async function approvable(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole("button", { name: "Approve and order" }).isEnabled(), PATIENCE).toBe(true);
}

it("U15 kill -9 while a decision waits: the page that was open decides after the restart, and one order is placed", async () => {
  const { page, agent, taskId } = await waiting(await start("never"));
  await approvable(page);
  for (const text of ["49.90 EUR", new URL(shop.origin).host, "Alex Example", "Trail Lamp 200"]) {
    const box = await page.getByText(text).first().boundingBox();
    expect(box !== null && box.y + box.height <= PHONE.viewport.height, `${text} is on the first screen`).toBe(true);
  }
  await kill();
  await page.getByText("The gateway does not answer").first().waitFor();
  await start("never");
  await page.getByText("The gateway does not answer").first().waitFor({ state: "hidden" });
  await approvable(page);
  await page.getByRole("button", { name: "Approve and order" }).dblclick();
  await page.getByText("You approved this.").waitFor();
  await page.getByText("It was done, once.").waitFor();
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  await page.context().close();
});

it("U25 the gateway dies with the decision stored and its answer lost: the page asks, and says what became of it", async () => {
  const { page, agent, taskId } = await waiting(await start("after_decision"));
  await approvable(page);
  await page.getByRole("button", { name: "Approve and order" }).click();
  await page.getByText("Asking what became of your decision").waitFor();
  await start("never");
  await page.getByText("You approved this.").waitFor();
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  await page.context().close();
});

it("U25 it dies before anything is stored: the page says so and offers the decision again", async () => {
  const { page, agent, taskId } = await waiting(await start("before_decision"));
  await approvable(page);
  await page.getByRole("button", { name: "Approve and order" }).click();
  await page.getByText("Asking what became of your decision").waitFor();
  await start("never");
  await page.getByText("your decision did not arrive").waitFor();
  expect(shop.control.counters()).toMatchObject({ submits: 0 });
  await approvable(page);
  await page.getByRole("button", { name: "Approve and order" }).click();
  await page.getByText("You approved this.").waitFor();
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  await page.context().close();
});
