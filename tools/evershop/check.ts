/** Proves these tools against the real shop. `node tools/evershop/check.ts [folder for pictures]` */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { ToolError } from "../processes/processes.ts";
import { addToCart, checkOut, commitPattern, orderHistory, placeOrder, signedInAs, signIn } from "./buyer.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { ensureInstalled } from "./install.ts";
import { type EverShop, startEverShop } from "./shop.ts";

const customer = { fullName: "Ada Example", email: "ada@example.com", password: "correct-horse-9" };
const white = { sku: "CUP-001-WHT", path: "/accessories/ceramic-coffee-cup-white", option: "White", qty: 2 };
/** The shop's page sends again after 1, 2 and 4 seconds by itself. */
const sendsOfOneClick = 4;
const pageGivesUpMs = 15_000;

const pictures = process.argv[2];

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const value = await work();
  process.stdout.write(`${(performance.now() - startedAt).toFixed(0).padStart(7)} ms  ${what}\n`);
  return value;
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

async function buyOnce(page: Page, shop: EverShop, proxy: CuttingProxy): Promise<void> {
  await addToCart(page, proxy.origin, white);
  const total = await checkOut(page, proxy.origin);
  assert.equal(total, "$35.00");
  await picture(page, "checkout");
  const answer = await placeOrder(page);
  assert.equal(answer?.status(), 200);
  await page.waitForURL(/\/checkout\/success\//);
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
  await picture(page, "success");
  const [order, ...more] = await shop.orders();
  assert.equal(more.length, 0);
  assert.equal(order?.grandTotal, "35.0000");
  assert.equal(order?.customerEmail, customer.email);
  assert.deepEqual(
    order?.items.map(({ sku, qty }) => ({ sku, qty })),
    [{ sku: white.sku, qty: white.qty }],
  );
  assert.equal(proxy.count(commitPattern), 1);
}

async function loseTheAnswer(page: Page, shop: EverShop, proxy: CuttingProxy): Promise<void> {
  await addToCart(page, proxy.origin, white);
  await checkOut(page, proxy.origin);
  proxy.forget();
  const cut = proxy.cutAfterRequest(commitPattern);
  assert.equal(await placeOrder(page), undefined);
  await page.getByText("Failed to fetch").waitFor({ timeout: pageGivesUpMs });
  await picture(page, "answer-lost");
  cut.lift();
  const statuses = proxy.exchanges(commitPattern).map((exchange) => exchange.status);
  assert.ok(cut.count() >= sendsOfOneClick, `the page resubmits by itself: ${statuses.join(", ")}`);
  assert.equal(statuses[0], 200);
  assert.equal((await shop.orders()).length, 2);
}

async function loseTheRequest(page: Page, shop: EverShop, proxy: CuttingProxy): Promise<void> {
  await addToCart(page, proxy.origin, white);
  await checkOut(page, proxy.origin);
  const cut = proxy.cutBeforeForward(commitPattern);
  assert.equal(await placeOrder(page), undefined);
  await page.getByText("Failed to fetch").waitFor({ timeout: pageGivesUpMs });
  cut.lift();
  assert.equal((await shop.orders()).length, 2);
}

async function raiseThePrice(page: Page, shop: EverShop, proxy: CuttingProxy): Promise<void> {
  // The cart of the lost request is still there, its address and shipping too.
  const total = await checkOut(page, proxy.origin);
  const lift = proxy.onRequest(async (seen) => {
    if (seen.method === "POST" && seen.path.endsWith("/checkout")) await shop.setPrice(white.sku, "16.00");
  });
  const answer = await placeOrder(page);
  lift();
  assert.equal(answer?.status(), 200);
  await page.waitForURL(/\/checkout\/success\//);
  assert.equal(total, "$35.00");
  assert.equal((await shop.orders()).at(-1)?.grandTotal, "37.0000");
}

async function check(): Promise<void> {
  await timed("installed", ensureInstalled);
  const proxy = await startCuttingProxy();
  let shop: EverShop | undefined;
  let browser: Browser | undefined;
  try {
    const running = await timed("shop started", () => startEverShop({ publicOrigin: proxy.origin }));
    shop = running;
    proxy.forwardTo(running.origin);
    proxy.comeFrom("203.0.113.7");
    assert.equal((await running.products()).length, 15);
    await timed("customer added", () => running.addCustomer(customer));
    browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    await timed("signed in", () => signIn(page, proxy.origin, customer));
    assert.equal(await signedInAs(page, proxy.origin), customer.fullName);
    await timed("bought", () => buyOnce(page, running, proxy));
    await timed("answer lost", () => loseTheAnswer(page, running, proxy));
    await timed("request lost", () => loseTheRequest(page, running, proxy));
    await timed("price raised under way", () => raiseThePrice(page, running, proxy));
    assert.deepEqual(await orderHistory(page, proxy.origin), ["10001", "10002", "10003"]);
    await picture(page, "orders");
  } catch (cause) {
    for (const page of browser?.contexts().flatMap((context) => context.pages()) ?? []) await picture(page, "failed");
    throw cause;
  } finally {
    await browser?.close();
    await timed("stopped", async () => await shop?.stop());
    await proxy.stop();
  }
}

try {
  await check();
  process.stdout.write("The shop and the proxy work.\n");
} catch (cause) {
  process.stderr.write(
    `${cause instanceof ToolError ? cause.message : String(cause instanceof Error ? cause.stack : cause)}\n`,
  );
  process.exitCode = 1;
}
