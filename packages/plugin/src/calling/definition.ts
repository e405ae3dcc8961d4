import { canonicalJson, digestOfText, type Json } from "@countersign/wire";

/**
 * The digest that a bound call is known by: over every member of its definition that a caller goes by. Absent members
 * count as absent, whatever order they come in.
 */
export function definitionDigest(definition: Readonly<Record<string, Json | undefined>>): Promise<string> {
  const present = Object.entries(definition).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return digestOfText(canonicalJson(Object.fromEntries(present)));
}
