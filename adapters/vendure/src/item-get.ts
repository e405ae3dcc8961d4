import { type Attempt, gap, type JsonObject, ok, type ReadAdapter, wantsSignIn } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { formatInstant, instant } from "@countersign/wire";
import { ask } from "./ask.ts";
import { ITEM } from "./documents.ts";
import { itemShape, type Variant } from "./shapes.ts";

/** A variant by its SKU, as orders name it: what an agent has read there it can ask for again. */
export async function findItem(
  session: HttpSession,
  sku: string,
): Promise<Attempt<{ readonly variant: Variant; readonly description: string }>> {
  const { activeCustomer, products } = await ask(session, ITEM, { sku }, itemShape);
  if (activeCustomer === null) return wantsSignIn();
  const [found, ...others] = products.items.flatMap(({ description, variants }) =>
    variants.filter((variant) => variant.sku === sku).map((variant) => ({ variant, description })),
  );
  if (found === undefined) return gap("the shop has no such item");
  if (others.length > 0) return gap("the shop has several items of this number");
  return ok(found);
}

export const itemGet: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.item.get",
  async read(ctx, session, params) {
    const found = await findItem(session, String(params["item_ref"]));
    if (!found.ok) return found.reason;
    const { variant, description } = found.value;
    const plain = plainText(description);
    return {
      kind: "done",
      result: {
        item_ref: variant.sku,
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
