import { currencyDigits, type JsonObject, must, type Observed } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";

/** The last screen of a payment, by whichever route it was read. */
export interface PaymentOffer {
  readonly billRef: string;
  readonly billNumber: string;
  readonly billTitle: string;
  readonly dueOn: string;
  readonly currency: string;
  readonly openMinor: number;
  readonly amountMinor: number;
  readonly feeMinor: number;
  readonly totalMinor: number;
  readonly instrument: string;
  readonly payOn: string;
}

const hostOf = (origin: string): string => new URL(origin).host;
const digitsOf = (currency: string): number => must(currencyDigits(currency), "currency");

/** What the request names stands in the terms under the request's own name for it. */
function named(params: JsonObject): JsonObject {
  return typeof params["instrument_ref"] === "string" ? { instrument_ref: params["instrument_ref"] } : {};
}

export function paymentTerms(origin: string, offer: PaymentOffer, params: JsonObject): Observed<JsonObject> {
  return {
    terms: {
      payee: hostOf(origin),
      bill_ref: offer.billRef,
      bill_number: offer.billNumber,
      bill_title: offer.billTitle,
      currency: offer.currency,
      minor_digits: digitsOf(offer.currency),
      open_minor: offer.openMinor,
      amount_minor: offer.amountMinor,
      fee_minor: offer.feeMinor,
      total_minor: offer.totalMinor,
      instrument: offer.instrument,
      ...named(params),
      pay_on: offer.payOn,
      due_on: offer.dueOn,
    },
  };
}

export interface PlanOffer {
  readonly contractRef: string;
  readonly planRef: string;
  readonly plan: string;
  readonly presentPlan: string;
  readonly currency: string;
  readonly dueNowMinor: number;
  readonly priceMinor: number;
  readonly startsOn: string;
  readonly boundEndsOn?: string;
  readonly consequence: string;
}

export function planTerms(origin: string, offer: PlanOffer): Observed<JsonObject> {
  return {
    terms: {
      contract_ref: offer.contractRef,
      provider: hostOf(origin),
      plan_ref: offer.planRef,
      plan: offer.plan,
      present_plan: offer.presentPlan,
      currency: offer.currency,
      minor_digits: digitsOf(offer.currency),
      due_now_minor: offer.dueNowMinor,
      price_minor: offer.priceMinor,
      period: "month",
      total_minor: offer.dueNowMinor + offer.priceMinor,
      starts_on: offer.startsOn,
      ...(offer.boundEndsOn === undefined ? {} : { bound_ends_on: offer.boundEndsOn }),
      consequence: offer.consequence,
    },
  };
}

export interface AutopayOffer {
  readonly contractRef: string;
  readonly contract: string;
  readonly autopay: "on" | "off";
  readonly present: "on" | "off";
  /** Absent where it is turned off. */
  readonly on?: {
    readonly instrument: string;
    readonly charged: string;
    readonly firstOn: string;
    readonly mandate: string;
  };
}

export function autopayTerms(origin: string, offer: AutopayOffer, params: JsonObject): Observed<JsonObject> {
  const { on } = offer;
  return {
    terms: {
      provider: hostOf(origin),
      contract_ref: offer.contractRef,
      contract: offer.contract,
      autopay: offer.autopay,
      present_autopay: offer.present,
      ...(on === undefined
        ? {}
        : {
            instrument: on.instrument,
            ...named(params),
            charged: on.charged,
            first_on: on.firstOn,
            mandate: on.mandate,
          }),
    },
  };
}

/** What the site shows of a payment that it has. */
export interface MadePayment {
  readonly number: string;
  readonly status: "paid" | "scheduled";
  readonly currency: string;
  readonly totalMinor: number;
}

export const PAYMENT_NUMBER = /^NP-[0-9]{1,12}$/;
export const CHANGE_NUMBER = /^NC-[0-9]{1,12}$/;

export function paymentConfirmation({ number, status, currency, totalMinor }: MadePayment) {
  return {
    confirmation: number,
    result: { payment_ref: number, currency, total_minor: totalMinor, status },
    observed: { currency, total_minor: totalMinor },
  };
}

export function parametersOf(record: ActionRecord): JsonObject {
  return record.parameters as JsonObject;
}

export function termsOf(record: ActionRecord): JsonObject {
  return record.terms as JsonObject;
}
