import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json, type Reply } from "../../http/reply.ts";
import { QUOTE_MS } from "../../limits.ts";
import { underKey } from "../../site/idempotency.ts";
import { randomToken } from "../../site/random.ts";
import { accountOf, offerOf, payeeOf, send } from "../ledger.ts";
import type { Offer, Wish } from "../model.ts";
import type { BankWorld } from "../world.ts";
import { reading } from "./accounts.ts";
import { type BankApiError, hasScope, offerWire, refuseBank, transferWire } from "./wire.ts";

function offerAnswer(status: number, quoteId: string, expiresAtMs: number, offer: Offer): Answer {
  const account = accountOf(offer.from);
  const payee = payeeOf(offer.payee);
  if (account === undefined || payee === undefined) return refuseBank("not_found");
  return json(status, {
    quote_id: quoteId,
    expires_at: new Date(expiresAtMs).toISOString(),
    ...offerWire(offer, account, payee),
  });
}

/** A whole amount of the bank's currency, `"250.00"`; undefined for anything else. */
function minorOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^(?:0|[1-9]\d{0,7})\.\d{2}$/.test(value)) return undefined;
  return Number(value.replace(".", ""));
}

function wishOf(body: Readonly<Record<string, unknown>> | undefined): Wish | undefined {
  const { from, payee, amount, text = "", own_reference: ownReference = "", execute_on: executeOn } = body ?? {};
  const amountMinor = minorOf(amount);
  if (typeof from !== "string" || typeof payee !== "string" || amountMinor === undefined) return undefined;
  if (typeof text !== "string" || typeof ownReference !== "string") return undefined;
  if (executeOn !== undefined && typeof executeOn !== "string") return undefined;
  return { from, payee, amountMinor, text, ownReference, ...(executeOn === undefined ? {} : { executeOn }) };
}

export function makeTransferQuote(world: BankWorld, exchange: Exchange): Answer {
  if (!hasScope(world, exchange, "transfers")) return refuseBank("insufficient_scope");
  const wish = wishOf(parseObject(exchange.body));
  if (wish === undefined) return refuseBank("invalid_request");
  const offer = offerOf(world, wish);
  if (typeof offer === "string") return refuseBank(offer);
  const quoteId = `tq_${randomToken(world.random)}`;
  const expiresAtMs = world.now() + QUOTE_MS;
  world.state.quotes.put(quoteId, { ...wish, expiresAtMs }, expiresAtMs);
  return offerAnswer(201, quoteId, expiresAtMs, offer);
}

/** The quote at the fee of this moment: it holds the wish, not the fee. */
export const showTransferQuote = reading((world, exchange) => {
  const quoteId = exchange.params["quote"] ?? "";
  const wish = world.state.quotes.get(quoteId, world.now());
  if (wish === undefined) return refuseBank("quote_expired");
  const offer = offerOf(world, wish);
  return typeof offer === "string" ? refuseBank(offer) : offerAnswer(200, quoteId, wish.expiresAtMs, offer);
});

/** The commit. The bank takes none without a key, and an equal repeat gets the first one's answer. */
export function submitTransfer(world: BankWorld, exchange: Exchange): Reply {
  if (!hasScope(world, exchange, "transfers")) return refuseBank("insufficient_scope");
  const quoteId = parseObject(exchange.body)?.["quote_id"];
  if (typeof quoteId !== "string") return refuseBank("invalid_request");
  if (exchange.headers["idempotency-key"] === undefined) return refuseBank("idempotency_key_missing");
  return underKey(world, exchange, refuseBank, () => {
    const wish = world.state.quotes.get(quoteId, world.now());
    if (wish === undefined) return refuseBank("quote_expired");
    if (world.switches.take("refuse", { commit: "transfer" })) return refuseBank("transfer_refused");
    const offer: Offer | BankApiError = offerOf(world, wish);
    if (typeof offer === "string") return refuseBank(offer);
    const transfer = send(world, offer, world.switches.take("chargeOver")?.deltaMinor);
    world.state.quotes.delete(quoteId);
    world.state.counters.transfers += 1;
    const answer = json(201, transferWire(transfer), { location: `/api/v1/transfers/${transfer.number}` });
    return { kind: "committed", commit: "transfer", answer, landing: () => answer };
  });
}

/** Newest first; `own_reference` narrows to those that the sender marked so. */
export const listTransfers = reading((world, exchange) => {
  const own = exchange.url.searchParams.get("own_reference");
  const transfers = world.state.transfers.toReversed().filter((each) => own === null || each.ownReference === own);
  return json(200, { transfers: transfers.map(transferWire) });
});

export const showTransfer = reading((world, exchange) => {
  const transfer = world.state.transfers.find(({ number }) => number === exchange.params["number"]);
  return transfer === undefined ? refuseBank("not_found") : json(200, transferWire(transfer));
});
