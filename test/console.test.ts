import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { orderRequest, takeToken } from "./support/agent.ts";
import { openWorld, type World } from "./support/world.ts";

const PHONE = { width: 360, height: 740 };
const PICTURES = process.env["COUNTERSIGN_PICTURES"];

let world: World;
let browser: Browser;
const complaints: string[] = [];

beforeAll(async () => {
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  world = await openWorld({ console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES } });
  const found = findChromium(process.env);
  assert(found.ok, "a Chromium is installed");
  browser = await chromium.launch({
    executablePath: found.value,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

afterAll(async () => {
  await browser?.close();
  await world?.close();
});

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

it("APR-1 CON-1 the person signs in, lets an agent in, connects, grants and approves in the console, on a phone", async () => {
  const context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));

  const link = (await world.gateway.signInLink()).reveal();
  await page.goto(`${world.issuer}/link#${link}`);
  await picture(page, "link");
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("button", { name: "Sign in here" }).click();
  await page.getByRole("button", { name: "Later" }).click();
  await page.getByText("Nothing waits for you.").waitFor();

  const added = await askGateway(world.dataDir, { command: "agent_add", name: "Errand agent" });
  assert(added.ok, "an agent can be asked for");
  await page.getByRole("link", { name: /A new agent asks to be let in/ }).click();
  await picture(page, "agent");
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByText("Accepted", { exact: true }).waitFor();

  const agent = await takeToken(world, String(added.value["client_id"]));
  const consentRef = await agent.askGrant({
    destination: "practice-shop",
    operations: ["retail.orders.list", "retail.order.submit"],
    limits: { max_total_minor: 6000, currency: "EUR" },
  });
  await page.goto(`${world.issuer}/consents/${consentRef}`);
  await page.getByRole("button", { name: "Connect an account through the site's API" }).click();
  await page.getByLabel("Email").fill(world.shop.user.email);
  await page.getByLabel("Password").fill(world.shop.user.password);
  await picture(page, "handoff-form");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("One-time code").fill(world.shop.currentCode());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("radio", { name: /Alex Example/ }).waitFor();
  await picture(page, "consent");
  await page.getByRole("button", { name: "Grant", exact: true }).click();
  await page.getByText("Granted", { exact: true }).waitFor();
  await picture(page, "granted");

  const consent = await agent.get(`/v1/consents/${consentRef}`);
  const accountRef = String(consent.json["account_ref"]);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref ?? "";
  const submitted = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");

  await page.goto(`${world.issuer}/`);
  await page.getByRole("link", { name: /Your decision is needed/ }).click();
  await page.getByText("49.90 EUR").first().waitFor();
  await picture(page, "approval");
  for (const text of ["49.90 EUR", new URL(world.shop.origin).host, "Trail Lamp 200"]) {
    const box = await page.getByText(text).first().boundingBox();
    expect(box !== null && box.y + box.height <= PHONE.height, `${text} stands on the first screen`).toBe(true);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole("button", { name: "Approve and order" }).dblclick();
  await page.getByText("You approved this.").waitFor();
  expect(await agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
  expect(world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });

  for (const [path, heading] of [
    ["tasks", "Activity"],
    [`tasks/${taskId}`, "Place an order"],
    [`receipts/${taskId}`, "Receipt"],
    ["accounts", "Accounts"],
    ["agents", "Agents"],
    ["consents", "Grants"],
  ]) {
    await page.goto(`${world.issuer}/${path}`);
    await page.getByRole("heading", { name: heading ?? "", level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await picture(page, (path ?? "").split("/").join("-").replace(taskId, "one"));
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true);
  }
  await page.goto(`${world.issuer}/receipts/${taskId}`);
  await page.getByRole("button", { name: "Check it now, in this browser" }).click();
  await page.getByText("The evidence holds.").waitFor();
  await page.getByText("Level 2: signed by the gateway's operator and in the log under the pin").waitFor();
  await page.getByText("drawn again here, and the same").waitFor();
  await picture(page, "verified");
  await context.close();
  expect(complaints).toEqual([]);
}, 90_000);

it("APR-3 (U36) no page of the trusted interface can be framed, and another site's page is refused", async () => {
  for (const path of ["/", "/approvals/act_x", "/link", "/no-such-page", "/trusted/v1/session"]) {
    const reply = await fetch(`${world.issuer}${path}`);
    expect(reply.headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    expect(reply.headers.get("x-frame-options"), path).toBe("DENY");
  }
});
