import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import { type Page, pathOf } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import type { OrderWish } from "../shared/wish.ts";
import { follow, goTo } from "./visit.ts";

interface ProductLook {
  readonly heading: string;
  readonly status: string;
  /** What the form can put into the cart: the product, or its variants. Absent when there is no form. */
  readonly skus?: readonly string[];
  readonly isChoice: boolean;
  readonly quantityMax: number;
}

type Added = "added" | "no_such_page";

/**
 * Puts the wanted item into the cart through its product page; a variant stands on its product's page.
 * @param page any page of the shop; afterwards it shows the cart.
 */
export async function addToCart(page: Page, wish: OrderWish): Promise<Attempt<void>> {
  for (const product of new Set([wish.sku, wish.sku.replace(/-[^-]+$/, "")])) {
    const there = await goTo(page, `/products/${encodeURIComponent(product)}`);
    const added = there.ok ? await order(page, wish) : there;
    if (!added.ok) return added;
    if (added.value === "added") return ok(undefined);
  }
  return gap("the shop has no such item");
}

async function order(page: Page, wish: OrderWish): Promise<Attempt<Added>> {
  const look = await lookAtProduct(page);
  if (look.heading === "We do not have this") return ok("no_such_page");
  if (look.skus === undefined) {
    if (look.status.startsWith("Sold out")) return gap("the item is sold out");
    throw new SiteTrouble("the shop's product page has no form");
  }
  if (!look.skus.includes(wish.sku)) {
    return look.isChoice ? gap("the item is offered in variants of which one must be named") : ok("no_such_page");
  }
  if (wish.quantity > look.quantityMax) return gap("the shop does not sell that many");
  if (look.isChoice) await page.locator('select[name="sku"]').selectOption(wish.sku);
  await page.getByRole("spinbutton", { name: "Quantity", exact: true }).fill(String(wish.quantity));
  const done = await follow(page, () => page.getByRole("button", { name: "Add to cart", exact: true }).click());
  if (!done.ok) return done;
  return pathOf(page) === "/cart" && (await page.getByRole("alert").count()) === 0
    ? ok("added")
    : gap("the shop did not take the item");
}

function lookAtProduct(page: Page): Promise<ProductLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const form = document.querySelector('main form[action="/cart"]');
    const field = form?.querySelector<HTMLInputElement | HTMLSelectElement>('[name="sku"]');
    const options = field instanceof HTMLSelectElement ? [...field.options].map((option) => option.value) : undefined;
    const quantity = form?.querySelector<HTMLInputElement>('input[name="quantity"]');
    return {
      heading: text(document.querySelector("main h1")),
      status: text(document.querySelector('main [role="status"]')),
      ...(field ? { skus: options ?? [field.value] } : {}),
      isChoice: options !== undefined,
      quantityMax: Number(quantity?.max ?? 0),
    };
  });
}
