import type { JsonObject } from "@countersign/wire";
import type { Ceiling } from "./model.ts";

export type CeilingAnswer = "within" | "over_limit" | "other_currency";

/** REQ-8: the request's own maximum is a ceiling; another currency can never be within it. */
export function underCeiling(ceiling: Ceiling, parameters: JsonObject, terms: JsonObject): CeilingAnswer {
  const limit = parameters[ceiling.limitMember];
  const total = terms[ceiling.totalMember];
  if (parameters[ceiling.limitCurrencyMember] !== terms[ceiling.currencyMember]) return "other_currency";
  if (typeof limit !== "number" || typeof total !== "number") return "over_limit";
  return total <= limit ? "within" : "over_limit";
}
