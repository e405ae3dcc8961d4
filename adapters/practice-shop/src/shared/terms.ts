import { type Observed, SiteTrouble } from "@countersign/plugin";
import type { PurchaseTerms } from "@countersign/profile";
import { currencyDigits } from "@countersign/wire";

/** The shop's last screen before an order, by whichever route it was read. */
export interface Checkout {
  readonly currency: string;
  readonly lines: readonly {
    readonly sku: string;
    readonly title: string;
    readonly quantity: number;
    readonly unitMinor: number;
  }[];
  readonly delivery: { readonly id: string; readonly title: string; readonly priceMinor: number };
  readonly totalMinor: number;
  readonly address: { readonly id: string; readonly text: string };
  readonly instrument: { readonly id: string; readonly label: string };
  /** Empty when there is none. */
  readonly note: string;
}

/** The terms of `retail.order.submit` as the shop shows them; the address is personal text. */
export function purchaseTermsOf(origin: string, checkout: Checkout, fulfillmentRef: string): Observed<PurchaseTerms> {
  const digits = currencyDigits(checkout.currency);
  if (!digits.ok) throw new SiteTrouble("the shop names a currency that is none");
  const { delivery, note } = checkout;
  return {
    terms: {
      payee: hostOf(origin),
      currency: checkout.currency,
      minor_digits: digits.value,
      total_minor: checkout.totalMinor,
      lines: [
        ...checkout.lines.map((line) => ({
          kind: "item" as const,
          ref: line.sku,
          title: line.title,
          quantity: line.quantity,
          unit_minor: line.unitMinor,
        })),
        { kind: "delivery", ref: delivery.id, title: delivery.title, quantity: 1, unit_minor: delivery.priceMinor },
      ],
      instrument: checkout.instrument.label,
      fulfillment_ref: fulfillmentRef,
      ...(note === "" ? {} : { note }),
    },
    personal: { ship_to: checkout.address.text },
  };
}

/** Who is paid: the site's host, as an address bar shows it. */
export function hostOf(origin: string): string {
  return new URL(origin).host;
}
