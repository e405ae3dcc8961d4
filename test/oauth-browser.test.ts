import http from "node:http";
import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { type DocumentServer, OAuthClient, serveDocument } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

// The page where a person answers a client, in a real browser, with a client on this machine that waits for its answer.
const SHOTS = process.env["COUNTERSIGN_SHOTS"];
const PATIENCE = { timeout: 30_000 };

let browser: Browser;
let world: World;
let site: DocumentServer;
let listener: Awaited<ReturnType<typeof listen>>;
let page: Page;
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
  world = await openWorld({
    oauth: { documents: "loopback_too" },
    console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES },
  });
  site = await serveDocument({ client_name: "Your bank \u202Egpj" });
  listener = await listen();
  complaints.length = 0;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.context().close();
  await listener.close();
  await site.close();
  await world.close();
});

/** A native client's own port: it hears one answer and says so in the browser. */
async function listen() {
  const heard: URL[] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/callback") heard.push(url);
    response.setHeader("content-type", "text/html");
    response.end("<title>Back</title><h1>The client has your answer</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  return {
    heard,
    redirectUri: `http://127.0.0.1:${address.port}/callback`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function shot(name: string): Promise<void> {
  if (SHOTS === undefined) return;
  await page.screenshot({ path: `${SHOTS}/${name}-1280.png`, fullPage: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: `${SHOTS}/${name}-360.png`, fullPage: true });
  await page.setViewportSize({ width: 1280, height: 900 });
}

it("U37 signed out, to sign-in, to the page, to one press, to the client on a loopback port with tokens", async () => {
  const person = await Person.signIn(world);
  const accountRef = await person.connectShop("http");
  const client = await OAuthClient.discover(world.issuer, site.clientId, listener.redirectUri);
  const begun = await client.begin();
  await page.goto(begun.url);
  await page.getByLabel("Or paste", { exact: false }).or(page.locator("#sign-in-link")).first().waitFor(PATIENCE);
  expect(new URL(page.url()).pathname).toMatch(/^\/authorize\//);
  const asked = page.url();
  // Signed in in another tab of the same browser, as the one-time link does.
  const tab = await page.context().newPage();
  await tab.goto(`${world.issuer}/link#${(await world.gateway.signInLink()).reveal()}`);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.getByRole("heading", { level: 1 }).waitFor();
  await tab.waitForFunction(() => document.cookie.includes("__Host-countersign-page="));
  await tab.close();
  complaints.length = 0;
  await page.goto(asked);
  await page
    .getByText("Who asks")
    .or(page.getByRole("button", { name: "Allow" }))
    .first()
    .waitFor(PATIENCE);
  const text = await page.locator("main").textContent();
  expect(text).toContain(new URL(site.clientId).host);
  expect(text).not.toContain("\u202E");
  expect(text).toContain("a program on this device");
  await shot("authorize");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${listener.redirectUri}**`, PATIENCE);
  expect(listener.heard).toHaveLength(1);
  const back = client.callback(String(listener.heard[0]), begun.state);
  const tokens = await client.redeem(back, begun.verifier);
  // Nothing was ticked but what reads.
  const reads = ["retail.orders.list", "retail.item.get", "retail.wishlist.list", "retail.deal.watch"];
  expect(tokens.authorization_details).toMatchObject([{ account_ref: accountRef, operations: reads }]);
  expect(complaints).toEqual([]);
}, 120_000);

it("U36 U38 a request that was answered says so, waits for a press, and a broken one has a page with words", async () => {
  const link = (await world.gateway.signInLink()).reveal();
  await page.goto(`${world.issuer}/link#${link}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForFunction(() => document.cookie.includes("__Host-countersign-page="));
  const client = await OAuthClient.discover(world.issuer, site.clientId, listener.redirectUri);
  const begun = await client.begin({ redirect_uri: "https://evil.example/" });
  await page.goto(begun.url);
  await page.getByRole("heading", { level: 1, name: "This cannot go on" }).waitFor(PATIENCE);
  await shot("authorize-problem");
  await page.goto(`${world.issuer}/device`);
  await page.getByLabel("The code").fill("BBBB-BBBB");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("No device waits with this code", { exact: false }).waitFor(PATIENCE);
  await shot("device");
  const good = await client.begin();
  await page.goto(good.url);
  await page.getByRole("radio", { name: "Nothing yet", exact: false }).check({ force: true });
  await shot("authorize-nothing");
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.waitForURL(`${listener.redirectUri}**`, PATIENCE);
  expect(listener.heard.at(-1)?.searchParams.get("error")).toBe("access_denied");
}, 120_000);
