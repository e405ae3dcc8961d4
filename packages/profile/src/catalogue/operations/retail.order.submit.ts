import { currencyDigits, type JsonObject } from "@countersign/wire";
import { z } from "zod";
import { TOTAL_CEILING } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import {
  currency,
  instantText,
  minor,
  type PurchaseTerms,
  purchaseTerms,
  quantity,
  reference,
  siteText,
} from "../shapes.ts";

const parameters = z.strictObject({
  item_ref: reference,
  quantity,
  /** The most that may be charged, required charges included (REQ-8). */
  max_total_minor: minor,
  currency,
  fulfillment_ref: reference,
});

const result = z.object({
  order_number: siteText,
  currency,
  total_minor: minor,
  placed_at: instantText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Place this order?",
  affirm: "Approve and order",
  validUntil: "quote_expires_at",
  sums: [{ total: "total_minor", list: "lines", amount: "unit_minor", quantity: "quantity" }],
  receipt: ["payee", "currency", "minor_digits", "total_minor"],
  fields: [
    { member: "total_minor", label: "Total charged", compare: "not_above", show: "money", place: 1 },
    { member: "payee", label: "Pay to", compare: "equal", show: "host", place: 2 },
    { member: "instrument", label: "Pay with", compare: "equal", show: "text", place: 40 },
    { member: "fulfillment_ref", label: "Delivery reference", compare: "equal", show: "reference", place: 120 },
    { member: "currency", label: "Currency", compare: "equal", show: "currency", place: 121 },
    { member: "minor_digits", label: "Digits after the point", compare: "equal", show: "count", place: 122 },
    { member: "note", label: "Note to the shop", compare: "equal", show: "text", place: 110 },
    { member: "quote_expires_at", label: "Offer stands until", compare: "equal", show: "instant", place: 111 },
    { member: "quote_ref", label: "Offer reference", compare: "equal", show: "reference", place: 123 },
  ],
  lists: [
    {
      member: "lines",
      label: "What is bought",
      key: ["kind", "ref"],
      place: 10,
      fields: [
        { member: "title", label: "Item", compare: "equal", show: "text", place: 1 },
        { member: "quantity", label: "Quantity", compare: "equal", show: "count", place: 2 },
        { member: "unit_minor", label: "Each", compare: "not_above", show: "money", place: 3 },
      ],
    },
  ],
  personal: [{ name: "ship_to", label: "Deliver to", place: 30 }],
};

/** An order at a shop: money leaves, goods are sent. */
export const retailOrderSubmit: CommitOperation = {
  id: "retail.order.submit",
  title: "Place an order",
  about:
    "Orders one item at a shop. The person sees the full cost with delivery and taxes, what is bought, where it goes and how it is paid; above the request's maximum nobody is asked.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  parameters,
  terms: purchaseTerms,
  result,
  meaning,
  ceiling: TOTAL_CEILING,
  limits: {
    payee: { termsMember: "payee" },
    items: {
      requestMember: "item_ref",
      termsList: "lines",
      termsMember: "ref",
      where: { member: "kind", equals: "item" },
    },
  },
  readBack: {
    where: "The list of orders: one that was not there before the submission, with these lines and this total.",
    terms: ["total_minor", "lines"],
    listedBy: "retail.orders.list",
  },
  contradictions(asked: JsonObject, terms: JsonObject): readonly string[] {
    return contradictions(parameters.parse(asked), purchaseTerms.parse(terms));
  },
  example: {
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 5500,
      currency: "EUR",
      fulfillment_ref: "delivery_demo",
    },
    terms: {
      payee: "shop.example",
      currency: "EUR",
      minor_digits: 2,
      total_minor: 4990,
      lines: [
        { kind: "item", ref: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: 4490 },
        { kind: "delivery", ref: "delivery_demo", title: "Delivery", quantity: 1, unit_minor: 500 },
      ],
      instrument: "card ending 4242",
      fulfillment_ref: "delivery_demo",
    },
    result: { order_number: "SO-100233", currency: "EUR", total_minor: 4990 },
  },
};

/** Lessons U27: every amount in the record is compared with every other before anybody is asked. */
function contradictions(asked: z.infer<typeof parameters>, terms: PurchaseTerms): readonly string[] {
  const found: string[] = [];
  let sum = 0;
  for (const [index, line] of terms.lines.entries()) {
    if (line.kind !== "discount" && line.unit_minor < 0) found.push(`lines/${index}/unit_minor`);
    sum += line.unit_minor * line.quantity;
  }
  if (!Number.isSafeInteger(sum) || sum !== terms.total_minor) found.push("total_minor");
  const digits = currencyDigits(terms.currency);
  if (!digits.ok || digits.value !== terms.minor_digits) found.push("minor_digits");
  if (terms.currency !== asked.currency) found.push("currency");
  if (terms.fulfillment_ref !== asked.fulfillment_ref) found.push("fulfillment_ref");
  const items = terms.lines.filter((line) => line.kind === "item");
  const [item] = items;
  if (items.length !== 1 || item?.ref !== asked.item_ref) found.push("lines");
  else if (item.quantity !== asked.quantity) found.push("lines/quantity");
  return found;
}
