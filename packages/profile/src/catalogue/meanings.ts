import { currencyDigits, type JsonObject } from "@countersign/wire";
import type { Ceiling, FieldMeaning, SumMeaning, TermsMeaning } from "./model.ts";
import { sumsThatDisagree } from "./sums.ts";

// What the terms of several operations mean alike, said once.

/** Below everything that is decided about: what makes a record readable by itself. */
export const CURRENCY_FIELDS: readonly FieldMeaning[] = [
  { member: "currency", label: "Currency", compare: "equal", show: "currency", place: 121 },
  { member: "minor_digits", label: "Digits after the point", compare: "equal", show: "count", place: 122 },
];

/** Most operations that let money leave: the request's `max_total_minor` over the observed `total_minor` (REQ-8). */
export const TOTAL_CEILING: Ceiling = {
  limitMember: "max_total_minor",
  limitCurrencyMember: "currency",
  totalMember: "total_minor",
  currencyMember: "currency",
};

/** A payment: the amount arrives, the fee stays with whoever moves it, and both leave the person. */
export const AMOUNT_AND_FEE: SumMeaning = { total: "total_minor", members: ["amount_minor", "fee_minor"] };
export const PAYMENT_FIELDS: readonly FieldMeaning[] = [
  { member: "total_minor", label: "Total charged", compare: "not_above", show: "money", place: 1 },
  { member: "amount_minor", label: "Amount", compare: "equal", show: "money", place: 3 },
  { member: "fee_minor", label: "Fee", compare: "not_above", show: "money", place: 4 },
];

/**
 * Where terms and request, or terms and terms, do not agree; each by its member (U27). `repeated` are the members that
 * the terms have to repeat from the request; one that the request leaves out binds nothing. Operations add what is theirs.
 */
export function disagreements(
  meaning: Pick<TermsMeaning, "sums">,
  repeated: readonly string[],
  asked: JsonObject,
  seen: JsonObject,
): string[] {
  const found = repeated.filter((member) => asked[member] !== undefined && asked[member] !== seen[member]);
  found.push(...sumsThatDisagree(meaning, seen));
  const { currency, minor_digits: digits } = seen;
  if (digits !== undefined) {
    const known = typeof currency === "string" ? currencyDigits(currency) : undefined;
    if (known?.ok !== true || known.value !== digits) found.push("minor_digits");
  }
  return found;
}
