import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap, wantsSignIn } from "@countersign/plugin/site";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { IN_VARIANTS, NO_SUCH_ITEM, type ShopItem } from "../shared/item.ts";
import { readMoney } from "./money.ts";
import { goTo, visit } from "./visit.ts";

export interface ItemLook {
  readonly heading: string;
  readonly status: string;
  readonly paragraphs: readonly string[];
  readonly sku: string;
  /** What can be chosen, where the product comes in variants. */
  readonly variants: readonly { readonly sku: string; readonly name: string }[];
  readonly quantityMax: number;
  /** A product page is shown to everybody; only to whom is signed in are its words those of the account. */
  readonly isSignedIn: boolean;
}

/** One item as its product page shows it; a variant stands on its product's page. */
export async function readItem(session: BrowserSession, sku: string): Promise<Attempt<ShopItem>> {
  const [first = sku, ...others] = new Set([sku, sku.replace(/-[^-]+$/, "")]);
  return visit(session, pathTo(first), async (page) => {
    const found = itemOf(await look(page), sku);
    if (!found.ok || found.value !== "elsewhere") return found as Attempt<ShopItem>;
    for (const product of others) {
      const there = await goTo(page, pathTo(product));
      const item = there.ok ? itemOf(await look(page), sku) : there;
      if (!item.ok || item.value !== "elsewhere") return item as Attempt<ShopItem>;
    }
    return gap(NO_SUCH_ITEM);
  });
}

function pathTo(product: string): string {
  return `/products/${encodeURIComponent(product)}`;
}

/** `elsewhere`: this page has nothing of that name. @throws SiteTrouble when the page cannot be read. */
export function itemOf(seen: ItemLook, sku: string): Attempt<ShopItem | "elsewhere"> {
  if (!seen.isSignedIn) return wantsSignIn();
  if (seen.heading === "We do not have this") return ok("elsewhere");
  const [price, description, ...rest] = seen.paragraphs;
  if (price === undefined || description === undefined || rest.length > 0 || seen.heading === "")
    throw new SiteTrouble("the shop shows an item that cannot be read");
  const variant = seen.variants.find((each) => each.sku === sku);
  // The product itself is not what one buys.
  if (variant === undefined && seen.variants.length > 0) return gap(IN_VARIANTS);
  if (variant === undefined && seen.sku !== sku) return ok("elsewhere");
  const isAvailable = !seen.status.startsWith("Sold out");
  if (isAvailable && seen.quantityMax < 1) throw new SiteTrouble("the shop's product page has no form");
  const { currency, minor } = readMoney(price);
  return ok({
    sku,
    title: variant === undefined ? seen.heading : `${seen.heading}, ${variant.name}`,
    description,
    currency,
    unitMinor: minor,
    isAvailable,
    ...(isAvailable ? { quantityMax: seen.quantityMax } : {}),
  });
}

function look(page: Page): Promise<ItemLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const select = document.querySelector<HTMLSelectElement>('main select[name="sku"]');
    const quantity = document.querySelector<HTMLInputElement>('main input[name="quantity"]');
    const paragraphs = [...document.querySelectorAll("main article p:not([role])")].map((each) => text(each));
    const named = paragraphs.filter((each) => each.startsWith("SKU "));
    return {
      heading: text(document.querySelector("main h1")),
      status: text(document.querySelector('main [role="status"]')),
      paragraphs: paragraphs.filter((each) => !each.startsWith("SKU ")),
      sku: named[0]?.slice("SKU ".length) ?? "",
      variants: [...(select?.options ?? [])].map((option) => ({ sku: option.value, name: text(option) })),
      quantityMax: Number(quantity?.max ?? 0),
      isSignedIn: [...document.querySelectorAll("header button")].some((each) => text(each) === "Sign out"),
    };
  });
}
