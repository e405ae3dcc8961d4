import { SiteTrouble } from "@countersign/plugin";
import { type Money, multiplyMinor, parseAmountText } from "@countersign/wire";

/** How the shop writes a currency; a bare `$` is not in the list, since it does not say whose dollar. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["US$", "USD"],
  ["JP¥", "JPY"],
]);

/**
 * An amount as the shop's pages write it (`€1,234.50`, `CHF 80.60`): its currency must stand there.
 * @throws SiteTrouble for anything else: an amount is read exactly or not at all.
 */
export function readMoney(text: string): Money {
  const mark = /^([^\d\s-]{1,3})\s?\d/u.exec(text)?.[1] ?? "";
  const currency = MARKS.get(mark) ?? (/^[A-Z]{3}$/.test(mark) ? mark : undefined);
  const amount = currency === undefined ? undefined : parseAmountText(text, { currency, decimal: "." });
  if (!amount?.ok) throw new SiteTrouble("the shop shows an amount that cannot be read");
  return amount.value;
}

/** Amounts of one page, all in one currency. */
export function readMinor(text: string, currency: string): number {
  const money = readMoney(text);
  if (money.currency !== currency) throw new SiteTrouble("the shop shows two currencies on one page");
  return money.minor;
}

export function readQuantity(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new SiteTrouble("the shop shows a quantity that cannot be read");
  return Number(text);
}

export function timesMinor(unitMinor: number, quantity: number): number {
  const amount = multiplyMinor(unitMinor, quantity);
  if (!amount.ok) throw new SiteTrouble("the shop shows an amount that is too large");
  return amount.value;
}
