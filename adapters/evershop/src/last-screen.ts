import { SiteTrouble } from "@countersign/plugin";
import type { Attempt } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { fillCart, holdsOnly, readCart, sameTexts } from "./cart-page.ts";
import { CHECKOUT, type Checkout, fillCheckout } from "./checkout-page.ts";
import type { Product } from "./product-page.ts";
import { onPage, signedIn } from "./visit.ts";
import type { Address, OrderWish } from "./wish.ts";

export interface LastScreen {
  /** Stays open. */
  readonly page: Page;
  readonly checkout: Checkout;
  readonly product: Product;
}

/**
 * Brings the checkout to the last screen before commitment: exactly the wanted line, the wanted address, the standard
 * delivery. The cart is the account's and lives at the shop, so it is checked as the shop has it, not as we left it.
 * @param known the product as it was read before; without it the cart is made anew.
 */
export async function toLastScreen(
  session: BrowserSession,
  wish: OrderWish,
  address: Address,
  known?: Product,
): Promise<Attempt<LastScreen>> {
  // Cart and checkout are there for a signed-out person as well, and would be nobody's.
  const person = await signedIn(session);
  if (!person.ok) return person;
  const product = await inCart(session, wish, known);
  if (!product.ok) return product;
  const page = await session.page(CHECKOUT);
  return onPage(session, async () => {
    if (pathOf(page) !== CHECKOUT) throw new SiteTrouble("the shop does not go to the checkout");
    const checkout = await fillCheckout(page, address);
    if (!checkout.ok) return checkout;
    if (!isOf(checkout.value, wish, product.value)) throw new SiteTrouble("the shop's checkout is not of the cart");
    return ok({ page, checkout: checkout.value, product: product.value });
  });
}

/** Whether a checkout, which shows no SKU, is of that item alone. */
export function isOf(checkout: Checkout, wish: OrderWish, product: Product): boolean {
  const [line, ...others] = checkout.summary.lines;
  return (
    others.length === 0 &&
    line?.title === product.title &&
    line.quantity === wish.quantity &&
    sameTexts(line.options, product.options)
  );
}

async function inCart(session: BrowserSession, wish: OrderWish, known?: Product): Promise<Attempt<Product>> {
  if (known !== undefined) {
    const cart = await readCart(session);
    if (!cart.ok) return cart;
    if (holdsOnly(cart.value, wish, known)) return ok(known);
  }
  return fillCart(session, wish);
}
