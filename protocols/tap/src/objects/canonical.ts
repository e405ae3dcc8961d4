import type { JsonObject } from "@countersign/wire";

/**
 * How an object is written to be signed. The publisher says: all members in the order received, without the signature, and
 * no more; no scheme is named and no example given, and implementations differ. So the form is a value that whoever
 * verifies puts here, and a result says which one it was.
 */
export interface ObjectForm {
  readonly name: string;
  write(object: JsonObject): string;
}

/**
 * Our guess, named as one: a line for each member, `"name": value`, strings as they are, everything else as compact JSON
 * in its own order. Nobody has confirmed it.
 */
export const ASSUMED_LINES: ObjectForm = {
  name: "assumed-lines",
  write: (object) =>
    Object.entries(object)
      .filter(([name]) => name !== "signature")
      .map(([name, value]) => `"${name}": ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("\n"),
};
