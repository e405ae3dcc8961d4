import { currencyDigits, isJsonObject, type Json, type JsonObject, type Money } from "@countersign/wire";

/** One line of a receipt's summary. `name` is a member's own name where the console has no word for it. */
export type ReceiptLine =
  | { readonly name: string; readonly value: string }
  /** An amount in the receipt's currency, to be written the person's own way. */
  | { readonly name: string; readonly money: Money };

/**
 * What a receipt observed, a line a member. Amounts in minor units are shown as money of the receipt's own currency;
 * nothing here knows any operation (a renderer that does would hide what the next one observes).
 */
export function observedLines(receipt: JsonObject): readonly ReceiptLine[] {
  const { observed } = receipt;
  if (observed === undefined || !isJsonObject(observed)) return [];
  const currency = typeof observed["currency"] === "string" ? observed["currency"] : undefined;
  const known = currency !== undefined && currencyDigits(currency).ok ? currency : undefined;
  return Object.entries(observed).flatMap(([member, value]): readonly ReceiptLine[] => {
    if (known !== undefined && (member === "currency" || member === "minor_digits")) return [];
    if (known !== undefined && member.endsWith("_minor") && typeof value === "number" && Number.isSafeInteger(value))
      return [{ name: words(member.slice(0, -"_minor".length)), money: { minor: value, currency: known } }];
    return [{ name: words(member), value: textOf(value) }];
  });
}

/** The destination's own confirmation, when it gave one. */
export function confirmationOf(receipt: JsonObject): string | undefined {
  const { destination } = receipt;
  if (destination === undefined || !isJsonObject(destination)) return undefined;
  const { confirmation } = destination;
  return typeof confirmation === "string" ? confirmation : undefined;
}

export function exceeded(receipt: JsonObject): boolean {
  const { flags } = receipt;
  return Array.isArray(flags) && flags.includes("terms_exceeded");
}

export function differs(receipt: JsonObject): boolean {
  const { flags } = receipt;
  return Array.isArray(flags) && flags.includes("terms_differ");
}

function words(member: string): string {
  const text = member.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
