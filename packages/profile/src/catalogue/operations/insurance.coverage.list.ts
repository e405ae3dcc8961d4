import { z } from "zod";
import { LINES_MAX, ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import {
  calendarDate,
  currency,
  minor,
  NEEDS_CURRENCY,
  needsCurrency,
  period,
  reference,
  siteNumber,
  siteText,
} from "../shapes.ts";

const benefit = z.object({
  title: siteText,
  /** The most that is paid, what of it is used, and what the person bears first. */
  limit_minor: minor.exactOptional(),
  used_minor: minor.exactOptional(),
  deductible_minor: minor.exactOptional(),
  covered_percent: z.int().min(0).max(100).exactOptional(),
  note: siteText.exactOptional(),
});

/** What is insured, for whom and how far. */
export const insuranceCoverageList: ReadOperation = {
  id: "insurance.coverage.list",
  title: "List insurance coverage",
  about:
    "The policies at this insurer and what each covers, as the insurer lists it. It is a list, and no promise that something will be paid.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: ["result/policies/*/insured"],
  parameters: z.strictObject({ policy_ref: reference.exactOptional() }),
  result: z.object({
    policies: z
      .array(
        z
          .object({
            policy_ref: reference,
            number: siteNumber.exactOptional(),
            name: siteText,
            kind: z.enum(["health", "dental", "car", "home", "liability", "travel", "life", "animal", "other"]),
            insured: siteText.exactOptional(),
            starts_on: calendarDate.exactOptional(),
            ends_on: calendarDate.exactOptional(),
            currency: currency.exactOptional(),
            premium_minor: minor.exactOptional(),
            premium_period: period.exactOptional(),
            benefits: z.array(benefit).max(LINES_MAX),
          })
          .refine(needsCurrency, NEEDS_CURRENCY)
          .refine(
            (policy) => policy.currency !== undefined || policy.benefits.every((one) => needsCurrency(one)),
            NEEDS_CURRENCY,
          ),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: {},
    result: {
      policies: [
        {
          policy_ref: "pol_3",
          number: "H-88120",
          name: "Home contents",
          kind: "home",
          starts_on: "2026-01-01",
          ends_on: "2026-12-31",
          currency: "EUR",
          premium_minor: 1290,
          premium_period: "month",
          benefits: [{ title: "Water damage", limit_minor: 3_000_000, deductible_minor: 15_000, covered_percent: 100 }],
        },
      ],
    },
  },
};
