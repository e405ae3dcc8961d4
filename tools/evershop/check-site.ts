import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckSite } from "@countersign/adapter-kit";
import type { Ctx, Destination, LiveView, Route, Verified, ViewInput } from "@countersign/plugin";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { assert, err, ok } from "@countersign/wire";
import { type Browser, chromium } from "playwright-core";
import { addToCart, checkOut, placeOrder, signIn } from "./buyer.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { countTabs, type Tabs } from "./e2e/person.ts";
import { stepMs } from "./limits.ts";
import { type EverShop, startEverShop } from "./shop.ts";

// EverShop's real pages for `countersign adapter check adapters/evershop`, in a real Chromium. What lies between a site and
// a browser the checker cannot bring about itself, so those faults are said not to have been tried.

export const cup = {
  sku: "CUP-001-WHT",
  price: "15.00",
  dearer: "16.00",
  path: "accessories/ceramic-coffee-cup-white",
};
export const cupOption = "White";
export const ORDER = "retail.order.submit";

const customer = { fullName: "Ada Example", email: "ada@example.com", password: "correct-horse-9" };
const SIGN_IN = "/account/login";
const TRIES = 3;

export interface CheckedShop extends CheckSite {
  makeRoute(): Route;
}

/** Only the shop of this check is reached. */
const loopback = async (host: string) =>
  host === "127.0.0.1" ? ok({ address: "127.0.0.1", family: 4 as const }) : err("address_refused" as const);

export async function openShop(): Promise<CheckedShop> {
  const executablePath = findChromium(process.env);
  assert(executablePath.ok, "there is a Chromium");
  const sandbox = process.getuid?.() === 0 ? "off" : "on";
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const profileRoot = await mkdtemp(join(tmpdir(), "countersign-check-"));
    undo.push(() => rm(profileRoot, { recursive: true, force: true }));
    const proxy = await startCuttingProxy();
    undo.push(() => proxy.stop());
    const shop = await startEverShop({ publicOrigin: proxy.origin });
    undo.push(() => shop.stop());
    proxy.forwardTo(shop.origin);
    await shop.addCustomer(customer);
    const browser = await chromium.launch({ executablePath: executablePath.value, chromiumSandbox: sandbox === "on" });
    undo.push(() => browser.close());
    proxy.comeFrom("203.0.113.1");
    const tabs = await countTabs(browser, proxy.origin);
    const others = new Set<string>();
    let verified: Verified | undefined;
    let addresses = 1;
    let lift = () => {};
    return {
      origin: proxy.origin,
      makeRoute: () =>
        createBrowserRoute({ executablePath: executablePath.value, sandbox, profileRoot, resolve: loopback }),
      /** Signed in once, by hand as it were, and again whenever the shop has ended the session. */
      async signIn(route, ctx, destination) {
        verified ??= await inLiveView(route, ctx, destination, tabs);
        return verified;
      },
      personal: () => ["1 Main Street"],
      async reset() {
        lift();
        // The shop limits by address.
        addresses += 1;
        proxy.comeFrom(`203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`);
        await shop.setPrice(cup.sku, cup.price);
        for (const { orderNumber } of await shop.orders()) others.add(orderNumber);
      },
      async fault(name, operation) {
        switch (name) {
          case "changed_terms":
            await shop.setPrice(cup.sku, cup.dearer);
            return operation === ORDER;
          case "half_page":
            lift = proxy.halve();
            return true;
          case "sign_in_wall":
            lift = proxy.wall(SIGN_IN);
            return true;
          case "ended_session":
            await shop.sql("DELETE FROM session");
            verified = undefined;
            return true;
          default:
            return false;
        }
      },
      async effects(operation) {
        if (operation !== ORDER) return [];
        const own = (await shop.orders()).filter(({ orderNumber }) => !others.has(orderNumber));
        return own.map(({ orderNumber, grandTotal, items: [item] }) => ({
          ref: orderNumber,
          facts: { quantity: item?.qty ?? 0, total_minor: Math.round(Number(grandTotal) * 100) },
        }));
      },
      async elsewhere(operation, which) {
        if (operation !== ORDER) return false;
        others.add(await buyElsewhere(browser, shop, proxy.origin, which === "equal" ? 2 : 3));
        return true;
      },
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** The person buys in a browser of their own. @returns the order's number. */
async function buyElsewhere(browser: Browser, shop: EverShop, origin: string, qty: number): Promise<string> {
  const before = (await shop.orders()).length;
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(stepMs);
    await signIn(page, origin, customer);
    await addToCart(page, origin, { path: `/${cup.path}`, option: cupOption, qty });
    await checkOut(page, origin);
    await placeOrder(page);
    await page.waitForURL(/\/checkout\/success\//);
  } finally {
    await context.close();
  }
  const [placed] = (await shop.orders()).slice(before);
  assert(placed !== undefined, "the person's order is placed");
  return placed.orderNumber;
}

/** As a person does at the shop's own page in the live view, with the keyboard. */
async function inLiveView(route: Route, ctx: Ctx, destination: Destination, tabs: Tabs): Promise<Verified> {
  for (let tries = 0; tries < TRIES; tries++) {
    const begun = await route.beginSignIn(ctx, destination, { take: async () => ({ kind: "go", left: TRIES }) });
    assert(begun.ok && begun.value.mode === "live", "the shop's sign-in page comes");
    const { view } = begun.value;
    try {
      await shows(view, (path) => path === SIGN_IN, true);
      await press(view, "Tab", tabs.toEmail);
      await view.input({ type: "text", text: customer.email });
      await press(view, "Tab", 1);
      await view.input({ type: "text", text: customer.password });
      await press(view, "Tab", tabs.toButton);
      const left = shows(view, (path) => path !== SIGN_IN, false);
      await press(view, "Enter", 1);
      // Keys that came before the page's script was alive are lost: it is begun again, as a person would.
      if (
        !(await left.then(
          () => true,
          () => false,
        ))
      )
        continue;
      const signedIn = await begun.value.verify();
      if (signedIn.ok) return signedIn.value;
    } finally {
      await begun.value.close();
    }
  }
  throw new Error("the shop does not let its customer in");
}

async function press(view: LiveView, key: "Tab" | "Enter", times: number): Promise<void> {
  const stroke = { type: "key", key, code: key, shift: false, ctrl: false, alt: false, meta: false } as const;
  const both: readonly ViewInput[] = [
    { ...stroke, action: "down" },
    { ...stroke, action: "up" },
  ];
  for (let each = 0; each < times; each++) for (const event of both) await view.input(event);
}

/** Resolves once the view is at such a page, and with `drawn` once a picture of it has come. */
function shows(view: LiveView, isIt: (path: string) => boolean, drawn: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let there = false;
    const late = setTimeout(() => {
      stop();
      reject(new Error("the live view does not show the page"));
    }, stepMs);
    const stop = view.subscribe((message) => {
      if (message.type === "frame") void view.input({ type: "ack", id: message.id });
      if (message.type === "location") there = isIt(message.path);
      if (!there || (drawn && message.type !== "frame")) return;
      clearTimeout(late);
      queueMicrotask(() => stop());
      resolve();
    });
  });
}
