import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { CART_LINES_MAX, PART_MS } from "./limits.ts";
import { readQuantity } from "./money.ts";
import { addToCart, type Product } from "./product-page.ts";
import { visit } from "./visit.ts";
import type { OrderWish } from "./wish.ts";

export interface CartLine {
  /** Of the product's page, from the origin. */
  readonly path: string;
  readonly title: string;
  readonly sku: string;
  readonly options: readonly string[];
  readonly quantity: number;
}

export interface CartLook {
  readonly isEmpty: boolean;
  readonly rows: readonly {
    readonly path: string;
    readonly title: string;
    readonly facts: readonly string[];
    readonly quantity: string;
  }[];
}

/** The cart of whoever the session is, as its page shows it; a signed-out person has one too. */
export function readCart(session: BrowserSession): Promise<Attempt<readonly CartLine[]>> {
  return visit(session, "/cart", async (page) => ok(cartOf(await lookAtCart(page))));
}

/**
 * Makes the cart hold the wanted line and nothing else: whatever else lies there would be ordered too. The cart is the
 * account's, outlives sessions, and adds quantities up, so it is emptied first (browser notes, pitfall 4).
 */
export async function fillCart(session: BrowserSession, wish: OrderWish): Promise<Attempt<Product>> {
  const emptied = await visit(session, "/cart", empty);
  if (!emptied.ok) return emptied;
  const product = await addToCart(session, wish);
  if (!product.ok) return product;
  const cart = await readCart(session);
  if (!cart.ok) return cart;
  return holdsOnly(cart.value, wish, product.value) ? product : gap("the shop did not take the item as it was wanted");
}

/** Whether a cart is of exactly one line: that item in that quantity. */
export function holdsOnly(lines: readonly CartLine[], wish: OrderWish, product: Product): boolean {
  const [line, ...others] = lines;
  return (
    others.length === 0 &&
    line?.path === `/${wish.itemRef}` &&
    line.quantity === wish.quantity &&
    line.sku === product.sku &&
    line.title === product.title &&
    sameTexts(line.options, product.options)
  );
}

export function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, at) => text === others[at]);
}

async function empty(page: Page): Promise<Attempt<void>> {
  await page.waitForLoadState("load");
  const rows = page.locator(".cart__item");
  for (let removed = 0; removed < CART_LINES_MAX; removed++) {
    const left = cartOf(await lookAtCart(page)).length;
    if (left === 0) return ok(undefined);
    await rows.first().getByRole("button", { name: "Remove" }).click();
    await rows.nth(left - 1).waitFor({ state: "detached", timeout: PART_MS });
  }
  throw new SiteTrouble("the shop's cart does not become empty");
}

/** @throws SiteTrouble when the page is no cart that can be read. */
export function cartOf(look: CartLook): readonly CartLine[] {
  if (look.isEmpty !== (look.rows.length === 0)) throw new SiteTrouble("the shop's cart cannot be read");
  return look.rows.map(({ path, title, facts, quantity }) => {
    const [sku = "", ...options] = facts;
    const found = /^SKU (\S.*)$/.exec(sku)?.[1];
    if (found === undefined || path === "" || title === "") throw new SiteTrouble("the shop's cart cannot be read");
    return { path, title, sku: found, options, quantity: readQuantity(quantity) };
  });
}

function lookAtCart(page: Page): Promise<CartLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    return {
      isEmpty: text(document.querySelector("main")).includes("Your cart is empty!"),
      rows: [...document.querySelectorAll("main .cart__item")].map((row) => {
        const link = row.querySelector<HTMLAnchorElement>("a[href]");
        const facts = [...(link?.parentElement?.children ?? [])].slice(1);
        // Between the buttons of fewer and more.
        const quantity = row.querySelector("button + span");
        return {
          path: link === null || link.origin !== location.origin ? "" : link.pathname,
          title: text(link),
          facts: facts.map((fact) => text(fact)).filter((fact) => fact !== ""),
          quantity: text(quantity),
        };
      }),
    };
  });
}
