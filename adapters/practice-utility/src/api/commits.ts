import {
  type AutopayOffer,
  autopayTerms,
  type PaymentOffer,
  type PlanOffer,
  parametersOf,
  paymentConfirmation,
  paymentTerms,
  planTerms,
  termsOf,
} from "../shared/terms.ts";
import { autopayBody, paymentBody, planBody } from "../shared/wish.ts";
import { draftCommit } from "./draft-commit.ts";
import {
  type ApiAutopayChange,
  type ApiPayment,
  type ApiPlanChange,
  autopayChangeShape,
  autopayDraftShape,
  changesShape,
  paymentDraftShape,
  paymentShape,
  paymentsShape,
  planChangeShape,
  planDraftShape,
} from "./shapes.ts";

/** Pays a bill: `POST /api/payments` is the commitment. */
export const billPay = draftCommit<PaymentOffer, ApiPayment>({
  operation: "utilities.bill.pay",
  path: "/api/payments",
  list: "/api/payments",
  body: paymentBody,
  draftShape: paymentDraftShape,
  madeShape: paymentShape,
  listShape: paymentsShape,
  terms: paymentTerms,
  isWanted: (made, record) => {
    const terms = termsOf(record);
    return (
      made.bill === parametersOf(record)["bill_ref"] &&
      made.amountMinor === terms["amount_minor"] &&
      made.instrument === terms["instrument"] &&
      made.payOn === terms["pay_on"]
    );
  },
  confirmation: paymentConfirmation,
  recordKind: "payment_confirmation",
});

/** Moves a contract to another plan: `POST /api/plan-changes`. */
export const planChange = draftCommit<PlanOffer, ApiPlanChange>({
  operation: "utilities.plan.change",
  path: "/api/plan-changes",
  list: "/api/changes",
  body: planBody,
  draftShape: planDraftShape,
  madeShape: planChangeShape,
  listShape: changesShape(planChangeShape, "autopay"),
  terms: planTerms,
  isWanted: (made, record) => {
    const { contract_ref: contract, plan_ref: plan } = parametersOf(record);
    return made.contract === contract && made.planRef === plan && made.startsOn === termsOf(record)["starts_on"];
  },
  confirmation: ({ number, plan, currency, priceMinor, dueNowMinor, startsOn }) => ({
    confirmation: number,
    result: { change_ref: number, plan, currency, price_minor: priceMinor, period: "month", starts_on: startsOn },
    observed: { currency, total_minor: dueNowMinor + priceMinor },
  }),
  recordKind: "plan_change_confirmation",
});

/** Has bills paid by themselves, or ends that: `POST /api/autopay`. */
export const autopaySet = draftCommit<AutopayOffer, ApiAutopayChange>({
  operation: "utilities.autopay.set",
  path: "/api/autopay",
  list: "/api/changes",
  body: autopayBody,
  draftShape: autopayDraftShape,
  madeShape: autopayChangeShape,
  listShape: changesShape(autopayChangeShape, "plan"),
  terms: autopayTerms,
  isWanted: (made, record) => {
    const { contract_ref: contract, autopay } = parametersOf(record);
    return made.contract === contract && made.autopay === autopay && made.instrument === termsOf(record)["instrument"];
  },
  confirmation: ({ number, contract, autopay, firstOn }) => ({
    confirmation: number,
    result: { contract_ref: contract, autopay, ...(firstOn === undefined ? {} : { first_on: firstOn }) },
  }),
  recordKind: "autopay_confirmation",
});
