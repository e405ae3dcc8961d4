import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "@countersign/route-browser";
import { type Browser, chromium } from "playwright-core";
import { ensureConsole } from "../../../packages/countersign/src/setup/console-build.ts";
import { freePort } from "../../processes/processes.ts";
import { addToCart, checkOut, deliveryAddress, orderHistory, placeOrder, signIn } from "../buyer.ts";
import { type CuttingProxy, startCuttingProxy } from "../cutting-proxy.ts";
import { type EverShop, startEverShop } from "../shop.ts";
import { Agent, type Refs } from "./agent.ts";
import { type GatewayProcess, gatewayOn } from "./gateway.ts";
import { stepMs } from "./limits.ts";
import { countTabs, Person } from "./person.ts";
import { kindsSeen } from "./requests.ts";

export const commit = { method: "POST", path: "/api/carts/*/checkout" };
export const white = { sku: "CUP-001-WHT", price: "15.00", option: "White", qty: 2 };
export const itemRef = "accessories/ceramic-coffee-cup-white";

const customer = { fullName: "Ada Example", email: "ada@example.com", password: "correct-horse-9" };

export interface World {
  readonly shop: EverShop;
  readonly proxy: CuttingProxy;
  readonly gateway: GatewayProcess;
  readonly person: Person;
  readonly agent: Agent;
  readonly refs: Refs;
  /** Kinds of requests that the shop's pages made while a person bought there with no gateway. */
  readonly byHand: ReadonlySet<string>;
}

export type Say = (line: string) => void;

/**
 * A shop behind the proxy, `countersign start` on an empty data directory, and a person who has let an agent in, signed
 * in at the shop through the live view, and granted. What was started is undone through `undo`, last first.
 */
export async function openWorld(say: Say, undo: (() => Promise<void>)[]): Promise<World> {
  const executablePath = findChromium(process.env);
  if (!executablePath.ok) throw new Error("no Chromium was found");
  const built = await ensureConsole(say);
  if (!built.ok) throw new Error(built.reason);
  const proxy = await startCuttingProxy();
  undo.push(() => proxy.stop());
  const shop = await startEverShop({ publicOrigin: proxy.origin });
  undo.push(() => shop.stop());
  proxy.forwardTo(shop.origin);
  proxy.comeFrom("203.0.113.1");
  await shop.addCustomer(customer);
  say("the shop runs");

  const browser = await chromium.launch({
    executablePath: executablePath.value,
    chromiumSandbox: process.getuid?.() !== 0,
  });
  undo.push(() => browser.close());
  const byHand = await buyByHand(browser, proxy);
  say("a person has bought there by hand");

  const dataDir = await mkdtemp(join(tmpdir(), "countersign-evershop-"));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const destination = { id: "evershop", site: "evershop", origin: proxy.origin };
  const gateway = gatewayOn(dataDir, await freePort(), destination);
  undo.push(() => gateway.stop());
  const person = await Person.signIn(browser, gateway.issuer, await gateway.start(), customer);
  say("the gateway runs, and the person is signed in");

  proxy.comeFrom("203.0.113.2");
  const agent = await Agent.ask(dataDir);
  await person.letIn(agent.clientId);
  await agent.fetchCredential(dataDir);
  const tabs = await countTabs(browser, proxy.origin);
  proxy.forget();
  const consentRef = await agent.askGrant();
  await person.connectAndGrant(consentRef, tabs);
  const consent = await agent.get(`/v1/consents/${consentRef}`);
  const accountRef = String(consent["account_ref"]);
  const fulfillmentRef = await person.addAddress(accountRef, {
    full_name: deliveryAddress.fullName,
    telephone: deliveryAddress.telephone,
    address_1: deliveryAddress.street,
    city: deliveryAddress.city,
    province: deliveryAddress.province,
    postcode: deliveryAddress.postcode,
    country: deliveryAddress.country,
  });
  say("the account is connected through the live view, and the agent has its grant");
  return { shop, proxy, gateway, person, agent, refs: { accountRef, consentRef, fulfillmentRef }, byHand };
}

/** The order that the account had before, and the measure of what the shop's own pages send. */
async function buyByHand(browser: Browser, proxy: CuttingProxy): Promise<ReadonlySet<string>> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(stepMs);
    const basket = { path: `/${itemRef}`, option: white.option, qty: 1 };
    await signIn(page, proxy.origin, customer);
    await page.goto(`${proxy.origin}/account`);
    await addToCart(page, proxy.origin, basket);
    await page.goto(`${proxy.origin}/cart`);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Your cart is empty!").waitFor();
    await addToCart(page, proxy.origin, basket);
    await page.goto(`${proxy.origin}/cart`);
    await checkOut(page, proxy.origin);
    await placeOrder(page);
    await page.waitForURL(/\/checkout\/success\//);
    await orderHistory(page, proxy.origin);
    await page.getByRole("link", { name: /^Order #/ }).click();
    await page.getByRole("heading", { name: /^Order #/ }).waitFor();
    return kindsSeen(proxy);
  } finally {
    await context.close();
  }
}
