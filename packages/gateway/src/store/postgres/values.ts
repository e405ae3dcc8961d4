import { assert } from "@countersign/wire";
import { types } from "pg";

const INT8 = 20;
const NUMERIC = 1700;
const BYTEA = 17;

/** Only what both stores hold alike is bound; the driver would otherwise make text of objects, dates and fractions. */
export function bindable(value: unknown): string | bigint | Uint8Array | null {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "number") {
    assert(Number.isSafeInteger(value), "only whole numbers are stored");
    return BigInt(value);
  }
  assert(value instanceof Uint8Array, "only text, whole numbers, bytes and null are stored");
  return value;
}

/** How columns are read: whole numbers as numbers (counts and sums too), bytes as plain `Uint8Array`. */
export const COLUMN_TYPES = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format === "binary") return types.getTypeParser(oid, format);
    if (oid === INT8 || oid === NUMERIC) return wholeNumber;
    if (oid === BYTEA) return bytes;
    return types.getTypeParser(oid, format);
  }) as typeof types.getTypeParser,
};

function wholeNumber(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), "a stored whole number is at most 2^53 - 1");
  return value;
}

function bytes(text: string): Uint8Array {
  assert(text.startsWith("\\x"), "bytes come in hexadecimal");
  return Uint8Array.from(Buffer.from(text.slice(2), "hex"));
}
