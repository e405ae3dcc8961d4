import { type Attempt, gap, wantsSignIn } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import { type JsonObject, ok } from "@countersign/wire";
import { choiceState, DELIVERY_ID, type readChoice } from "../shared/choice.ts";
import type { OrderWish } from "../shared/wish.ts";
import { errorCode, type Quote, quoteShape } from "./shapes.ts";

const QUOTES = "/api/v1/quotes";

export interface QuoteWish {
  readonly sku: string;
  readonly quantity: number;
  readonly delivery: string;
  readonly address: string;
  /** The shop preselects one when absent. */
  readonly instrument?: string;
}

export function firstWish(wish: OrderWish, address: string): QuoteWish {
  return { sku: wish.sku, quantity: wish.quantity, delivery: DELIVERY_ID, address };
}

export async function askQuote(session: HttpSession, wish: QuoteWish): Promise<Attempt<Quote>> {
  const answer = await session.fetch(QUOTES, { method: "POST", body: { ...wish } });
  if (answer.kind === "signed_out") return wantsSignIn();
  const code = errorCode(answer);
  if (answer.status === 422 && code === "out_of_stock") return gap("the item is sold out");
  if (answer.status === 422 && code === "unknown_sku") return gap("the shop has no such item");
  if (answer.status === 400 && code === "invalid_request") return gap("the shop does not take this order");
  return bodyOf(answer, 201, quoteShape);
}

/** The quote at the prices of this moment; undefined once it has run out. */
export async function lookAtQuote(session: HttpSession, quoteId: string): Promise<Attempt<Quote | undefined>> {
  const answer = await session.fetch(`${QUOTES}/${encodeURIComponent(quoteId)}`);
  if (answer.kind === "answer" && answer.status === 410 && errorCode(answer) === "quote_expired") return ok(undefined);
  if (answer.kind === "answer" && answer.status === 409 && errorCode(answer) === "verification_pending")
    return gap("the bank has asked for a code for this quote");
  return bodyOf(answer, 200, quoteShape);
}

type Choice = Extract<ReturnType<typeof readChoice>, { ok: true }>["value"];

/**
 * The quote to order by: the prepared one while it is open, else a new one for the same wish. The shop's quote holds the
 * wish and not its price, and the terms are observed afresh at the boundary, so nothing of the decision hangs on which.
 */
export async function openQuote(session: HttpSession, wish: OrderWish, choice: Choice): Promise<Attempt<Quote>> {
  const { quoteId, delivery, address, instrument } = choice;
  const open = quoteId === undefined ? ok(undefined) : await lookAtQuote(session, quoteId);
  if (!open.ok) return open;
  if (open.value !== undefined) return ok(open.value);
  return askQuote(session, { sku: wish.sku, quantity: wish.quantity, delivery, address, instrument });
}

export function quoteState(quote: Quote): JsonObject {
  const { delivery, address, instrument } = quote.checkout;
  return choiceState({ delivery: delivery.id, address: address.id, instrument: instrument.id }, quote.quoteId);
}
