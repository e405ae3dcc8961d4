import { parseInstant } from "@countersign/plugin/site";
import { z } from "zod";
import { CHANGE_NUMBER, PAYMENT_NUMBER } from "../shared/terms.ts";

// What the provider's API answers, as far as it is used. Anything else is trouble, never a guess. Amounts are whole
// cents beside one currency; a text or a fraction is no amount.

const text = z.string().min(1);
const cents = z.int().min(0);
const currency = z.literal("EUR");
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((each) => parseInstant(`${each}T00:00:00Z`).ok);
const instant = z.string().refine((each) => parseInstant(each).ok);
const page = { currency, page: z.int().min(1), pages: z.int().min(1) };

export const customerShape = z.object({
  name: text,
  customer_number: z.string().regex(/^\d{4,16}$/),
  payment_methods: z.array(z.object({ id: text, label: text })).min(1),
});

export const billsShape = z.object({
  ...page,
  bills: z.array(
    z.object({
      id: text,
      contract: text,
      number: text,
      title: text,
      issued_on: day,
      due_on: day,
      period: z.object({ from: day, to: day }),
      total_cents: z.int(),
      open_cents: z.int(),
      payable_cents: cents,
      status: z.enum(["open", "part_paid", "paid", "overdue", "credit"]),
    }),
  ),
});

export const usageShape = z.object({
  ...page,
  usage: z.array(
    z.object({
      contract: text,
      kind: z.enum(["electricity", "gas"]),
      place: text,
      from: day,
      to: day,
      used: z.string().regex(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/),
      unit: z.enum(["kWh", "m3"]),
      estimated: z.boolean(),
      cost_cents: cents,
    }),
  ),
});

export const paymentDraftShape = z
  .object({
    draft: text,
    kind: z.literal("payment"),
    bill: z.object({ id: text, number: text, title: text, due_on: day, open_cents: cents }),
    method_label: text,
    currency,
    amount_cents: cents.min(1),
    fee_cents: cents,
    total_cents: cents,
    pay_on: day,
  })
  .transform(({ draft, bill, ...each }) => ({
    id: draft,
    offer: {
      billRef: bill.id,
      billNumber: bill.number,
      billTitle: bill.title,
      dueOn: bill.due_on,
      currency: each.currency,
      openMinor: bill.open_cents,
      amountMinor: each.amount_cents,
      feeMinor: each.fee_cents,
      totalMinor: each.total_cents,
      instrument: each.method_label,
      payOn: each.pay_on,
    },
  }));

const planOffer = {
  kind: z.literal("plan"),
  contract: text,
  plan: text,
  plan_name: text,
  present_plan_name: text,
  currency,
  due_now_cents: cents,
  price_cents: cents,
  every: z.literal("month"),
  starts_on: day,
  bound_ends_on: day.exactOptional(),
  text,
};

export const planDraftShape = z.object({ draft: text, ...planOffer }).transform(({ draft, ...each }) => ({
  id: draft,
  offer: {
    contractRef: each.contract,
    planRef: each.plan,
    plan: each.plan_name,
    presentPlan: each.present_plan_name,
    currency: each.currency,
    dueNowMinor: each.due_now_cents,
    priceMinor: each.price_cents,
    startsOn: each.starts_on,
    ...(each.bound_ends_on === undefined ? {} : { boundEndsOn: each.bound_ends_on }),
    consequence: each.text,
  },
}));

const autopayOffer = z.discriminatedUnion("autopay", [
  z.object({
    kind: z.literal("autopay"),
    contract: text,
    contract_title: text,
    autopay: z.literal("on"),
    present: z.enum(["on", "off"]),
    method_label: text,
    charged: text,
    first_on: day,
    mandate: text,
  }),
  z.object({
    kind: z.literal("autopay"),
    contract: text,
    contract_title: text,
    autopay: z.literal("off"),
    present: z.enum(["on", "off"]),
  }),
]);

export const autopayDraftShape = z
  .object({ draft: text })
  .and(autopayOffer)
  .transform((each) => ({
    id: each.draft,
    offer: {
      contractRef: each.contract,
      contract: each.contract_title,
      autopay: each.autopay,
      present: each.present,
      ...(each.autopay === "off"
        ? {}
        : {
            on: {
              instrument: each.method_label,
              charged: each.charged,
              firstOn: each.first_on,
              mandate: each.mandate,
            },
          }),
    },
  }));

const made = { made_at: instant, reference: z.string() };

export const paymentShape = z
  .object({
    ...made,
    number: z.string().regex(PAYMENT_NUMBER),
    status: z.enum(["paid", "scheduled"]),
    bill: text,
    method_label: text,
    currency,
    amount_cents: cents,
    total_cents: cents,
    pay_on: day,
  })
  .transform((each) => ({
    number: each.number,
    madeAt: each.made_at,
    reference: each.reference,
    status: each.status,
    bill: each.bill,
    instrument: each.method_label,
    currency: each.currency,
    amountMinor: each.amount_cents,
    totalMinor: each.total_cents,
    payOn: each.pay_on,
  }));
export type ApiPayment = z.infer<typeof paymentShape>;
export const paymentsShape = z
  .object({ ...page, payments: z.array(paymentShape) })
  .transform(({ payments, pages }) => ({ rows: payments, pages }));

const changeNumber = z.string().regex(CHANGE_NUMBER);
export const planChangeShape = z.object({ ...made, number: changeNumber, ...planOffer }).transform((each) => ({
  number: each.number,
  madeAt: each.made_at,
  reference: each.reference,
  contract: each.contract,
  planRef: each.plan,
  plan: each.plan_name,
  currency: each.currency,
  dueNowMinor: each.due_now_cents,
  priceMinor: each.price_cents,
  startsOn: each.starts_on,
}));
export type ApiPlanChange = z.infer<typeof planChangeShape>;

export const autopayChangeShape = z
  .object({ ...made, number: changeNumber })
  .and(autopayOffer)
  .transform((each) => ({
    number: each.number,
    madeAt: each.made_at,
    reference: each.reference,
    contract: each.contract,
    autopay: each.autopay,
    ...(each.autopay === "off" ? {} : { instrument: each.method_label, firstOn: each.first_on }),
  }));
export type ApiAutopayChange = z.infer<typeof autopayChangeShape>;

/** Changes of two kinds stand in one list; those of the other kind are left out, and nothing else is. */
export function changesShape<T>(shape: z.ZodType<T>, other: "plan" | "autopay") {
  const leftOut = z.object({ kind: z.literal(other) }).transform(() => undefined);
  return z
    .object({ ...page, changes: z.array(z.union([leftOut, shape])) })
    .transform(({ changes, pages }) => ({ rows: changes.filter((each): each is T => each !== undefined), pages }));
}

const errorShape = z.object({ errors: z.array(z.object({ code: z.string().regex(/^[a-z_]+$/) })).length(1) });

/** The code of one of the provider's own refusals. */
export function errorCode(json: unknown): string | undefined {
  const parsed = errorShape.safeParse(json);
  return parsed.success ? parsed.data.errors[0]?.code : undefined;
}
