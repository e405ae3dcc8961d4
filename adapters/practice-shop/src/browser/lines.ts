import { SiteTrouble } from "@countersign/plugin";
import type { ShopOrder } from "../shared/order.ts";
import { readMinor, readQuantity, timesMinor } from "./money.ts";

/** A table of the shop's pages as text, row by row. */
export interface LinesTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
  readonly foot: readonly (readonly string[])[];
}

const COLUMNS = ["Item", "SKU", "Quantity", "Unit price", "Amount"];

/** The lines of an order or checkout; every row must have exactly the known columns. */
export function readLines(table: LinesTable, currency: string): ShopOrder["lines"] {
  if (table.head.join("|") !== COLUMNS.join("|") || table.body.length === 0)
    throw new SiteTrouble("the shop's table of items has other columns");
  return table.body.map((row) => {
    const [title, sku, quantityText, unitText, amountText, ...more] = row;
    if (!title || !sku || !quantityText || !unitText || !amountText || more.length > 0)
      throw new SiteTrouble("the shop's table of items has a row that cannot be read");
    const quantity = readQuantity(quantityText);
    const unitMinor = readMinor(unitText, currency);
    if (timesMinor(unitMinor, quantity) !== readMinor(amountText, currency))
      throw new SiteTrouble("the shop's figures do not add up");
    return { sku, title, quantity, unitMinor };
  });
}
