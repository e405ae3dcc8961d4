import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { AMOUNT_AND_FEE, CURRENCY_FIELDS, disagreements, PAYMENT_FIELDS, TOTAL_CEILING } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { calendarDate, currency, hostName, inCurrency, minor, reference, siteText } from "../shapes.ts";

/** What banks carry with a transfer: the characters and the length that every one of them takes unchanged. */
const paymentText = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 .,:()+?'/-]{0,138}[A-Za-z0-9.)?])?$/);

const parameters = z.strictObject({
  from_ref: reference,
  payee_ref: reference,
  amount_minor: minor.min(1),
  currency,
  /** The most that may leave the account, fees included (REQ-8). */
  max_total_minor: minor,
  payment_text: paymentText.exactOptional(),
  /** Not before this day; at once where it is left out. */
  execute_on: calendarDate.exactOptional(),
});

const terms = z.strictObject({
  bank: hostName,
  from_ref: reference,
  from_account: siteText,
  payee_ref: reference,
  /** What the receiving bank says of the name, where the bank asks it. */
  name_check: z.enum(["matches", "close", "does not match", "not checked"]).exactOptional(),
  ...inCurrency,
  amount_minor: minor.min(1),
  fee_minor: minor,
  total_minor: minor,
  speed: siteText.exactOptional(),
  execute_on: calendarDate,
  payment_text: paymentText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Send this money?",
  affirm: "Approve and send",
  sums: [AMOUNT_AND_FEE],
  receipt: ["bank", "payee_ref", "currency", "minor_digits", "amount_minor", "fee_minor", "total_minor", "execute_on"],
  fields: [
    ...PAYMENT_FIELDS,
    { member: "name_check", label: "The name, says their bank", compare: "equal", show: "text", place: 7 },
    { member: "from_account", label: "From", compare: "equal", show: "text", place: 10 },
    { member: "execute_on", label: "Leaves on", compare: "equal", show: "date", place: 11 },
    { member: "payment_text", label: "Text for the payee", compare: "equal", show: "text", place: 12 },
    { member: "speed", label: "How fast", compare: "equal", show: "text", place: 13 },
    { member: "bank", label: "At", compare: "equal", show: "host", place: 14 },
    { member: "payee_ref", label: "Payee reference", compare: "equal", show: "reference", place: 118 },
    { member: "from_ref", label: "Account reference", compare: "equal", show: "reference", place: 119 },
    ...CURRENCY_FIELDS,
  ],
  lists: [],
  personal: [
    { name: "payee_name", label: "To", place: 2 },
    { name: "payee_account", label: "To account number", place: 6 },
  ],
};

/** Money from one of the person's accounts to a payee that they have saved at the bank themselves. */
export const bankingTransferSubmit: CommitOperation = {
  id: "banking.transfer.submit",
  title: "Send money to a payee",
  about:
    "Sends an exact amount to a payee that the account holder has saved at the bank, within one currency. The payee's name and full account number are shown to the person and stay out of the record. A bank that converts, or that lets a payee be typed in, is a gap for this operation.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  personalData: ["parameters/payment_text", "terms/payment_text"],
  parameters,
  terms,
  result: z.object({
    transfer_ref: siteText,
    currency,
    total_minor: minor,
    status: z.enum(["executed", "accepted", "scheduled"]),
    execute_on: calendarDate.exactOptional(),
  }),
  meaning,
  ceiling: TOTAL_CEILING,
  limits: { payee: { requestMember: "payee_ref", termsMember: "payee_ref" }, items: "none" },
  readBack: {
    where:
      "The account's transactions and the transfers that are scheduled: one that was not there before the submission, with this payee, amount, text and day.",
    terms: ["from_ref", "payee_ref", "amount_minor", "payment_text", "execute_on"],
    listedBy: "banking.transactions.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const want = parameters.parse(asked);
    const seen = terms.parse(observed);
    const repeated = ["from_ref", "payee_ref", "amount_minor", "currency", "payment_text", "execute_on"];
    const found = disagreements(meaning, repeated, want, seen);
    // A text that nobody asked for would speak to the payee in the person's name.
    if (want.payment_text === undefined && seen.payment_text !== undefined) found.push("payment_text");
    return found;
  },
  example: {
    parameters: {
      from_ref: "ba_1",
      payee_ref: "py_12",
      amount_minor: 25_000,
      currency: "EUR",
      max_total_minor: 25_100,
      payment_text: "Rent December",
      execute_on: "2026-12-01",
    },
    terms: {
      bank: "bank.example",
      from_ref: "ba_1",
      from_account: "Everyday, ending 3000",
      payee_ref: "py_12",
      name_check: "matches",
      currency: "EUR",
      minor_digits: 2,
      amount_minor: 25_000,
      fee_minor: 50,
      total_minor: 25_050,
      speed: "Next working day",
      execute_on: "2026-12-01",
      payment_text: "Rent December",
    },
    result: {
      transfer_ref: "TR-55-2041",
      currency: "EUR",
      total_minor: 25_050,
      status: "scheduled",
      execute_on: "2026-12-01",
    },
  },
};
