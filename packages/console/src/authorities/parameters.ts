import { isJsonObject, type JsonObject, parseJson } from "@countersign/wire";

/** The parameters that a person pasted; empty is none, and undefined is what no authority could take. */
export function parametersOf(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  const parsed = parseJson(text.trim());
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
