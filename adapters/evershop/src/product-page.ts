import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { PART_MS } from "./limits.ts";
import { pressUntil, visit } from "./visit.ts";
import { type OrderWish, productPath } from "./wish.ts";

/** A product as its own page shows it. A variant has a page, and these facts, of its own. */
export interface Product {
  readonly title: string;
  readonly sku: string;
  /** `Color: White`, as the cart and the orders write it. */
  readonly options: readonly string[];
}

export interface ProductLook {
  readonly hasForm: boolean;
  readonly title: string;
  readonly facts: readonly { readonly term: string; readonly text: string }[];
  /** What must be chosen before the product goes into the cart. */
  readonly choices: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Puts the wanted item into the cart through its page. */
export async function addToCart(session: BrowserSession, wish: OrderWish): Promise<Attempt<Product>> {
  const path = productPath(wish.itemRef);
  if (path === undefined) return gap("the item reference names no product page of this shop");
  return visit(session, path, async (page) => {
    await page.waitForLoadState("load");
    const look = await lookAtProduct(page);
    // A shop without this page shows one that says so, whose form is missing.
    if (!look.hasForm || pathOf(page) !== path) return gap("the shop has no such item");
    const product = readProduct(look);
    const chosen = await choose(page, look);
    if (!chosen.ok) return chosen;
    if (pathOf(page) !== path || readProduct(await lookAtProduct(page)).sku !== product.sku)
      throw new SiteTrouble("the shop's choice led to another item");
    return put(page, wish, product);
  });
}

async function put(page: Page, wish: OrderWish, product: Product): Promise<Attempt<Product>> {
  const main = page.getByRole("main");
  const button = main.getByRole("button", { name: "Add to cart", exact: true });
  if ((await button.count()) !== 1 || !(await button.isEnabled())) return gap("the item cannot be bought now");
  await main.getByRole("spinbutton", { name: "Quantity" }).fill(String(wish.quantity));
  await button.click();
  // Not pressed again when it takes long: quantities add up.
  const taken = page.getByRole("dialog", { name: "Your Cart" });
  const refused = page.getByRole("region", { name: /^Notifications/ }).getByRole("listitem");
  await taken.or(refused).first().waitFor({ timeout: PART_MS });
  return (await taken.count()) > 0 ? ok(product) : gap("the shop did not take the item");
}

/** Even on a variant's own page its options must be pressed, and are taken once the address names them. */
async function choose(page: Page, look: ProductLook): Promise<Attempt<void>> {
  for (const { name, values } of look.choices) {
    const value = look.facts.find((fact) => fact.term === name)?.text;
    if (value === undefined || !values.includes(value))
      return gap("the item is offered in variants of which one must be named by its own page");
    const button = page.locator(".variant__container").getByRole("button", { name: value, exact: true });
    const key = name.toLowerCase().replaceAll(" ", "_");
    await pressUntil(
      () => button.click(),
      (timeout) => page.waitForURL((url) => url.searchParams.has(key), { timeout }),
    );
  }
  return ok(undefined);
}

export function readProduct(look: ProductLook): Product {
  const [sku, ...others] = look.facts.filter((fact) => fact.term === "SKU" && fact.text !== "");
  if (sku === undefined || others.length > 0 || look.title === "")
    throw new SiteTrouble("the shop's product page does not name the item");
  const options = look.choices.map(({ name }) => {
    const value = look.facts.find((fact) => fact.term === name)?.text ?? "";
    return `${name}: ${value}`;
  });
  return { title: look.title, sku: sku.text, options };
}

function lookAtProduct(page: Page): Promise<ProductLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const form = document.querySelector("main #productForm");
    return {
      hasForm: form !== null,
      title: text(document.querySelector("main h1")),
      facts: [...document.querySelectorAll("main .product__single__attributes > div")].map((fact) => ({
        term: text(fact.querySelector("dt")),
        text: text(fact.querySelector("dd")),
      })),
      choices: [...(form?.querySelectorAll(".variant__container > div") ?? [])].map((choice) => ({
        name: text(choice.querySelector(":scope > div span")),
        values: [...choice.querySelectorAll("li button")].map((value) => text(value)),
      })),
    };
  });
}
