import { type Answer, json } from "../../http/reply.ts";
import { contractOf, methodOf, openCents, payableCents, planOf, settingsOf, statusOf } from "../account.ts";
import type { Bill, Change, Contract, Offer, Payment, Plan, Reading } from "../model.ts";
import { CURRENCY } from "../seed.ts";
import type { UtilityWorld } from "../world.ts";

/** Every error: its HTTP status and a sentence for people. */
const ERRORS = {
  invalid_request: [400, "The request is not what this address takes."],
  idempotency_key_missing: [400, "What changes something needs an Idempotency-Key."],
  unauthenticated: [401, "The API key is missing, unknown or revoked."],
  signed_out: [401, "Please sign in again."],
  stale_page: [403, "This page was out of date. Nothing was changed."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not possible here."],
  draft_done: [409, "This was done already."],
  draft_expired: [410, "This was not confirmed in time. Nothing was changed."],
  too_large: [413, "The request body is too large."],
  unknown_bill: [422, "There is no such bill."],
  nothing_to_pay: [422, "Nothing is to be paid of this bill."],
  unknown_method: [422, "There is no such payment method."],
  date_not_possible: [422, "This day is not possible."],
  unknown_contract: [422, "There is no such contract."],
  unknown_plan: [422, "This plan is not offered for the contract."],
  change_announced: [422, "A change of this contract is announced already."],
  nothing_to_change: [422, "It is so already."],
  declined: [422, "It was declined. Nothing was changed and nothing was charged."],
  idempotency_key_reused: [422, "This key was used for another request."],
  temporarily_unavailable: [503, "Not available at the moment."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type UtilityError = keyof typeof ERRORS;

export function refuseUtility(error: UtilityError): Answer {
  const [status, message] = ERRORS[error];
  return json(status, { errors: [{ code: error, message }] });
}

// Amounts are whole cents; the currency stands once in each document.

export function billWire(world: UtilityWorld, bill: Bill) {
  return {
    id: bill.id,
    contract: bill.contract,
    number: `NL-${bill.id}`,
    title: bill.title,
    issued_on: bill.issuedOn,
    due_on: bill.dueOn,
    period: { from: bill.from, to: bill.to },
    total_cents: bill.totalCents,
    open_cents: openCents(world, bill),
    payable_cents: payableCents(world, bill),
    status: statusOf(world, bill),
  };
}

export function readingWire(reading: Reading) {
  const contract = contractOf(reading.contract);
  return {
    contract: reading.contract,
    kind: contract?.kind,
    place: contract?.place,
    from: reading.from,
    to: reading.to,
    used: reading.used,
    unit: contract?.kind === "gas" ? "m3" : "kWh",
    estimated: reading.estimated,
    cost_cents: reading.costCents,
  };
}

export function planWire(plan: Plan) {
  return {
    id: plan.id,
    name: plan.name,
    price_cents: plan.priceCents,
    every: "month",
    due_now_cents: plan.dueNowCents,
    bound_months: plan.boundMonths,
    text: plan.text,
  };
}

export function contractWire(world: UtilityWorld, contract: Contract) {
  const { plan, next, autopay } = settingsOf(world, contract.id);
  return {
    id: contract.id,
    kind: contract.kind,
    title: contract.title,
    place: contract.place,
    meter: contract.meter,
    plan: { id: plan, name: planOf(plan)?.name },
    ...(next === undefined ? {} : { next: { id: next.plan, name: planOf(next.plan)?.name, starts_on: next.startsOn } }),
    autopay:
      autopay === undefined
        ? { state: "off" }
        : {
            state: "on",
            method: autopay.method,
            method_label: methodOf(autopay.method)?.label,
            first_on: autopay.firstOn,
          },
  };
}

export function paymentWire(payment: Payment) {
  return {
    number: payment.number,
    status: payment.status,
    made_at: new Date(payment.madeAtMs).toISOString(),
    bill: payment.bill,
    method: payment.method,
    method_label: methodOf(payment.method)?.label,
    currency: CURRENCY,
    amount_cents: payment.amountCents,
    fee_cents: payment.feeCents,
    total_cents: payment.totalCents,
    pay_on: payment.payOn,
    reference: payment.reference,
    taken_back: payment.counts === "no",
  };
}

export function changeWire({ number, madeAtMs, offer }: Change) {
  return { number, made_at: new Date(madeAtMs).toISOString(), ...offerWire(offer) };
}

/** The last screen, as data. */
export function offerWire(offer: Offer) {
  switch (offer.kind) {
    case "payment":
      return {
        kind: "payment",
        bill: {
          id: offer.bill.id,
          number: `NL-${offer.bill.id}`,
          title: offer.bill.title,
          due_on: offer.bill.dueOn,
          open_cents: offer.openCents,
        },
        method: offer.method.id,
        method_label: offer.method.label,
        currency: CURRENCY,
        amount_cents: offer.amountCents,
        fee_cents: offer.feeCents,
        total_cents: offer.totalCents,
        pay_on: offer.payOn,
        reference: offer.reference,
      };
    case "plan":
      return {
        kind: "plan",
        contract: offer.contract.id,
        contract_title: offer.contract.title,
        plan: offer.plan.id,
        plan_name: offer.plan.name,
        present_plan_name: offer.presentPlan.name,
        currency: CURRENCY,
        due_now_cents: offer.plan.dueNowCents,
        price_cents: offer.priceCents,
        every: "month",
        starts_on: offer.startsOn,
        ...(offer.boundEndsOn === undefined ? {} : { bound_ends_on: offer.boundEndsOn }),
        text: offer.plan.text,
        reference: offer.reference,
      };
    case "autopay":
      return {
        kind: "autopay",
        contract: offer.contract.id,
        contract_title: offer.contract.title,
        autopay: offer.autopay,
        present: offer.present,
        ...(offer.on === undefined
          ? {}
          : {
              method: offer.on.method.id,
              method_label: offer.on.method.label,
              charged: offer.on.charged,
              first_on: offer.on.firstOn,
              mandate: offer.on.mandate,
            }),
        reference: offer.reference,
      };
  }
}
