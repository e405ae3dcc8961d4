import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import {
  calendarDate,
  currency,
  dateWindow,
  decimalText,
  IN_ORDER,
  inOrder,
  minor,
  NEEDS_CURRENCY,
  needsCurrency,
  reference,
  rowLimit,
  siteText,
} from "../shapes.ts";

/** What was used, as the utility measured or estimated it. */
export const utilitiesUsageList: ReadOperation = {
  id: "utilities.usage.list",
  title: "List usage",
  about:
    "How much was used in each period, as the utility measured or estimated it. Amounts are decimal digits in the unit that stands beside them, and nothing is converted. When somebody is at home can be read from it, so it counts as personal.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  personalData: ["result/usage/*/place"],
  parameters: z
    .strictObject({ contract_ref: reference.exactOptional(), ...dateWindow, limit: rowLimit })
    .refine(inOrder, IN_ORDER),
  result: z.object({
    usage: z
      .array(
        z
          .object({
            contract_ref: reference,
            kind: z.enum(["electricity", "gas", "water", "heat", "internet", "mobile", "other"]),
            place: siteText.exactOptional(),
            from: calendarDate,
            to: calendarDate,
            used: decimalText,
            unit: z.enum(["kWh", "m3", "l", "MB", "GB", "min", "other"]),
            estimated: z.boolean(),
            currency: currency.exactOptional(),
            cost_minor: minor.exactOptional(),
          })
          .refine(inOrder, IN_ORDER)
          .refine(needsCurrency, NEEDS_CURRENCY),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: { contract_ref: "ct_7", from: "2026-10-01", to: "2026-10-31", limit: 12 },
    result: {
      usage: [
        {
          contract_ref: "ct_7",
          kind: "electricity",
          from: "2026-10-01",
          to: "2026-10-31",
          used: "241.7",
          unit: "kWh",
          estimated: false,
          currency: "EUR",
          cost_minor: 7734,
        },
      ],
    },
  },
};
