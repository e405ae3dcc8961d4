import { SiteTrouble } from "@countersign/plugin";
import { parseAmountText } from "@countersign/wire";

/**
 * The shop's pages write a bare `$`, which does not say whose dollar. That it is the US one is this adapter's own
 * statement about the shops it is configured for; the answer to an order names its currency and is held against it.
 */
export const CURRENCY = "USD";
export const CURRENCY_DIGITS = 2;

/**
 * An amount as the shop's pages write it: `$1,234.50`.
 * @throws SiteTrouble for anything else: an amount is read exactly or not at all.
 */
export function readMinor(text: string): number {
  const amount = /^\$[0-9]/.test(text) ? parseAmountText(text, { currency: CURRENCY, decimal: "." }) : undefined;
  if (!amount?.ok) throw new SiteTrouble("the shop shows an amount that cannot be read");
  return amount.value.minor;
}

/** An amount as the shop stores it, four decimals: `37.0000`. Undefined for anything finer than a cent, or else. */
export function storedMinor(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  const parts = /^(0|[1-9][0-9]{0,11})\.([0-9]{2})00$/.exec(text);
  return parts === null ? undefined : Number(`${parts[1]}${parts[2]}`);
}

export function readQuantity(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new SiteTrouble("the shop shows a quantity that cannot be read");
  return Number(text);
}
