import { decimalOf } from "../../site/money.ts";
import { CURRENCY } from "../seed.ts";

const GROUPS = /\B(?=(?:\d{3})+(?!\d))/g;

/** As this bank prints an amount: "1,842.33 EUR", and below nothing with a true minus sign, "−86.40 EUR". */
export function printedAmount(amountMinor: number): string {
  const [whole = "", cents = ""] = decimalOf(Math.abs(amountMinor), 2).split(".");
  return `${amountMinor < 0 ? "−" : ""}${whole.replace(GROUPS, ",")}.${cents} ${CURRENCY}`;
}

/** What a person typed into the amount field: "250", "250.00" or "1,250.00"; undefined for anything else. */
export function typedAmount(text: string): number | undefined {
  const plain = /^(?:\d{1,3}(?:,\d{3})+|\d{1,8})(?:\.\d{2})?$/.test(text.trim())
    ? text.trim().replaceAll(",", "")
    : undefined;
  if (plain === undefined) return undefined;
  const [whole = "", cents = "00"] = plain.split(".");
  return Number(`${whole}${cents}`);
}
