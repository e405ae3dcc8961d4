import { currencyDigits, must, type Observed, SiteTrouble } from "@countersign/plugin/site";
import type { PurchaseTerms } from "@countersign/profile";
import { shipsTo } from "./address.ts";
import type { Filled } from "./cart.ts";
import { itemRef } from "./item-get.ts";

type Line = PurchaseTerms["lines"][number];

/** The terms of `retail.order.submit` as the cart says them, taxes within; the address is personal text. */
export function purchaseTermsOf(
  origin: string,
  { order, pay }: Filled,
  fulfillmentRef: string,
): Observed<PurchaseTerms> {
  const lines: Line[] = [
    ...order.lines.map(({ quantity, unitPriceWithTax, productVariant: { sku, name, product } }) => ({
      kind: "item" as const,
      ref: itemRef(product.slug, sku),
      title: name,
      quantity,
      unit_minor: unitPriceWithTax,
    })),
    ...order.shippingLines.map(({ shippingMethod: { code, name }, discountedPriceWithTax }) => ({
      kind: "delivery" as const,
      ref: code,
      title: name === "" ? code : name,
      quantity: 1,
      unit_minor: discountedPriceWithTax,
    })),
    ...order.surcharges.map(({ id, description, priceWithTax }) => ({
      kind: priceWithTax < 0 ? ("discount" as const) : ("fee" as const),
      ref: `surcharge-${id}`,
      title: description === "" ? "Surcharge" : description,
      quantity: 1,
      unit_minor: priceWithTax,
    })),
  ];
  const off = order.totalWithTax - lines.reduce((sum, line) => sum + line.unit_minor * line.quantity, 0);
  if (off > 0) throw new SiteTrouble("the cart's amounts do not make its total");
  if (off < 0) {
    const title = order.discounts.map(({ description }) => description).join(", ");
    lines.push({
      kind: "discount",
      ref: "discount",
      title: title === "" ? "Discount" : title,
      quantity: 1,
      unit_minor: off,
    });
  }
  return {
    terms: {
      payee: new URL(origin).host,
      currency: order.currencyCode,
      minor_digits: must(currencyDigits(order.currencyCode), "currency"),
      total_minor: order.totalWithTax,
      lines,
      instrument: pay.name === "" ? pay.code : pay.name,
      fulfillment_ref: fulfillmentRef,
    },
    personal: { ship_to: shipsTo(order) },
  };
}
