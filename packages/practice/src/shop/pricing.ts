import { type CatalogueChanges, findItem } from "./catalogue.ts";
import type { Delivery, Priced, PricedLine } from "./model.ts";
import { DELIVERIES } from "./seed.ts";

export interface Wanted {
  readonly sku: string;
  readonly quantity: number;
}

/** The delivery choices at their present prices. */
export function currentDeliveries(changes: CatalogueChanges): readonly Delivery[] {
  return DELIVERIES.map((delivery) => ({
    ...delivery,
    priceMinor: Math.max(0, delivery.priceMinor + changes.deliveryDeltaMinor),
  }));
}

/**
 * Prices lines and delivery as of now. Unknown SKUs are left out: a caller that must refuse them looks the item up first.
 * An unknown delivery falls back to the first one, as the checkout page preselects it.
 */
export function price(
  wanted: readonly Wanted[],
  deliveryId: string,
  currency: string,
  changes: CatalogueChanges,
): Priced {
  const lines: PricedLine[] = [];
  for (const { sku, quantity } of wanted) {
    const item = findItem(changes, sku);
    if (item) {
      const { title, unitMinor } = item;
      lines.push({ sku, title, quantity, unitMinor, totalMinor: unitMinor * quantity });
    }
  }
  const deliveries = currentDeliveries(changes);
  const delivery = deliveries.find((candidate) => candidate.id === deliveryId) ?? deliveries[0] ?? DELIVERIES[0];
  const subtotalMinor = lines.reduce((sum, line) => sum + line.totalMinor, 0);
  return { currency, lines, subtotalMinor, delivery, totalMinor: subtotalMinor + delivery.priceMinor };
}
