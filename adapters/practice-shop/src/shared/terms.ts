import type { JsonObject } from "@countersign/wire";

export interface PurchaseView {
  readonly payee: string;
  readonly currency: string;
  readonly minorDigits: number;
  readonly totalMinor: number;
  readonly items: readonly {
    readonly sku: string;
    readonly title: string;
    readonly quantity: number;
    readonly unitMinor: number;
  }[];
  readonly delivery: { readonly ref: string; readonly title: string; readonly priceMinor: number };
  readonly instrument: string;
  readonly fulfillmentRef: string;
}

/** The terms of `retail.order.submit`, out of what the shop shows. */
export function purchaseTerms(view: PurchaseView): JsonObject {
  return {
    payee: view.payee,
    currency: view.currency,
    minor_digits: view.minorDigits,
    total_minor: view.totalMinor,
    lines: [
      ...view.items.map((i) => ({
        kind: "item",
        ref: i.sku,
        title: i.title,
        quantity: i.quantity,
        unit_minor: i.unitMinor,
      })),
      {
        kind: "delivery",
        ref: view.delivery.ref,
        title: view.delivery.title,
        quantity: 1,
        unit_minor: view.delivery.priceMinor,
      },
    ],
    instrument: view.instrument,
    fulfillment_ref: view.fulfillmentRef,
  };
}

/** The name that the person pays to: the site's host, as the browser's address bar would show it. */
export function payeeOf(origin: string): string {
  return new URL(origin).host;
}
