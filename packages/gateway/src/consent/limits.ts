import { identifier } from "@countersign/profile";
import { currencyDigits, DAY_MS, type JsonObject } from "@countersign/wire";
import { z } from "zod";
import { GRANT_ACTIONS_MAX, GRANT_LIST_MAX, NAME_CHARS_MAX, PAYEE_CHARS_MAX } from "../limits.ts";
import { DAYS, isZone } from "./hours.ts";

/**
 * A period is a rolling window of exact length that ends now, never a page of a calendar: whatever window of that
 * length one lays over a grant's acts, the limit holds in it, and no turn of a day, month or zone gives a second
 * helping. A month has 31 days, so that no calendar month holds more than the limit. `total` is the grant's whole life.
 */
export const PERIOD_MS = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  total: Number.POSITIVE_INFINITY,
} as const;
export type PeriodName = keyof typeof PERIOD_MS;
export const PERIODS: readonly PeriodName[] = ["day", "week", "month", "total"];

const minor = z.int().min(0);
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => currencyDigits(code).ok, "an ISO 4217 code in force");
const wholeAmount = (l: { max_total_minor?: number; currency?: string }) =>
  (l.max_total_minor === undefined) === (l.currency === undefined);

const periodLimit = z
  .strictObject({
    max_total_minor: minor.exactOptional(),
    currency: currency.exactOptional(),
    max_actions: z.int().min(1).max(GRANT_ACTIONS_MAX).exactOptional(),
  })
  .refine(wholeAmount, "an amount needs its currency")
  .refine((l) => l.max_total_minor !== undefined || l.max_actions !== undefined, "an amount, a count, or both");

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "HH:MM");

/** From when to when, in local time of a zone; `to` is not within. Past midnight, the days are those it begins on. */
const hours = z
  .strictObject({
    zone: z.string().max(NAME_CHARS_MAX).refine(isZone, "a time zone of the IANA database"),
    from: clock,
    to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "HH:MM"),
    days: z.array(z.enum(DAYS)).min(1).max(DAYS.length).exactOptional(),
  })
  .refine((h) => h.from !== h.to, "a span of time");

/**
 * Limits of a grant (CON-3): closed, each optional, each only ever narrowing. Money is minor units of its currency.
 * `max_total_minor` bounds one action, `periods` bounds sums and counts, lists name what alone may be paid or bought.
 */
export const consentLimits = z
  .strictObject({
    max_total_minor: minor.exactOptional(),
    currency: currency.exactOptional(),
    periods: z
      .strictObject({
        day: periodLimit.exactOptional(),
        week: periodLimit.exactOptional(),
        month: periodLimit.exactOptional(),
        total: periodLimit.exactOptional(),
      })
      .exactOptional(),
    payees: z.array(z.string().min(1).max(PAYEE_CHARS_MAX)).min(1).max(GRANT_LIST_MAX).exactOptional(),
    items: z.array(identifier).min(1).max(GRANT_LIST_MAX).exactOptional(),
    hours: hours.exactOptional(),
  })
  .refine(wholeAmount, "an amount needs its currency")
  .refine((l) => currenciesOf(l).size <= 1, "one currency in all limits");

export type ConsentLimits = z.infer<typeof consentLimits>;
export type PeriodLimit = z.infer<typeof periodLimit>;
export type HoursLimit = z.infer<typeof hours>;

/** The periods that a grant limits, shortest first. */
export function periodsOf(limits: ConsentLimits): readonly (readonly [PeriodName, PeriodLimit])[] {
  return PERIODS.flatMap((name) => {
    const limit = limits.periods?.[name];
    return limit === undefined ? [] : [[name, limit] as const];
  });
}

/** The limits as a member of a record or a body. */
export function limitsJson(limits: ConsentLimits): JsonObject {
  return limits as JsonObject;
}

function currenciesOf(limits: {
  readonly currency?: string;
  readonly periods?: Readonly<Partial<Record<PeriodName, { readonly currency?: string }>>>;
}): ReadonlySet<string> {
  const named = [limits.currency, ...PERIODS.map((name) => limits.periods?.[name]?.currency)];
  return new Set(named.filter((code) => code !== undefined));
}
