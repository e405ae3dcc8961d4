import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { currency, instantText, minor, rowLimit, siteText } from "../shapes.ts";

/** The account's past orders, newest first. */
export const retailOrdersList: ReadOperation = {
  id: "retail.orders.list",
  title: "List past orders",
  about:
    "The account's past orders, newest first, with their lines and the state that the shop gives them. Addresses and payment details are left out.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({ limit: rowLimit }),
  result: z.object({
    orders: z
      .array(
        z.object({
          order_number: siteText,
          placed_at: instantText.exactOptional(),
          status: siteText.exactOptional(),
          currency,
          total_minor: minor,
          lines: z
            .array(
              z.object({
                ref: siteText.exactOptional(),
                title: siteText,
                quantity: z.int().min(1),
                unit_minor: minor.exactOptional(),
              }),
            )
            .max(ROWS_MAX),
        }),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: { limit: 10 },
    result: {
      orders: [
        {
          order_number: "SO-100233",
          placed_at: "2026-11-30T10:00:53Z",
          currency: "EUR",
          total_minor: 4990,
          lines: [{ ref: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: 4490 }],
        },
      ],
    },
  },
};
