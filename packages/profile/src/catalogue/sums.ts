import type { Json, JsonObject } from "@countersign/wire";
import type { SumMeaning, TermsMeaning } from "./model.ts";

/**
 * The totals of some terms that are not the sum of their lines, by member (lessons U27). A line that cannot be read, or a
 * sum that no integer holds, disagrees. Pure: the gateway asks before it freezes a record, the page before it offers a
 * decision, and anybody may afterwards.
 */
export function sumsThatDisagree(meaning: Pick<TermsMeaning, "sums">, terms: JsonObject): readonly string[] {
  return (meaning.sums ?? [])
    .filter((sum) => {
      const made = "members" in sum ? sumOfMembers(sum.members, terms) : sumOfRows(sum, terms[sum.list]);
      return made !== memberOf(terms, sum.total);
    })
    .map((sum) => sum.total);
}

/** Null equals no total: a missing one beside amounts that add up disagrees as well. */
function sumOfMembers(members: readonly string[], terms: JsonObject): number | null {
  let sum = 0;
  for (const member of members) {
    const amount = memberOf(terms, member);
    if (!Number.isSafeInteger(amount)) return null;
    sum += Number(amount);
    if (!Number.isSafeInteger(sum)) return null;
  }
  return sum;
}

function sumOfRows(meaning: Extract<SumMeaning, { list: string }>, rows: Json | undefined): number | null {
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
