import { type Attempt, gap, type JsonObject, ok, type ReadAdapter, wantsSignIn } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { formatInstant, instant } from "@countersign/wire";
import { ask } from "./ask.ts";
import { ITEM } from "./documents.ts";
import { itemShape, type Variant } from "./shapes.ts";

/** How an item is named: the product's slug, as in its page's address, and the variant's SKU. Orders say it like that too. */
export function itemRef(slug: string, sku: string): string {
  return `${slug}/${sku}`;
}

/** The slug and the SKU of a reference; a slug has no slash. */
export function readItemRef(ref: string): { readonly slug: string; readonly sku: string } | undefined {
  const at = ref.indexOf("/");
  return at <= 0 ? undefined : { slug: ref.slice(0, at), sku: ref.slice(at + 1) };
}

/** The Shop API looks for nothing by SKU, so the product is asked for and the variant found among its own. */
export async function findItem(
  session: HttpSession,
  ref: string,
): Promise<Attempt<{ readonly variant: Variant; readonly description: string }>> {
  const named = readItemRef(ref);
  if (named === undefined) return gap("an item of this shop is named by product and number, as in lamp/TL-200");
  const { activeCustomer, product } = await ask(session, ITEM, { slug: named.slug }, itemShape);
  if (activeCustomer === null) return wantsSignIn();
  const [variant, ...others] = (product?.variants ?? []).filter(({ sku }) => sku === named.sku);
  // By a slug in another language the shop finds the product too; it is named by the one that it gives.
  if (product === null || product.slug !== named.slug || variant === undefined) return gap("the shop has no such item");
  if (others.length > 0) return gap("the shop has several items of this number");
  return ok({ variant, description: product.description });
}

export const itemGet: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.item.get",
  async read(ctx, session, params) {
    const ref = String(params["item_ref"]);
    const found = await findItem(session, ref);
    if (!found.ok) return found.reason;
    const { variant, description } = found.value;
    const plain = plainText(description);
    return {
      kind: "done",
      result: {
        item_ref: ref,
        title: variant.name,
        ...(plain === "" ? {} : { description: plain }),
        seller: new URL(session.origin).host,
        available: variant.stockLevel !== "OUT_OF_STOCK",
        currency: variant.currencyCode,
        price_minor: variant.priceWithTax,
        looked_at: formatInstant(instant(ctx.now())),
      },
    };
  },
};

/** Shops write descriptions as HTML; only its words are told. */
function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
