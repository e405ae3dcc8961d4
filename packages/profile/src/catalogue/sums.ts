import type { Json, JsonObject } from "@countersign/wire";
import type { SumMeaning, TermsMeaning } from "./model.ts";

/**
 * The totals of some terms that are not the sum of their lines, by member (lessons U27). A line that cannot be read, or a
 * sum that no integer holds, disagrees. Pure: the gateway asks before it freezes a record, the page before it offers a
 * decision, and anybody may afterwards.
 */
export function sumsThatDisagree(meaning: Pick<TermsMeaning, "sums">, terms: JsonObject): readonly string[] {
  return (meaning.sums ?? []).filter((sum) => sumOf(sum, terms[sum.list]) !== terms[sum.total]).map((sum) => sum.total);
}

/** Undefined equals no total: an absent one beside lines that add up disagrees as well. */
function sumOf(meaning: SumMeaning, rows: Json | undefined): number | null {
  if (!Array.isArray(rows)) return null;
  let sum = 0;
  for (const row of rows as readonly Json[]) {
    const amount = memberOf(row, meaning.amount);
    const quantity = meaning.quantity === undefined ? 1 : memberOf(row, meaning.quantity);
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(quantity)) return null;
    const line = Number(amount) * Number(quantity);
    sum += line;
    if (!Number.isSafeInteger(line) || !Number.isSafeInteger(sum)) return null;
  }
  return sum;
}

function memberOf(row: Json, member: string): Json | undefined {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined;
  return Object.hasOwn(row, member) ? (row as JsonObject)[member] : undefined;
}
