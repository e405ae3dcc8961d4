import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { calendarDate, currency, minor, NEEDS_CURRENCY, needsCurrency, reference, siteText } from "../shapes.ts";

const points = z.int().min(0);

/** What the person has collected. */
export const bankingRewardsList: ReadOperation = {
  id: "banking.rewards.list",
  title: "List rewards",
  about:
    "Points, miles and money back that the account holder has collected, with what they are worth only where the site itself says so, and what runs out next. Nothing is redeemed.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({ bank_account_ref: reference.exactOptional() }),
  result: z.object({
    programs: z
      .array(
        z
          .object({
            reward_ref: reference,
            name: siteText,
            bank_account_ref: reference.exactOptional(),
            /** What is collected, such as `points` or `miles`; absent where it is money itself. */
            unit: siteText.exactOptional(),
            collected_points: points.exactOptional(),
            currency: currency.exactOptional(),
            worth_minor: minor.exactOptional(),
            expires_on: calendarDate.exactOptional(),
            expiring_points: points.exactOptional(),
          })
          .refine(needsCurrency, NEEDS_CURRENCY),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: {},
    result: {
      programs: [
        {
          reward_ref: "rw_1",
          name: "Everyday rewards",
          bank_account_ref: "ba_1",
          unit: "points",
          collected_points: 12_480,
          currency: "EUR",
          worth_minor: 6240,
          expires_on: "2026-12-31",
          expiring_points: 900,
        },
      ],
    },
  },
};
