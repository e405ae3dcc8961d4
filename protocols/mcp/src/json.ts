import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";

/** A member that is an object; undefined when it is absent or anything else. */
export function objectAt(value: Json | undefined, name: string): JsonObject | undefined {
  const member = value !== undefined && isJsonObject(value) ? value[name] : undefined;
  return member !== undefined && isJsonObject(member) ? member : undefined;
}
