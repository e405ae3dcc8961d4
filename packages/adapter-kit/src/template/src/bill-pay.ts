import {
  answerJson,
  assert,
  type CommitAdapter,
  type JsonObject,
  type Observed,
  type Recognised,
} from "@countersign/plugin/site";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import { z } from "zod";
import { type Offer, PAYMENTS, type Payment, payment, readBills, readOffer, readPayments } from "./api.ts";
import { CURRENCY } from "./limits.ts";

// A commit, in the five parts that the gateway calls one after the other:
//
//   prepare    to the last screen before it; what stands there is put to the person
//   hold       builds the committing request, unsent; nothing here may send it
//   observe    reads the last screen once more, now; the gateway compares it with what was approved
//              (then the gateway sends what is held, once)
//   recognise  what the answer says: only the site's own confirmation confirms
//   readBack   when the answer was lost: did it happen?

const answerShape = z.object({ payment });
const VERSION = 1;

export const billPay: CommitAdapter<JsonObject, unknown, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "utilities.bill.pay",
  /** Every request that commits, for this and no other operation. The route refuses them everywhere else. */
  commits: [{ method: "POST", path: PAYMENTS }],

  async prepare(ctx, session, params) {
    ctx.progress("bill", "Looking at what is to be paid");
    const offer = await readOffer(session, text(params, "bill_ref"));
    if (!offer.ok) return offer.reason;
    // `state` is what finds the same thing again, perhaps in another process; it is kept sealed.
    return { kind: "ready", state: { v: VERSION }, ...termsOf(session, offer.value) };
  },

  async hold(_ctx, session, record) {
    const reference = await destinationKey(record);
    const { bill_ref: bill, amount_minor: amountMinor, pay_on: payOn } = record.terms as JsonObject;
    const exchange = await session.hold(PAYMENTS, {
      method: "POST",
      // What was approved, and not what the site shows by now: that is for observe to say.
      body: { bill: bill as string, amount_minor: amountMinor as number, pay_on: payOn as string, reference },
      // The same for every attempt of one task: a site that takes it does the thing once.
      headers: { "idempotency-key": reference },
    });
    return { kind: "done", value: { exchange, fingerprint: { v: VERSION, reference, bill: bill as string } } };
  },

  async observe(_ctx, session, record) {
    const offer = await readOffer(session, text(record.parameters as JsonObject, "bill_ref"));
    if (!offer.ok) return offer.reason;
    return { kind: "done", value: termsOf(session, offer.value) };
  },

  recognise(answer, record): Recognised<JsonObject> {
    const parsed = answerShape.safeParse(answerJson(answer));
    // 201 and the payment of this bill; a proxy's page, half an answer or another bill's payment say nothing at all.
    if (answer.status !== 201 || !parsed.success) return { kind: "unknown" };
    const made = parsed.data.payment;
    return made.bill === text(record.parameters as JsonObject, "bill_ref")
      ? { kind: "confirmed", ...confirmationOf(made) }
      : { kind: "unknown" };
  },

  async readBack(_ctx, session, submission) {
    const { v, reference, bill } = submission.fingerprint;
    if (v !== VERSION) return { kind: "unclear", why: "the fingerprint is of another version" };
    const payments = await readPayments(session);
    if (!payments.ok)
      return payments.reason.kind === "gap" ? { kind: "unclear", why: payments.reason.why } : payments.reason;
    const ours = payments.value.find((each) => each.reference === reference);
    if (ours !== undefined) return { kind: "found", ...confirmationOf(ours) };
    // Only what the site says itself is certainty; a bill that is open and waits for nothing was not paid.
    const bills = await readBills(session);
    if (!bills.ok) return bills.reason.kind === "gap" ? { kind: "unclear", why: bills.reason.why } : bills.reason;
    const asked = bills.value.find((each) => each.id === bill);
    return asked?.status === "open" ? { kind: "absent" } : { kind: "unclear", why: "the bill is not open any more" };
  },
};

function termsOf(session: HttpSession, offer: Offer): Observed<JsonObject> {
  return {
    terms: {
      payee: new URL(session.origin).host,
      bill_ref: offer.bill.id,
      bill_number: offer.bill.number,
      bill_title: offer.bill.title,
      currency: CURRENCY,
      minor_digits: 2,
      open_minor: offer.bill.open,
      amount_minor: offer.amount,
      fee_minor: offer.fee,
      total_minor: offer.total,
      instrument: offer.method.label,
      pay_on: offer.pay_on,
      due_on: offer.bill.due,
    },
  };
}

function confirmationOf(made: Payment) {
  const paid = { currency: CURRENCY, total_minor: made.total };
  return {
    confirmation: made.number,
    result: { payment_ref: made.number, ...paid, status: "paid" },
    // What was really charged: the gateway compares it with what was approved.
    observed: paid,
  };
}

function text(from: JsonObject, name: string): string {
  const value = from[name];
  assert(typeof value === "string", "parameters are as the catalogue says");
  return value;
}
