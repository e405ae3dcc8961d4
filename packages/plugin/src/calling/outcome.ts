import type { JsonObject } from "@countersign/wire";
import type { Confirmation } from "../seams/adapter.ts";
import type { Outcome } from "./bindings.ts";
import { holds, objectOf, textOf } from "./scope.ts";
import type { Scope } from "./template.ts";

/** A confirmation, if everything that was bound about it is there; undefined confirms nothing and refuses nothing. */
export function confirmationOf(outcome: Outcome, scope: Scope): Confirmation<JsonObject> | undefined {
  if (!holds(outcome.when, scope)) return undefined;
  const result = objectOf(outcome.result, scope);
  const confirmation = textOf(outcome.confirmation, scope);
  const observed = outcome.observed === undefined ? undefined : objectOf(outcome.observed, scope);
  if (!result.ok || !confirmation.ok || observed?.ok === false) return undefined;
  return {
    result: result.value,
    confirmation: confirmation.value,
    ...(observed === undefined ? {} : { observed: observed.value }),
  };
}
