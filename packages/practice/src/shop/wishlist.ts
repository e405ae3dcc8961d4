import { DAY_MS } from "@countersign/wire";
import { type CatalogueChanges, findItem } from "./catalogue.ts";
import type { Item } from "./model.ts";

/** What the practice person has put aside, newest first. */
const WISHES: readonly { readonly sku: string; readonly agoMs: number }[] = [
  { sku: "TL-200", agoMs: 3.2 * DAY_MS },
  { sku: "WB-750-INK", agoMs: 16.6 * DAY_MS },
  { sku: "WN-9", agoMs: 58.4 * DAY_MS },
];

export interface Wish extends Item {
  readonly addedAtMs: number;
}

/** The wishlist at today's prices. */
export function wishlist(changes: CatalogueChanges, openedAtMs: number): readonly Wish[] {
  return WISHES.flatMap(({ sku, agoMs }) => {
    const item = findItem(changes, sku);
    return item === undefined ? [] : [{ ...item, addedAtMs: openedAtMs - agoMs }];
  });
}
