import { isJsonObject, type JsonObject, parseRecord } from "@countersign/wire";

/** A record that this gateway stored itself. */
export function storedRecord(text: string): JsonObject {
  const parsed = parseRecord(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("a stored record is not a record");
  return parsed.value;
}
