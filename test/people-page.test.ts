import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { verifyBundle } from "@countersign/profile";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { CREDENTIAL_SETTLE_MS } from "../packages/gateway/src/limits.ts";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };
const PICTURES = process.env["COUNTERSIGN_PICTURES"];

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let browser: Browser;
const complaints: string[] = [];

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
  complaints.length = 0;
  ready = await readyWorld({ console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES } });
});
afterEach(() => ready.world.close());

/** A browser of its own with a device that holds passkeys and verifies its person. */
interface Desk {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

async function openDesk(viewport: typeof PHONE = DESKTOP): Promise<Desk> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => {
    // Chromium writes a line for each answer of 4xx; whoever is signed out gets some.
    if (message.type() === "error" && !message.text().includes("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page, cdp, authenticatorId };
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `${PICTURES}/people-${name}-${size}.png`, fullPage: true });
  }
}

async function openLink(page: Page): Promise<void> {
  const link = (await ready.world.gateway.signInLink()).reveal();
  await page.goto(`${ready.world.issuer}/link#${link}`);
  await page.getByRole("button", { name: "Sign in here" }).click();
}

/** The first run: the link, and a passkey under the name that the page suggests. */
async function firstRun(desk: Desk): Promise<void> {
  await openLink(desk.page);
  await desk.page.getByRole("heading", { name: "Make your passkey" }).waitFor();
  await picture(desk.page, "first-passkey");
  await desk.page.getByRole("button", { name: "Make the passkey" }).click();
  await desk.page.getByRole("heading", { name: "Inbox" }).waitFor();
}

async function waiting(): Promise<{ readonly taskId: string; readonly href: string }> {
  const task = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(task.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  const view = await ready.person.approvalFor(taskId);
  return { taskId, href: `/approvals/${String(view["action_id"])}` };
}

const demandPasskey = () =>
  askGateway(ready.world.dataDir, { command: "policy_set", operation: "retail.order.submit", policy: "passkey" });

it("APR-3 APR-7 first run makes a passkey; it approves a critical action in the page, and the bundle verifies at L3", async () => {
  await demandPasskey();
  const desk = await openDesk(PHONE);
  await firstRun(desk);
  expect(await inStore(ready.world.gateway, (db) => db.selectFrom("credential").select("label").execute())).toEqual([
    { label: "Chrome on Linux" },
  ]);
  const { taskId, href } = await waiting();
  await desk.page.goto(`${ready.world.issuer}${href}`);
  await desk.page.getByText("your device asks you to confirm").waitFor();
  await picture(desk.page, "approval");
  await desk.page.getByRole("button", { name: /^Approve/ }).click();
  await desk.page.getByText("You approved this.").waitFor();
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  const bundle = await until(
    () => ready.person.get(`/tasks/${taskId}/bundle`),
    (reply) => reply.status === 200,
    "the bundle",
  );
  const { issuer } = ready.world;
  const { pin } = await ready.world.gateway.core.keys.current();
  const verified = await verifyBundle(bundle.json, { pin, issuer });
  expect(verified).toMatchObject({ ok: true, value: { level: "L3" } });
  expect(complaints).toEqual([]);
  await desk.context.close();
});

it("a person who closes the passkey's window is told so, nothing is decided, and the next press goes on", async () => {
  await demandPasskey();
  const desk = await openDesk();
  await firstRun(desk);
  const { href } = await waiting();
  await desk.page.goto(`${ready.world.issuer}${href}`);
  const { cdp, authenticatorId } = desk;
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await desk.page.getByRole("button", { name: /^Approve/ }).click();
  await desk.page.getByText("Your passkey did not answer").waitFor();
  expect((await ready.person.get(href)).json["status"]).toBe("pending");
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await desk.page.getByRole("button", { name: /^Approve/ }).click();
  await desk.page.getByText("You approved this.").waitFor();
  await desk.context.close();
});

it("a signed-out person signs in by passkey where they stand, and is back at the page they asked for", async () => {
  const desk = await openDesk();
  await firstRun(desk);
  await desk.page.getByRole("button", { name: "Sign out" }).first().click();
  await desk.page.getByRole("button", { name: "Sign in with your passkey" }).waitFor();
  await picture(desk.page, "sign-in");
  await desk.page.goto(`${ready.world.issuer}/agents`);
  await desk.page.getByRole("button", { name: "Sign in with your passkey" }).click();
  await desk.page.getByRole("heading", { name: "Agents" }).waitFor();
  await desk.page
    .getByRole("link", { name: /Errand|agent/i })
    .first()
    .waitFor();
  expect(new URL(desk.page.url()).pathname).toBe("/agents");
  expect(complaints).toEqual([]);
  await desk.context.close();
});

it("later is possible; then an approval that takes a passkey offers none, says what to do, and denying takes nothing", async () => {
  await demandPasskey();
  const desk = await openDesk(PHONE);
  await openLink(desk.page);
  await desk.page.getByText("Without a passkey you need a new link").waitFor();
  await desk.page.getByRole("button", { name: "Later" }).click();
  await desk.page.getByRole("heading", { name: "Inbox" }).waitFor();
  const { href } = await waiting();
  await desk.page.goto(`${ready.world.issuer}${href}`);
  await desk.page.getByText("you have none yet").waitFor();
  expect(await desk.page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
  await picture(desk.page, "approval-none");
  await desk.page.getByRole("button", { name: "Deny" }).click();
  await desk.page.getByText("You denied this.").waitFor();
  await desk.context.close();
});

it("a later passkey says from when it approves; an older one confirms it; it is renamed and removed; everywhere is signed out", async () => {
  const first = await openDesk();
  await firstRun(first);
  // The same person at another device, by a recovery link.
  const second = await openDesk();
  await openLink(second.page);
  await second.page.getByText("You have had a passkey before").waitFor();
  await picture(second.page, "recovery");
  await second.page.getByLabel("Name of this passkey").fill("Phone");
  await second.page.getByRole("button", { name: "Make the passkey" }).click();
  await second.page.getByRole("heading", { name: "Inbox" }).waitFor();

  await first.page.goto(`${ready.world.issuer}/passkeys`);
  await first.page.getByText("Signs in; too new to approve").waitFor();
  await first.page.getByText("A one-time link signed in").waitFor();
  await picture(first.page, "passkeys");
  await first.page.getByRole("button", { name: "Confirm with an older passkey" }).click();
  await first.page.getByText("Signs in; too new to approve").waitFor({ state: "detached" });
  await first.page.getByRole("button", { name: "That was me" }).click();
  await first.page.getByRole("heading", { name: "New with your sign-in" }).waitFor({ state: "detached" });

  const phone = first.page.getByRole("listitem").filter({ hasText: "Phone" }).first();
  await phone.getByRole("button", { name: "Rename" }).click();
  await first.page.getByLabel("Name of this passkey").fill("Old phone");
  await first.page.getByRole("button", { name: "Save" }).click();
  await first.page.getByText("Old phone").first().waitFor();
  const old = first.page.getByRole("listitem").filter({ hasText: "Old phone" }).first();
  await old.getByRole("button", { name: "Remove" }).click();
  await first.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await old.getByRole("button", { name: "Remove" }).waitFor({ state: "detached" });

  await first.page.getByRole("button", { name: "Remove" }).click();
  await first.page.getByText("It is your last one.").waitFor();
  await picture(first.page, "remove-last");
  await first.page.getByRole("alertdialog").getByRole("button", { name: "Leave it as it is" }).click();

  await first.page.getByRole("button", { name: "Sign out everywhere" }).click();
  await first.page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await first.page.getByRole("button", { name: "Sign in with your passkey" }).waitFor();
  await second.page.reload();
  await second.page.getByRole("button", { name: "Sign in with your passkey" }).click();
  await second.page.getByText("That passkey does not sign you in here").waitFor();
  expect(complaints).toEqual([]);
  await first.context.close();
  await second.context.close();
});

it("a passkey that settles approves once its day is over", async () => {
  await demandPasskey();
  const first = await openDesk();
  await firstRun(first);
  const second = await openDesk(PHONE);
  await openLink(second.page);
  await second.page.getByRole("button", { name: "Make the passkey" }).click();
  await second.page.getByRole("heading", { name: "Inbox" }).waitFor();
  await inStore(ready.world.gateway, (db) =>
    db.updateTable("credential").set({ revoked_at: 1 }).where("confirmed_at", "is not", null).execute(),
  );
  const early = await waiting();
  await second.page.goto(`${ready.world.issuer}${early.href}`);
  await second.page.getByText("yours is too new").waitFor();
  expect(await second.page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
  await picture(second.page, "approval-settling");
  await inStore(ready.world.gateway, (db) =>
    db
      .updateTable("credential")
      .set((eb) => ({ enrolled_at: eb("enrolled_at", "-", CREDENTIAL_SETTLE_MS) }))
      .execute(),
  );
  await second.page.reload();
  await second.page.getByRole("button", { name: /^Approve/ }).click();
  await second.page.getByText("You approved this.").waitFor();
  await first.context.close();
  await second.context.close();
});
