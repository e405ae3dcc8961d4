import type { PracticeShop } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const ITEM = "TL-200";
const PAGE_MS = 30_000;

/** A purchase at the practice shop as somebody would write it down with Playwright: no grant, no record, no receipt. */
export interface Script {
  /** To the checkout with the one item; gives the total that a person would be asked about. */
  prepare(): Promise<string>;
  /** Looks again, orders, and gives the number of the order. */
  commit(total: string): Promise<string>;
  close(): Promise<void>;
}

/** Its own browser, signed in as the same person. It visits the pages that the adapter visits, in the same order. */
export async function openScript(
  shop: PracticeShop,
  chromiumAt: { readonly executablePath: string; readonly chromiumSandbox: boolean; readonly args: readonly string[] },
): Promise<Script> {
  const browser = await chromium.launch({ ...chromiumAt, args: [...chromiumAt.args] });
  const context = await browser.newContext({ baseURL: shop.origin });
  context.setDefaultTimeout(PAGE_MS);
  await signIn(context, shop);
  let checkout: Page | undefined;
  return {
    async prepare() {
      const page = await opened(context, "/checkout");
      checkout = page;
      await page.goto("/cart", { waitUntil: "domcontentloaded" });
      while ((await page.getByText("Your cart is empty.").count()) === 0) {
        const remove = page.getByRole("button", { name: /^Remove / }).first();
        await Promise.all([page.waitForEvent("domcontentloaded"), remove.click()]);
      }
      await page.goto(`/products/${ITEM}`, { waitUntil: "domcontentloaded" });
      await page.getByRole("spinbutton", { name: "Quantity", exact: true }).fill("1");
      const add = page.getByRole("button", { name: "Add to cart", exact: true });
      await Promise.all([page.waitForEvent("domcontentloaded"), add.click()]);
      await page.goto("/checkout", { waitUntil: "domcontentloaded" });
      return totalOn(page);
    },
    async commit(total) {
      const orders = await opened(context, "/orders");
      await orders.getByRole("heading", { level: 1 }).textContent();
      await orders.close();
      await checkout?.close();
      const page = await opened(context, "/checkout");
      assert((await totalOn(page)) === total, "the total is the same");
      const again = await opened(context, "/checkout");
      assert((await totalOn(again)) === total, "the total is still the same");
      await again.close();
      await page.getByRole("button", { name: "Place order", exact: true }).click();
      await page.waitForURL(/\/orders\/[^/]+/, { waitUntil: "domcontentloaded" });
      const number = new URL(page.url()).pathname.split("/").at(-1);
      await page.close();
      assert(number !== undefined && number !== "", "the shop gave a number");
      return number;
    },
    close: () => browser.close(),
  };
}

async function signIn(context: BrowserContext, { user, currentCode }: PracticeShop): Promise<void> {
  const page = await opened(context, "/sign-in");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("One-time code").fill(currentCode());
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  await page.close();
}

async function opened(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path, { waitUntil: "domcontentloaded" });
  return page;
}

function totalOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const row = [...document.querySelectorAll("main tr")].findLast((each) => each.textContent?.includes("Total"));
    const text = row?.querySelector("td:last-child")?.textContent?.trim();
    if (text === undefined || text === "") throw new Error("no total on the checkout");
    return text;
  });
}
