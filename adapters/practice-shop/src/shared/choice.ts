import { type Attempt, gap } from "@countersign/plugin/site";
import { type JsonObject, ok } from "@countersign/wire";
import type { Checkout } from "./terms.ts";

/** The shop's ids of what was chosen on the last screen, to choose the same again when the commit drives there. */
export interface Choice {
  readonly delivery: string;
  readonly address: string;
  readonly instrument: string;
}

/** A request names no delivery and no card: it goes by the shop's ordinary delivery and the card the shop preselects. */
export const DELIVERY_ID = "standard";

const STATE_VERSION = 1;

export function choiceOf(checkout: Checkout): Choice {
  return { delivery: checkout.delivery.id, address: checkout.address.id, instrument: checkout.instrument.id };
}

export function choiceState(choice: Choice, quoteId?: string): JsonObject {
  return { v: STATE_VERSION, ...choice, ...(quoteId === undefined ? {} : { quote_id: quoteId }) };
}

/** Adapter state of another version is refused, not guessed (decisions.md 12). */
export function readChoice(state: JsonObject): Attempt<Choice & { readonly quoteId?: string }> {
  const { v, delivery, address, instrument, quote_id: quoteId } = state;
  if (v !== STATE_VERSION || typeof delivery !== "string" || typeof address !== "string")
    return gap("the task was prepared by another version");
  if (typeof instrument !== "string") return gap("the task was prepared by another version");
  return ok({ delivery, address, instrument, ...(typeof quoteId === "string" ? { quoteId } : {}) });
}
