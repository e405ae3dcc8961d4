import { formatMoney, type JsonObject, ok, parseInstant } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { draftedCommit } from "@countersign/route-http";
import { CLOCK_SKEW_MS } from "../shared/limits.ts";
import { confirmationOf, type TransferOffer, transferTerms, transferWish } from "../shared/transfer.ts";
import {
  type ApiTransfer,
  bodyOf,
  NOT_ALLOWED,
  problemCode,
  quoteShape,
  transferShape,
  transfersShape,
} from "./shapes.ts";

const TRANSFERS = "/api/v1/transfers";

/** Sends money through the bank's API: a quote is the last screen, `POST /api/v1/transfers` the commitment. */
export const transferSubmit = draftedCommit<TransferOffer, ApiTransfer>({
  operation: "banking.transfer.submit",
  path: TRANSFERS,
  drafts: "/api/v1/transfer-quotes",
  draftShape: quoteShape,
  looking: "Asking the bank what the transfer costs",
  async request(_ctx, _session, { params }, reference) {
    const wish = transferWish(params);
    return ok({
      body: {
        from: wish.fromRef,
        payee: wish.payeeRef,
        amount: formatMoney({ minor: wish.amountMinor, currency: wish.currency }, "amount"),
        text: wish.text,
        own_reference: reference,
        ...(wish.executeOn === undefined ? {} : { execute_on: wish.executeOn }),
      },
      unlike: (offer) => (offer.currency === wish.currency ? undefined : "the bank sends in another currency"),
    });
  },
  terms: transferTerms,
  body: (quote) => ({ quote_id: quote }),
  doneShape: transferShape,
  async list(session, { alike, ownReference }) {
    const query = alike ? "" : `?own_reference=${encodeURIComponent(ownReference)}`;
    return bodyOf(await session.fetch(`${TRANSFERS}${query}`), 200, transfersShape);
  },
  reference: (sent) => sent.ownReference,
  isWanted,
  isAlike(sent, record) {
    const [at, created] = [parseInstant(sent.sentAt), parseInstant(record.created_at)];
    return at.ok && created.ok && at.value >= created.value - CLOCK_SKEW_MS && isWanted(sent, record);
  },
  confirmation: confirmationOf,
  codeOf: problemCode,
  gaps: {
    unknown_account: "the bank does not send money from this account",
    unknown_payee: "the bank has no such payee saved",
    currency_not_possible: "the bank would have to convert for this payee",
    date_not_possible: "the bank does not send on this day",
    insufficient_funds: "there is not enough on the account",
    invalid_request: "the bank does not take this transfer",
    insufficient_scope: NOT_ALLOWED,
  },
  gone: { quote_expired: "used_or_expired" },
  refusals: {
    transfer_refused: [422, "the bank's own checks stopped it"],
    insufficient_funds: [422, "there was not enough on the account"],
    date_not_possible: [422, "the bank does not send on this day any more"],
    quote_expired: [410, "the bank's quote has run out"],
  },
  recordKind: "transfer_confirmation",
});

function isWanted(sent: ApiTransfer, record: ActionRecord): boolean {
  const wish = transferWish(record.parameters as JsonObject);
  return (
    sent.from === wish.fromRef &&
    sent.payee === wish.payeeRef &&
    sent.amountMinor === wish.amountMinor &&
    sent.currency === wish.currency
  );
}
