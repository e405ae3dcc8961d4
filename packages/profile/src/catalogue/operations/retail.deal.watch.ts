import { z } from "zod";
import type { ReadOperation } from "../model.ts";
import { currency, instantText, minor, NEEDS_CURRENCY, needsCurrency, reference, siteText } from "../shapes.ts";

const LOOK_EVERY_MS = 60 * 60_000;

/** A durable watch on one item's price: it reports, and never buys by itself. */
export const retailDealWatch: ReadOperation = {
  id: "retail.deal.watch",
  title: "Watch an item for a price",
  about:
    "Looks at one item until it can be had for the given price or less, or until the watch ends, and reports. It never buys and reserves nothing: an order is another request, with its own grant, terms and decision. The price is the item's own, before delivery and taxes.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({
    item_ref: reference,
    /** Report at this price or a lower one. */
    at_most_minor: minor,
    currency,
    /** When the watch ends, whether the price was met or not. */
    watch_ends_at: instantText,
  }),
  result: z
    .object({
      item_ref: reference,
      title: siteText,
      /** Whether, at `looked_at`, it could be had for the asked price or less. Another currency never meets it. */
      met: z.boolean(),
      available: z.boolean(),
      currency: currency.exactOptional(),
      price_minor: minor.exactOptional(),
      looked_at: instantText,
    })
    .refine(needsCurrency, NEEDS_CURRENCY)
    .refine(
      (seen) => !seen.met || (seen.available && seen.price_minor !== undefined),
      "met at a price that can be had",
    ),
  repeats: { untilMember: "watch_ends_at", metMember: "met", everyMsMin: LOOK_EVERY_MS },
  example: {
    parameters: { item_ref: "TL-200", at_most_minor: 3900, currency: "EUR", watch_ends_at: "2026-12-24T12:00:00Z" },
    result: {
      item_ref: "TL-200",
      title: "Trail Lamp 200",
      met: true,
      available: true,
      currency: "EUR",
      price_minor: 3790,
      looked_at: "2026-12-04T08:00:00Z",
    },
  },
};
