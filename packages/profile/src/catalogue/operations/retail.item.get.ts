import { z } from "zod";
import { QUANTITY_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import {
  currency,
  hostName,
  instantText,
  minor,
  NEEDS_CURRENCY,
  needsCurrency,
  reference,
  siteText,
} from "../shapes.ts";

/** One item as the shop shows it to this account, whose prices may be its own. */
export const retailItemGet: ReadOperation = {
  id: "retail.item.get",
  title: "Look at one item",
  about:
    "The item's title, price and availability as the shop shows them to this account. Delivery and taxes may come on top: what an order costs, only the terms of the order say.",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({ item_ref: reference }),
  result: z
    .object({
      item_ref: reference,
      title: siteText,
      description: siteText.exactOptional(),
      seller: hostName.exactOptional(),
      available: z.boolean(),
      quantity_max: z.int().min(1).max(QUANTITY_MAX).exactOptional(),
      currency: currency.exactOptional(),
      price_minor: minor.exactOptional(),
      delivery: siteText.exactOptional(),
      looked_at: instantText,
    })
    .refine(needsCurrency, NEEDS_CURRENCY),
  example: {
    parameters: { item_ref: "TL-200" },
    result: {
      item_ref: "TL-200",
      title: "Trail Lamp 200",
      available: true,
      quantity_max: 5,
      currency: "EUR",
      price_minor: 4490,
      delivery: "In two to three days",
      looked_at: "2026-11-30T10:00:00Z",
    },
  },
};
