import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import {
  currency,
  instantText,
  minor,
  NEEDS_CURRENCY,
  needsCurrency,
  reference,
  rowLimit,
  siteText,
} from "../shapes.ts";

/** What the person has put aside at a shop. */
export const retailWishlistList: ReadOperation = {
  id: "retail.wishlist.list",
  title: "List the wishlist",
  about:
    "The items that the account holder has saved at the shop, with today's price where the shop shows one. It adds nothing, removes nothing and puts nothing into a cart.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({ limit: rowLimit }),
  result: z.object({
    items: z
      .array(
        z
          .object({
            item_ref: reference,
            title: siteText,
            added_at: instantText.exactOptional(),
            available: z.boolean().exactOptional(),
            currency: currency.exactOptional(),
            price_minor: minor.exactOptional(),
          })
          .refine(needsCurrency, NEEDS_CURRENCY),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: { limit: 20 },
    result: {
      items: [
        {
          item_ref: "TL-200",
          title: "Trail Lamp 200",
          added_at: "2026-11-02T18:30:00Z",
          available: true,
          currency: "EUR",
          price_minor: 4490,
        },
      ],
    },
  },
};
