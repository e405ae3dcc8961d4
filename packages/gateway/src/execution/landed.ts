import type { Recognised } from "@countersign/plugin";
import type { Secret } from "@countersign/wire";
import { withoutSecrets } from "../evidence/merchant-records.ts";
import type { Landed } from "./outcome.ts";
import { passable } from "./read.ts";
import type { Work } from "./work.ts";

/** A recognised confirmation as the outcome takes it: only what the result schema names passes (AUT-4). */
export function landedOf(
  work: Work,
  confirmed: Extract<Recognised<unknown>, { readonly kind: "confirmed" }>,
  secrets: readonly Secret<string>[],
): Landed {
  const result = passable(work, confirmed.result, secrets);
  const observed = confirmed.observed === undefined ? {} : { observed: confirmed.observed };
  return {
    result: result.ok ? result.value : undefined,
    confirmation: confirmed.confirmation,
    how: "answer",
    ...observed,
    records: withoutSecrets(confirmed.records, secrets),
  };
}
