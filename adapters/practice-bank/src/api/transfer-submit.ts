import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  answerJson,
  gap,
  isJsonObject,
  type JsonObject,
  ok,
  parseInstant,
  wantsSignIn,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import { type Fingerprint, fingerprintOf, readFingerprint, traceOf } from "../shared/fingerprint.ts";
import { CLOCK_SKEW_MS } from "../shared/limits.ts";
import { confirmationOf, ownReference, type TransferWish, transferTerms, transferWish } from "../shared/transfer.ts";
import {
  type ApiTransfer,
  bodyOf,
  problemCode,
  type Quote,
  quoteShape,
  transferShape,
  transfersShape,
} from "./shapes.ts";

const TRANSFERS = "/api/v1/transfers";
const QUOTES = "/api/v1/transfer-quotes";
const STATE = { v: 1 };

/** The quote that a session's held request uses, for the observation that follows. */
const heldQuotes = new WeakMap<HttpSession, string>();

/** Why the bank will not send it, in words for whoever asked. Anything else that it says is trouble. */
const GAPS: Readonly<Record<string, string>> = {
  unknown_account: "the bank does not send money from this account",
  unknown_payee: "the bank has no such payee saved",
  currency_not_possible: "the bank would have to convert for this payee",
  date_not_possible: "the bank does not send on this day",
  insufficient_funds: "there is not enough on the account",
  invalid_request: "the bank does not take this transfer",
};

/** What ends a submission for certain: the bank says in its own form that nothing was sent. */
const REFUSALS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  transfer_refused: [422, "the bank's own checks stopped it"],
  insufficient_funds: [422, "there was not enough on the account"],
  date_not_possible: [422, "the bank does not send on this day any more"],
  quote_expired: [410, "the bank's quote has run out"],
};

/** Sends money through the bank's API: a quote is the last screen, `POST /api/v1/transfers` the commitment. */
export const transferSubmit: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "banking.transfer.submit",
  commits: [{ method: "POST", path: TRANSFERS }],

  async prepare(ctx, session, params) {
    const wish = transferWish(params);
    ctx.progress("quote", "Asking the bank what the transfer costs");
    const quote = await askQuote(session, wish, "");
    if (!quote.ok) return quote.reason;
    return { kind: "ready", state: STATE, ...transferTerms(session.origin, quote.value.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    // A quote of its own, which carries the task's mark: the prepared one belongs to nobody.
    const quote = await askQuote(session, transferWish(record.parameters as JsonObject), ownReference(record));
    if (!quote.ok) return quote.reason;
    const { quoteId } = quote.value;
    heldQuotes.set(session, quoteId);
    const exchange = await session.hold(TRANSFERS, {
      method: "POST",
      body: { quote_id: quoteId },
      headers: { "idempotency-key": await destinationKey(record) },
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, { quoteId }) } };
  },

  async observe(_ctx, session, record) {
    const held = heldQuotes.get(session);
    const quote =
      held === undefined
        ? await askQuote(session, transferWish(record.parameters as JsonObject), "")
        : await lookAtQuote(session, held);
    if (!quote.ok) return quote.reason;
    if (quote.value === undefined) return { kind: "gap", why: "the bank's quote has run out" };
    return { kind: "done", value: transferTerms(session.origin, quote.value.offer) };
  },

  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const json = answerJson(answer);
    if (answer.status === 201) {
      const sent = transferShape.safeParse(json);
      // A transfer of another kind is no confirmation of this one: the bank is read back.
      if (!sent.success || !isWanted(sent.data, record)) return { kind: "unknown" };
      const bytes = { kind: "transfer_confirmation", mediaType: "application/json", bytes: answer.body };
      return { kind: "confirmed", ...confirmationOf(sent.data), records: [{ ...bytes, signatureChecked: false }] };
    }
    const code = json === undefined || !isJsonObject(json) ? undefined : problemCode({ json });
    const refusal = code !== undefined && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
    return refusal !== undefined && refusal[0] === answer.status
      ? { kind: "refused", why: refusal[1] }
      : { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const { record } = submission;
    const first = await look(session, print.value, record);
    if (first.kind !== "none") return first;
    if (print.value.quoteId === undefined) return { kind: "absent" };
    // A list without the transfer is only half of it: a quote that is used is gone (STA-4).
    const quote = await lookAtQuote(session, print.value.quoteId);
    if (!quote.ok) return quote.reason.kind === "sign_in" ? quote.reason : { kind: "unclear", why: quote.reason.why };
    if (quote.value !== undefined) return { kind: "absent" };
    // Used since the list was read, or run out, and then nothing can come of it any more.
    const late = await look(session, print.value, record);
    return late.kind === "none" ? { kind: "absent" } : late;
  },
};

async function askQuote(session: HttpSession, wish: TransferWish, own: string): Promise<Attempt<Quote>> {
  const answer = await session.fetch(QUOTES, {
    method: "POST",
    body: {
      from: wish.fromRef,
      payee: wish.payeeRef,
      amount: decimalOf(wish),
      text: wish.text,
      own_reference: own,
      ...(wish.executeOn === undefined ? {} : { execute_on: wish.executeOn }),
    },
  });
  if (answer.kind === "signed_out") return wantsSignIn();
  const code = problemCode(answer);
  const why = code !== undefined && Object.hasOwn(GAPS, code) ? GAPS[code] : undefined;
  if (why !== undefined && (answer.status === 400 || answer.status === 422)) return gap(why);
  const quote = bodyOf(answer, 201, quoteShape);
  if (!quote.ok) return quote;
  return quote.value.offer.currency === wish.currency ? quote : gap("the bank sends in another currency");
}

/** The quote at the fee of this moment; undefined once it has run out or was used. */
async function lookAtQuote(session: HttpSession, quoteId: string): Promise<Attempt<Quote | undefined>> {
  const answer = await session.fetch(`${QUOTES}/${encodeURIComponent(quoteId)}`);
  if (answer.kind === "answer" && answer.status === 410 && problemCode(answer) === "quote_expired")
    return ok(undefined);
  if (answer.kind === "answer" && answer.status === 422) {
    const code = problemCode(answer);
    if (code !== undefined && Object.hasOwn(GAPS, code)) return gap(GAPS[code] ?? "");
  }
  return bodyOf(answer, 200, quoteShape);
}

type Looked = Found<JsonObject> | { readonly kind: "none" };

/** The transfers with the task's mark; and, where only the record has survived, those that are alike. */
async function look(session: HttpSession, print: Fingerprint, record: ActionRecord): Promise<Looked> {
  const query = print.alike ? "" : `?own_reference=${encodeURIComponent(print.ownReference)}`;
  const transfers = bodyOf(await session.fetch(`${TRANSFERS}${query}`), 200, transfersShape);
  if (!transfers.ok)
    return transfers.reason.kind === "sign_in" ? transfers.reason : { kind: "unclear", why: transfers.reason.why };
  const [sent, ...others] = transfers.value.filter((each) => each.ownReference === print.ownReference);
  if (others.length > 0) return { kind: "unclear", why: "more than one transfer carries this task's mark" };
  if (sent !== undefined)
    return isWanted(sent, record)
      ? { kind: "found", ...confirmationOf(sent) }
      : { kind: "unclear", why: "the transfer with this task's mark is of something else" };
  const created = parseInstant(record.created_at);
  const alike = transfers.value.some((each) => {
    const at = parseInstant(each.sentAt);
    const since = at.ok && created.ok && at.value >= created.value - CLOCK_SKEW_MS;
    return since && isWanted(each, record);
  });
  return print.alike && alike ? { kind: "unclear", why: "an equal transfer was sent meanwhile" } : { kind: "none" };
}

function isWanted(sent: ApiTransfer, record: ActionRecord): boolean {
  const wish = transferWish(record.parameters as JsonObject);
  return (
    sent.from === wish.fromRef &&
    sent.payee === wish.payeeRef &&
    sent.amountMinor === wish.amountMinor &&
    sent.currency === wish.currency
  );
}

/** The bank takes amounts as decimal texts with two digits: "250.00". */
function decimalOf({ amountMinor }: TransferWish): string {
  const digits = String(amountMinor).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
