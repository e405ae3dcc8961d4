import { currencyDigits, parseInstant } from "@countersign/wire";
import { z } from "zod";
import { LINES_MAX, QUANTITY_MAX, ROWS_DEFAULT, ROWS_MAX, SITE_TEXT_BYTES_MAX } from "../limits.ts";
import { identifier } from "../request/request.ts";

/** Shapes that several operations share. Money is integer minor units with its ISO 4217 code (REQ-1). */
export const minor = z.int().min(0);
export const signedMinor = z.int();
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => currencyDigits(code).ok, "an ISO 4217 code in force");
export const quantity = z.int().min(1).max(QUANTITY_MAX);
export const reference = identifier;
/** Text as the site wrote it; the renderer shows what is invisible or deceptive in it. */
export const siteText = z
  .string()
  .min(1)
  .max(SITE_TEXT_BYTES_MAX)
  .refine((text) => text.isWellFormed(), "well-formed Unicode");
export const calendarDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((text) => parseInstant(`${text}T00:00:00Z`).ok, "a date of the calendar, YYYY-MM-DD");
export const instantText = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text).ok, "an RFC 3339 time with an offset");

/** The name of a site by its host, as a destination, a payee or a provider is named. */
export const hostName = z.string().min(1).max(253);
/** A number as the site writes it (an order's, a claim's): one short line of printable ASCII. */
export const siteNumber = z
  .string()
  .max(64)
  .regex(/^[!-~](?:[ -~]*[!-~])?$/, "printable ASCII on one line");
/** The last characters of an account or card number, by which a person knows it; never more of it. */
export const ending = z.string().regex(/^[0-9A-Za-z]{2,4}$/);
/** A measured amount as decimal digits: never through a floating point number (U55). */
export const decimalText = z.string().regex(/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/);
export const rowLimit = z.int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT);
/** How often something is charged. */
export const period = z.enum(["week", "month", "quarter", "half_year", "year"]);

/** The days from which to which something is listed, both included. */
export const dateWindow = { from: calendarDate.exactOptional(), to: calendarDate.exactOptional() };
export const inOrder = (window: { readonly from?: string; readonly to?: string }): boolean =>
  window.from === undefined || window.to === undefined || window.from <= window.to;
export const IN_ORDER = "from is not after to";

/** Money in a result always stands beside its currency. */
export const needsCurrency = (row: Readonly<Record<string, unknown>>): boolean =>
  row["currency"] !== undefined || !Object.keys(row).some((name) => name.endsWith("_minor") && row[name] !== undefined);
export const NEEDS_CURRENCY = "an amount needs its currency";

/** What all terms with money have: the currency, and its digits so that a record can be read by itself. */
export const inCurrency = { currency, minor_digits: z.int().min(0).max(4) };

/** One bill, as a list shows it. `open_minor` is what is still to be paid of `total_minor`. */
export const bill = z.object({
  bill_ref: reference,
  number: siteNumber.exactOptional(),
  title: siteText.exactOptional(),
  issued_on: calendarDate.exactOptional(),
  due_on: calendarDate.exactOptional(),
  period_starts_on: calendarDate.exactOptional(),
  period_ends_on: calendarDate.exactOptional(),
  currency,
  total_minor: signedMinor,
  open_minor: signedMinor.exactOptional(),
  status: z.enum(["open", "part_paid", "paid", "overdue", "credit", "cancelled", "other"]),
});

/** One claim, as an insurer or a clinic lists it. */
export const claim = z
  .object({
    claim_ref: reference,
    number: siteNumber.exactOptional(),
    title: siteText.exactOptional(),
    policy_ref: reference.exactOptional(),
    /** For whom; personal. */
    person: siteText.exactOptional(),
    provider: siteText.exactOptional(),
    incident_on: calendarDate.exactOptional(),
    submitted_on: calendarDate.exactOptional(),
    status: z.enum([
      "received",
      "in_review",
      "more_needed",
      "approved",
      "part_approved",
      "refused",
      "paid",
      "withdrawn",
      "other",
    ]),
    /** The state in the site's own words. */
    status_text: siteText.exactOptional(),
    currency: currency.exactOptional(),
    claimed_minor: minor.exactOptional(),
    approved_minor: minor.exactOptional(),
    paid_minor: minor.exactOptional(),
    paid_on: calendarDate.exactOptional(),
  })
  .refine(needsCurrency, NEEDS_CURRENCY);

export const orderLine = z.strictObject({
  kind: z.enum(["item", "delivery", "tax", "fee", "discount"]),
  ref: reference,
  title: siteText,
  quantity,
  unit_minor: signedMinor,
});

export const purchaseTerms = z.strictObject({
  payee: z.string().min(1).max(253),
  currency,
  minor_digits: z.int().min(0).max(4),
  total_minor: minor,
  lines: z.array(orderLine).min(1).max(LINES_MAX),
  instrument: siteText,
  fulfillment_ref: reference,
  note: siteText.exactOptional(),
  /** The site's own name for this offer, and how long it stands by it: another quote is another deal (U29). */
  quote_ref: reference.exactOptional(),
  quote_expires_at: instantText.exactOptional(),
});

export type PurchaseTerms = z.infer<typeof purchaseTerms>;
