import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { AMOUNT_AND_FEE, CURRENCY_FIELDS, disagreements, PAYMENT_FIELDS, TOTAL_CEILING } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { calendarDate, currency, hostName, inCurrency, minor, reference, siteNumber, siteText } from "../shapes.ts";

const parameters = z.strictObject({
  bill_ref: reference,
  /** The most that may be charged, fees included (REQ-8). */
  max_total_minor: minor,
  currency,
  /** How it is paid, as one of the account's references; the site's preset way where it is left out. */
  instrument_ref: reference.exactOptional(),
  pay_on: calendarDate.exactOptional(),
});

const terms = z.strictObject({
  payee: hostName,
  bill_ref: reference,
  bill_number: siteNumber.exactOptional(),
  bill_title: siteText,
  ...inCurrency,
  /** What is to be paid of the bill before this payment. */
  open_minor: minor,
  amount_minor: minor.min(1),
  fee_minor: minor,
  total_minor: minor,
  instrument: siteText,
  instrument_ref: reference.exactOptional(),
  pay_on: calendarDate,
  due_on: calendarDate.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Pay this bill?",
  affirm: "Approve and pay",
  sums: [AMOUNT_AND_FEE],
  receipt: ["payee", "bill_ref", "bill_number", "currency", "minor_digits", "amount_minor", "fee_minor", "total_minor"],
  fields: [
    ...PAYMENT_FIELDS,
    { member: "payee", label: "Pay to", compare: "equal", show: "host", place: 2 },
    { member: "bill_title", label: "Bill", compare: "equal", show: "text", place: 10 },
    { member: "bill_number", label: "Bill number", compare: "equal", show: "text", place: 11 },
    { member: "instrument", label: "Pay with", compare: "equal", show: "text", place: 20 },
    { member: "pay_on", label: "Paid on", compare: "equal", show: "date", place: 21 },
    { member: "due_on", label: "Due on", compare: "equal", show: "date", place: 22 },
    { member: "open_minor", label: "Still to pay on the bill", compare: "equal", show: "money", place: 23 },
    { member: "bill_ref", label: "Bill reference", compare: "equal", show: "reference", place: 118 },
    { member: "instrument_ref", label: "Payment reference", compare: "equal", show: "reference", place: 119 },
    ...CURRENCY_FIELDS,
  ],
  lists: [],
  personal: [],
};

/** Pays one bill to the utility that wrote it, once. */
export const utilitiesBillPay: CommitOperation = {
  id: "utilities.bill.pay",
  title: "Pay a bill",
  about:
    "Pays one bill at the utility that wrote it, in whole or in part, and never more than is open. Paying every bill by itself from now on is another operation.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  parameters,
  terms,
  result: z.object({
    payment_ref: siteText,
    currency,
    total_minor: minor,
    status: z.enum(["paid", "accepted", "scheduled"]),
    open_minor: minor.exactOptional(),
  }),
  meaning,
  ceiling: TOTAL_CEILING,
  limits: { payee: { termsMember: "payee" }, items: { requestMember: "bill_ref", termsMember: "bill_ref" } },
  readBack: {
    where: "The bill in the list of bills, with this amount less to pay, and the payment in the list of payments.",
    terms: ["bill_ref", "open_minor", "amount_minor", "pay_on"],
    listedBy: "utilities.bills.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const seen = terms.parse(observed);
    const repeated = ["bill_ref", "currency", "instrument_ref", "pay_on"];
    const found = disagreements(meaning, repeated, parameters.parse(asked), seen);
    if (seen.amount_minor > seen.open_minor) found.push("amount_minor");
    return found;
  },
  example: {
    parameters: { bill_ref: "bl_2611", max_total_minor: 9000, currency: "EUR", instrument_ref: "pi_4242" },
    terms: {
      payee: "power.example",
      bill_ref: "bl_2611",
      bill_number: "2026-11-00418",
      bill_title: "Electricity, November",
      currency: "EUR",
      minor_digits: 2,
      open_minor: 8640,
      amount_minor: 8640,
      fee_minor: 35,
      total_minor: 8675,
      instrument: "card ending 4242",
      instrument_ref: "pi_4242",
      pay_on: "2026-12-01",
      due_on: "2026-12-10",
    },
    result: { payment_ref: "PM-90012", currency: "EUR", total_minor: 8675, status: "accepted", open_minor: 0 },
  },
};
