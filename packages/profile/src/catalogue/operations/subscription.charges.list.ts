import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import {
  calendarDate,
  currency,
  minor,
  NEEDS_CURRENCY,
  needsCurrency,
  period,
  reference,
  rowLimit,
  siteText,
} from "../shapes.ts";

/** What is charged again and again, as the service that charges it, or the account it is charged to, shows it. */
export const subscriptionChargesList: ReadOperation = {
  id: "subscription.charges.list",
  title: "List recurring charges",
  about:
    "What is charged again and again at this account: the plan, the price, when it is charged next and whether it is on its way to ending. What the site does not say is left out and not guessed.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({ limit: rowLimit }),
  result: z.object({
    charges: z
      .array(
        z
          .object({
            subscription_ref: reference,
            merchant: siteText,
            plan: siteText.exactOptional(),
            status: z.enum(["active", "trial", "paused", "ending", "ended", "other"]),
            currency: currency.exactOptional(),
            price_minor: minor.exactOptional(),
            period: period.exactOptional(),
            last_on: calendarDate.exactOptional(),
            next_on: calendarDate.exactOptional(),
            trial_ends_on: calendarDate.exactOptional(),
            ends_on: calendarDate.exactOptional(),
          })
          .refine(needsCurrency, NEEDS_CURRENCY),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: { limit: 20 },
    result: {
      charges: [
        {
          subscription_ref: "membership",
          merchant: "Practice shop",
          plan: "Plus, monthly",
          status: "active",
          currency: "EUR",
          price_minor: 799,
          period: "month",
          last_on: "2026-11-30",
          next_on: "2026-12-31",
        },
      ],
    },
  },
};
