import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { LINES_MAX } from "../../limits.ts";
import { CURRENCY_FIELDS, disagreements } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { currency, hostName, inCurrency, minor, quantity, reference, siteNumber, siteText } from "../shapes.ts";

const parameters = z.strictObject({
  order_number: siteNumber,
  /** The most that the shop may keep of what was paid; 0 to cancel only if all of it comes back (REQ-8). */
  max_kept_minor: minor,
  currency,
});

const terms = z.strictObject({
  shop: hostName,
  order_number: siteNumber,
  ...inCurrency,
  /** What was paid for what is cancelled, what comes back of it, and what the shop keeps. */
  paid_minor: minor,
  refund_minor: minor,
  kept_minor: minor,
  refund_to: siteText.exactOptional(),
  lines: z
    .array(z.strictObject({ ref: reference, title: siteText, quantity }))
    .min(1)
    .max(LINES_MAX),
  consequence: siteText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Cancel this order?",
  affirm: "Approve the cancellation",
  sums: [{ total: "paid_minor", members: ["refund_minor", "kept_minor"] }],
  receipt: ["shop", "order_number", "currency", "minor_digits", "refund_minor", "kept_minor"],
  fields: [
    { member: "kept_minor", label: "The shop keeps", compare: "not_above", show: "money", place: 1 },
    { member: "refund_minor", label: "Comes back to you", compare: "equal", show: "money", place: 2 },
    { member: "shop", label: "At", compare: "equal", show: "host", place: 3 },
    { member: "order_number", label: "Order", compare: "equal", show: "text", place: 4 },
    { member: "refund_to", label: "Paid back to", compare: "equal", show: "text", place: 20 },
    { member: "consequence", label: "What the site says", compare: "equal", show: "text", place: 30 },
    { member: "paid_minor", label: "Was paid", compare: "equal", show: "money", place: 40 },
    ...CURRENCY_FIELDS,
  ],
  lists: [
    {
      member: "lines",
      label: "What is cancelled",
      key: ["ref"],
      place: 10,
      fields: [
        { member: "title", label: "Item", compare: "equal", show: "text", place: 1 },
        { member: "quantity", label: "Quantity", compare: "equal", show: "count", place: 2 },
      ],
    },
  ],
  personal: [],
};

/** Calls a whole order off before it is sent. Nothing new is charged; the shop may keep a part of what was paid. */
export const retailOrderCancel: CommitOperation = {
  id: "retail.order.cancel",
  title: "Cancel an order",
  about:
    "Calls off a whole order that the shop has not sent yet. Nothing new is charged: what the shop keeps of what was paid is shown, and above the request's maximum nobody is asked. Sending goods back is something else.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "session",
  parameters,
  terms,
  result: z.object({
    order_number: siteNumber,
    cancellation_ref: siteText.exactOptional(),
    currency,
    refund_minor: minor,
  }),
  meaning,
  ceiling: {
    limitMember: "max_kept_minor",
    limitCurrencyMember: "currency",
    totalMember: "kept_minor",
    currencyMember: "currency",
  },
  limits: {
    payee: { termsMember: "shop" },
    items: { requestMember: "order_number", termsMember: "order_number" },
  },
  readBack: {
    where: "The order in the list of orders, now shown as cancelled. An order that is merely missing proves nothing.",
    terms: ["order_number"],
    listedBy: "retail.orders.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    return disagreements(meaning, ["order_number", "currency"], parameters.parse(asked), terms.parse(observed));
  },
  example: {
    parameters: { order_number: "SO-100233", max_kept_minor: 500, currency: "EUR" },
    terms: {
      shop: "shop.example",
      order_number: "SO-100233",
      currency: "EUR",
      minor_digits: 2,
      paid_minor: 4990,
      refund_minor: 4590,
      kept_minor: 400,
      refund_to: "card ending 4242",
      lines: [{ ref: "TL-200", title: "Trail Lamp 200", quantity: 1 }],
    },
    result: { order_number: "SO-100233", cancellation_ref: "CN-7710", currency: "EUR", refund_minor: 4590 },
  },
};
