import { currencyDigits, parseInstant } from "@countersign/wire";
import { z } from "zod";
import { LINES_MAX, QUANTITY_MAX, SITE_TEXT_BYTES_MAX } from "../limits.ts";
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
