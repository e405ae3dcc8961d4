import { type Attempt, gap, type Json, parseInstant, readAmount } from "@countersign/plugin/site";
import { type HttpAnswer, bodyOf as wholeBody } from "@countersign/route-http";
import { z } from "zod";
import { TRANSFER_NUMBER } from "../shared/transfer.ts";

// What the bank's API answers, as far as it is used. Anything else is trouble, never a guess.

const text = z.string().min(1);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((each) => parseInstant(`${each}T00:00:00Z`).ok);
const instant = z.string().refine((each) => parseInstant(each).ok);
const currency = z.string().regex(/^[A-Z]{3}$/);

/** `{"value": "-86.40", "currency": "EUR"}`, exactly: two amounts that differ in writing are two texts, one is refused. */
const signedAmount = z
  .object({ value: z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/), currency })
  .transform(({ value, currency: code }, ctx) => {
    const read = readAmount(value.replace("-", ""), { currency: code, locale: "en" });
    if (!read.ok) {
      ctx.addIssue({ code: "custom", message: read.reason });
      return z.NEVER;
    }
    const { minor } = read.value;
    return { minor: value.startsWith("-") && minor !== 0 ? -minor : minor, currency: code };
  });
const amount = signedAmount.refine(({ minor }) => minor >= 0);

export const meShape = z.object({ name: text, customer_number: z.string().regex(/^\d{4,16}$/) });

export const accountsShape = z
  .object({
    accounts: z.array(
      z.object({
        id: text,
        name: text,
        type: z.enum(["current", "savings", "card", "loan", "investment"]),
        number_ending: z.string().regex(/^[0-9A-Za-z]{2,4}$/),
        holder: text,
        currency,
      }),
    ),
  })
  .transform(({ accounts }) => accounts);

export const balancesShape = z
  .object({
    balances: z.array(
      z.object({
        account: text,
        booked: signedAmount,
        available: signedAmount,
        credit_line: amount.exactOptional(),
        stated_at: instant,
      }),
    ),
  })
  .transform(({ balances }) => balances);

export const transactionsShape = z.object({
  account: text,
  transactions: z.array(
    z.object({
      id: text,
      status: z.enum(["pending", "booked"]),
      booking_date: day.exactOptional(),
      value_date: day,
      counterparty: z.string(),
      text: z.string(),
      amount: signedAmount,
      balance_after: signedAmount.exactOptional(),
    }),
  ),
  next: text.exactOptional(),
});

const payee = z.object({ id: text, name: text, iban: text, bank: text, currency });
export const payeesShape = z.object({ payees: z.array(payee) }).transform(({ payees }) => payees);

export const rewardsShape = z
  .object({
    rewards: z.array(
      z.object({
        id: text,
        name: text,
        account: text,
        points: z.int().min(0),
        worth: amount,
        expiring: z.object({ points: z.int().min(0), on: day }),
      }),
    ),
  })
  .transform(({ rewards }) => rewards);

export const quoteShape = z
  .object({
    quote_id: text,
    from: z.object({ id: text, name: text, number_ending: text }),
    payee: payee.extend({ name_check: z.enum(["matches", "close", "does not match", "not checked"]) }),
    amount,
    fee: amount,
    total: amount,
    text: z.string(),
    execute_on: day,
    speed: text,
  })
  .refine(({ amount: a, fee, total }) => a.currency === fee.currency && a.currency === total.currency)
  .transform(({ quote_id, from, payee: to, amount: a, fee, total, ...rest }) => ({
    id: quote_id,
    offer: {
      from: { id: from.id, name: from.name, ending: from.number_ending },
      payee: { id: to.id, name: to.name, number: to.iban, nameCheck: to.name_check },
      currency: a.currency,
      amountMinor: a.minor,
      feeMinor: fee.minor,
      totalMinor: total.minor,
      text: rest.text,
      executeOn: rest.execute_on,
      speed: rest.speed,
    },
  }));

export const transferShape = z
  .object({
    number: z.string().regex(TRANSFER_NUMBER),
    status: z.enum(["executed", "scheduled"]),
    sent_at: instant,
    from: text,
    payee: text,
    amount,
    total: amount,
    own_reference: z.string(),
    execute_on: day,
  })
  .refine(({ amount: a, total }) => a.currency === total.currency)
  .transform((sent) => ({
    number: sent.number,
    status: sent.status,
    sentAt: sent.sent_at,
    from: sent.from,
    payee: sent.payee,
    currency: sent.total.currency,
    amountMinor: sent.amount.minor,
    totalMinor: sent.total.minor,
    ownReference: sent.own_reference,
    executeOn: sent.execute_on,
  }));
export type ApiTransfer = z.infer<typeof transferShape>;
export const transfersShape = z.object({ transfers: z.array(transferShape) }).transform(({ transfers }) => transfers);

const problemShape = z.object({ type: z.string().regex(/^urn:quayside:[a-z_]+$/) });

/** The code of one of the bank's own refusals. */
export function problemCode(json: Json | undefined): string | undefined {
  const parsed = problemShape.safeParse(json);
  return parsed.success ? parsed.data.type.slice("urn:quayside:".length) : undefined;
}

export const NOT_ALLOWED = "the account holder has not allowed this at the bank";

/** As for every site; and what the person has not allowed at the bank is a gap. */
export function bodyOf<T>(answer: HttpAnswer, status: number, shape: z.ZodType<T>): Attempt<T> {
  const forbidden = answer.kind === "answer" && answer.status === 403;
  return forbidden && problemCode(answer.json) === "insufficient_scope"
    ? gap(NOT_ALLOWED)
    : wholeBody(answer, status, shape);
}
