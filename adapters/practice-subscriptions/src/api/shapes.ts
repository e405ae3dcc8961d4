import { currencyDigits, type Json, parseInstant } from "@countersign/plugin/site";
import { z } from "zod";
import { CANCELLATION_NUMBER } from "../shared/cancellation.ts";
import { CHANGE_NUMBER } from "../shared/plan.ts";

// What the service's API answers, as far as it is used. Anything else is trouble, never a guess.

const text = z.string().min(1);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((each) => parseInstant(`${each}T00:00:00Z`).ok);
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => currencyDigits(code).ok);
const money = z.object({ minor: z.int().min(0), currency });
const plan = z.object({ id: text, name: text, price: money, every: z.enum(["month", "year"]) });

export const accountShape = z.object({
  name: text,
  login: z.string().regex(/^[^\s@]+@[^\s@]+$/),
  email: text,
  email_to_be_confirmed: text.exactOptional(),
  phone: text,
  billing_address_line: text,
});

export const subscriptionsShape = z
  .object({
    subscriptions: z.array(
      z.object({
        id: text,
        charged_by: text,
        plan,
        state: z.enum(["active", "trial", "paused", "ending"]),
        paid_until: day,
        last_charged_on: day.exactOptional(),
        ends_on: day.exactOptional(),
      }),
    ),
  })
  .transform(({ subscriptions }) => subscriptions);

const preview = { preview: text };

export const cancellationPreviewShape = z
  .object({
    ...preview,
    subscription: text,
    plan: text,
    ends_on: day,
    what_is_lost: text,
    offers_to_stay: z.array(z.object({ title: text, text })),
  })
  .transform((quote) => ({
    id: quote.preview,
    offer: {
      subscription: quote.subscription,
      plan: quote.plan,
      endsOn: quote.ends_on,
      consequence: quote.what_is_lost,
      offers: quote.offers_to_stay,
    },
  }));

export const cancellationShape = z
  .object({
    number: z.string().regex(CANCELLATION_NUMBER),
    reference: z.string(),
    subscription: text,
    plan: text,
    ends_on: day,
  })
  .transform(({ ends_on: endsOn, ...rest }) => ({ ...rest, endsOn }));

const planQuote = z.object({
  subscription: text,
  plan,
  plan_until_now: text,
  due_now: money,
  starts_on: day,
  bound_until: day.exactOptional(),
  what_changes: text,
});

function planOffer(quote: z.infer<typeof planQuote>) {
  return {
    subscription: quote.subscription,
    planRef: quote.plan.id,
    plan: quote.plan.name,
    presentPlan: quote.plan_until_now,
    currency: quote.plan.price.currency,
    dueNowMinor: quote.due_now.minor,
    priceMinor: quote.plan.price.minor,
    period: quote.plan.every,
    startsOn: quote.starts_on,
    ...(quote.bound_until === undefined ? {} : { boundEndsOn: quote.bound_until }),
    consequence: quote.what_changes,
  };
}
const oneCurrency = (quote: z.infer<typeof planQuote>) => quote.due_now.currency === quote.plan.price.currency;

export const planPreviewShape = planQuote
  .extend(preview)
  .refine(oneCurrency)
  .transform((quote) => ({ id: quote.preview, offer: planOffer(quote) }));

export const planChangeShape = planQuote
  .extend({ number: z.string().regex(CHANGE_NUMBER), reference: z.string() })
  .refine(oneCurrency)
  .transform((made) => ({ number: made.number, reference: made.reference, ...planOffer(made) }));

const changes = z.enum(["billing_address", "email", "phone"]);

export const accountPreviewShape = z
  .object({
    ...preview,
    changes,
    until_now: text,
    from_now: text,
    what_changes: text,
    opens_account: z.boolean().exactOptional(),
  })
  .transform((quote) => ({
    id: quote.preview,
    offer: {
      changes: quote.changes,
      untilNow: quote.until_now,
      fromNow: quote.from_now,
      consequence: quote.what_changes,
      ...(quote.opens_account === undefined ? {} : { opensAccount: quote.opens_account }),
    },
  }));

export const accountChangeShape = z.object({
  number: z.string().regex(/^AC-[0-9]{1,12}$/),
  reference: z.string(),
  changes,
  from_now: text,
  to_be_confirmed: z.boolean(),
});

const problemShape = z.object({ errors: z.tuple([z.object({ code: z.string().regex(/^[a-z_]+$/) })]) });

/** The code of one of the service's own refusals. */
export function errorCode(json: Json | undefined): string | undefined {
  const parsed = problemShape.safeParse(json);
  return parsed.success ? parsed.data.errors[0].code : undefined;
}
