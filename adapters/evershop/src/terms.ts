import { type Observed, SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import type { PurchaseTerms } from "@countersign/profile";
import { type JsonObject, ok } from "@countersign/wire";
import { type Checkout, PAYMENT } from "./checkout-page.ts";
import { CURRENCY, CURRENCY_DIGITS } from "./money.ts";
import type { Product } from "./product-page.ts";
import { unitMinor } from "./summary.ts";
import type { OrderWish } from "./wish.ts";

/** The terms of `retail.order.submit` as the shop shows them; the address is personal text. */
export function purchaseTermsOf(origin: string, checkout: Checkout, wish: OrderWish): Observed<PurchaseTerms> {
  const { summary, note, shipTo } = checkout;
  const [line, ...others] = summary.lines;
  if (line === undefined || others.length > 0) throw new SiteTrouble("the shop's checkout is of more than one item");
  return {
    terms: {
      payee: new URL(origin).host,
      currency: CURRENCY,
      minor_digits: CURRENCY_DIGITS,
      total_minor: summary.totalMinor,
      lines: [
        {
          kind: "item",
          ref: wish.itemRef,
          title: line.title,
          quantity: line.quantity,
          unit_minor: unitMinor(line),
        },
        {
          kind: "delivery",
          ref: "standard",
          title: summary.shipping.title,
          quantity: 1,
          unit_minor: summary.shipping.minor,
        },
      ],
      instrument: PAYMENT,
      fulfillment_ref: wish.fulfillmentRef,
      ...(note === "" ? {} : { note }),
    },
    personal: { ship_to: shipTo },
  };
}

const STATE_VERSION = 1;

/** What `prepare` learned of the item: the cart is held against it when the commit drives there again. */
export function productState(product: Product): JsonObject {
  return { v: STATE_VERSION, title: product.title, sku: product.sku, options: [...product.options] };
}

/** Adapter state of another version is refused, not guessed (decisions.md 12). */
export function readProductState(state: JsonObject): Attempt<Product> {
  const { v, title, sku, options } = state;
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === "string") : undefined;
  if (v !== STATE_VERSION || typeof title !== "string" || typeof sku !== "string" || texts === undefined)
    return gap("the task was prepared by another version");
  return ok({ title, sku, options: texts });
}
