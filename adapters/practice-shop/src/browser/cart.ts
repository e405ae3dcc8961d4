import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { CART_LINES_MAX } from "../shared/limits.ts";
import type { OrderWish } from "../shared/wish.ts";
import { readQuantity } from "./money.ts";
import { addToCart } from "./product-page.ts";
import { expectHeading, follow, goTo, visit } from "./visit.ts";

const CART = "/cart";

export interface CartLine {
  readonly sku: string;
  readonly quantity: number;
}

/** The account's cart as its page shows it. */
export function readCart(session: BrowserSession): Promise<Attempt<readonly CartLine[]>> {
  return visit(session, CART, async (page) => ok(await linesOf(page)));
}

/**
 * Makes the cart hold the wanted line and nothing else: whatever else lies there would be ordered too. The cart is the
 * account's, outlives sessions, and adds quantities up, so it is emptied first (browser notes, pitfall 4).
 * @param page any page of the shop; afterwards it shows the cart.
 */
export async function fillCart(page: Page, wish: OrderWish): Promise<Attempt<void>> {
  const there = pathOf(page) === CART ? ok(undefined) : await goTo(page, CART);
  const emptied = there.ok ? await empty(page) : there;
  if (!emptied.ok) return emptied;
  const added = await addToCart(page, wish);
  if (!added.ok) return added;
  return holdsOnly(await linesOf(page), wish) ? ok(undefined) : gap("the shop did not take the item as it was wanted");
}

export function holdsOnly(lines: readonly CartLine[], wish: { readonly sku: string; readonly quantity: number }) {
  const [line, ...others] = lines;
  return others.length === 0 && line?.sku === wish.sku && line.quantity === wish.quantity;
}

async function empty(page: Page): Promise<Attempt<void>> {
  for (let removed = 0; removed < CART_LINES_MAX; removed++) {
    if ((await linesOf(page)).length === 0) return ok(undefined);
    const gone = await follow(page, () =>
      page
        .getByRole("button", { name: /^Remove / })
        .first()
        .click(),
    );
    if (!gone.ok) return gone;
  }
  throw new SiteTrouble("the shop's cart does not become empty");
}

async function linesOf(page: Page): Promise<readonly CartLine[]> {
  const look = await page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    return {
      heading: text(document.querySelector("main h1")),
      isEmpty: text(document.querySelector("main")).includes("Your cart is empty."),
      rows: [...document.querySelectorAll("main table tbody tr")].map((row) => ({
        sku: text(row.querySelector("th .small")),
        quantity: row.querySelector<HTMLInputElement>('input[type="number"]')?.value ?? "",
      })),
    };
  });
  expectHeading(look.heading, "Your cart");
  if (look.isEmpty !== (look.rows.length === 0)) throw new SiteTrouble("the shop's cart cannot be read");
  return look.rows.map(({ sku, quantity }) => ({ sku, quantity: readQuantity(quantity) }));
}
