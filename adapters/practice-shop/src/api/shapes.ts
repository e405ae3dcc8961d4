import { currencyDigits, type Json, parseInstant } from "@countersign/wire";
import { z } from "zod";
import type { ShopItem, ShopWish } from "../shared/item.ts";
import { ORDER_NUMBER, type ShopOrder } from "../shared/order.ts";
import type { CancelledOrder, OrderCancelPreview } from "../shared/order-cancel.ts";
import type { Checkout } from "../shared/terms.ts";

// What the shop's API answers, as far as it is used. Anything else is trouble, never a guess.

const minor = z.int().min(0);
const instant = z.string().refine((text) => parseInstant(text).ok);
const addressShape = z.object({ id: z.string().min(1), label: z.string(), lines: z.array(z.string()).min(1) });
const instrumentShape = z.object({ id: z.string().min(1), label: z.string().min(1) });
const priced = {
  currency: z.string().refine((code) => currencyDigits(code).ok),
  lines: z.array(z.object({ sku: z.string(), title: z.string(), quantity: z.int().min(1), unit_minor: minor })).min(1),
  delivery: z.object({ id: z.string(), title: z.string(), price_minor: minor }),
  total_minor: minor,
  address: addressShape,
  instrument: instrumentShape,
};

export const quoteShape = z.object({ quote_id: z.string().min(1), ...priced }).transform(({ quote_id, ...shown }) => ({
  quoteId: quote_id,
  checkout: checkoutOf(shown),
}));
export type Quote = z.infer<typeof quoteShape>;

export const orderShape = z
  .object({ number: z.string().regex(ORDER_NUMBER), placed_at: instant, status: z.string(), ...priced })
  .transform(
    (order): ShopOrder => ({
      number: order.number,
      placedAt: order.placed_at,
      status: order.status,
      currency: order.currency,
      totalMinor: order.total_minor,
      lines: order.lines.map(lineOf),
    }),
  );
export const ordersShape = z.object({ orders: z.array(orderShape) }).transform(({ orders }) => orders);

const stock = z.enum(["in_stock", "sold_out"]);
const shownCurrency = z.string().refine((code) => currencyDigits(code).ok);

export const itemShape = z
  .object({
    sku: z.string().min(1),
    title: z.string().min(1),
    description: z.string(),
    unit_minor: minor,
    currency: shownCurrency,
    stock,
    quantity_max: z.int().min(1),
  })
  .transform(
    (item): ShopItem => ({
      sku: item.sku,
      title: item.title,
      description: item.description,
      currency: item.currency,
      unitMinor: item.unit_minor,
      isAvailable: item.stock === "in_stock",
      ...(item.stock === "in_stock" ? { quantityMax: item.quantity_max } : {}),
    }),
  );

export const wishlistShape = z
  .object({
    items: z.array(
      z.object({
        sku: z.string().min(1),
        title: z.string().min(1),
        added_at: instant,
        unit_minor: minor,
        currency: shownCurrency,
        stock,
      }),
    ),
  })
  .transform(({ items }) =>
    items.map(
      (wish): ShopWish => ({
        sku: wish.sku,
        title: wish.title,
        addedAt: wish.added_at,
        currency: wish.currency,
        unitMinor: wish.unit_minor,
        isAvailable: wish.stock === "in_stock",
      }),
    ),
  );

export const orderCancelPreviewShape = z
  .object({
    number: z.string().regex(ORDER_NUMBER),
    currency: shownCurrency,
    paid_minor: minor,
    refund_minor: minor,
    kept_minor: minor,
    refund_to: z.string().min(1),
    consequence: z.string().min(1),
    lines: z.array(z.object({ sku: z.string(), title: z.string(), quantity: z.int().min(1) })).min(1),
  })
  .transform(
    (shown): OrderCancelPreview => ({
      number: shown.number,
      currency: shown.currency,
      paidMinor: shown.paid_minor,
      refundMinor: shown.refund_minor,
      keptMinor: shown.kept_minor,
      refundTo: shown.refund_to,
      consequence: shown.consequence,
      lines: shown.lines,
    }),
  );

/** Whether an order stands, or was called off and at what terms. */
export const orderStandingShape = z
  .object({
    number: z.string().regex(ORDER_NUMBER),
    currency: shownCurrency,
    status: z.string().min(1),
    cancellation: z
      .object({
        reference: z.string().min(1),
        refund_minor: minor,
        kept_minor: minor,
        client_reference: z.string().exactOptional(),
      })
      .exactOptional(),
  })
  .refine((order) => (order.status === "cancelled") === (order.cancellation !== undefined))
  .transform(({ number, currency, cancellation }) => ({
    number,
    cancelled:
      cancellation === undefined
        ? undefined
        : ({
            number,
            currency,
            reference: cancellation.reference,
            refundMinor: cancellation.refund_minor,
            keptMinor: cancellation.kept_minor,
            ...(cancellation.client_reference === undefined ? {} : { requested: cancellation.client_reference }),
          } satisfies CancelledOrder),
  }));

export const profileShape = z
  .object({
    name: z.string().min(1),
    email_masked: z.string().min(1),
    addresses: z.array(addressShape),
    instruments: z.array(instrumentShape),
  })
  .transform(({ email_masked: email, addresses, ...rest }) => ({
    ...rest,
    email,
    addresses: addresses.map(({ id, label, lines }) => ({ id, label, text: lines.join(", ") })),
  }));

export const membershipShape = z.discriminatedUnion("status", [
  z.object({ status: z.literal("active"), plan: z.string() }),
  z.object({
    status: z.literal("cancelled"),
    plan: z.string(),
    ends_at: instant,
    cancelled_at: instant,
    cancellation_reference: z.string().min(1),
  }),
]);

export const previewShape = z
  .object({
    preview_id: z.string().min(1),
    plan: z.string().min(1),
    ends_at: instant,
    consequences: z.array(z.string()).min(1),
  })
  .transform(({ preview_id, ends_at, plan, consequences }) => ({
    previewId: preview_id,
    cancellation: { plan, endsAt: ends_at, consequences },
  }));

const errorShape = z.object({ error: z.string() });

/** The code of one of the shop's own refusals. */
export function errorCode(answer: { readonly json?: Json }): string | undefined {
  const parsed = errorShape.safeParse(answer.json);
  return parsed.success ? parsed.data.error : undefined;
}

type Shown = z.output<z.ZodObject<typeof priced>>;

function checkoutOf(shown: Shown): Checkout {
  const { currency, lines, delivery, total_minor: totalMinor, address, instrument } = shown;
  return {
    currency,
    lines: lines.map(lineOf),
    delivery: { id: delivery.id, title: delivery.title, priceMinor: delivery.price_minor },
    totalMinor,
    address: { id: address.id, text: address.lines.join(", ") },
    instrument,
    note: "",
  };
}

function lineOf(line: Shown["lines"][number]): ShopOrder["lines"][number] {
  return { sku: line.sku, title: line.title, quantity: line.quantity, unitMinor: line.unit_minor };
}
