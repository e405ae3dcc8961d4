import { SiteTrouble } from "@countersign/plugin";
import type { ApiResponse } from "@countersign/route-http";
import type { Json } from "@countersign/wire";
import { z } from "zod";
import type { ShopOrder } from "../shared/orders.ts";

// What the practice shop's API answers, as far as it is used. Anything else is trouble, never a guess.
const line = z.object({ sku: z.string(), title: z.string(), quantity: z.int().min(1), unit_minor: z.int().min(0) });
const priced = {
  currency: z.string().length(3),
  lines: z.array(line).min(1),
  delivery: z.object({ id: z.string(), title: z.string(), price_minor: z.int().min(0) }),
  total_minor: z.int().min(0),
  address: z.object({ id: z.string(), label: z.string(), lines: z.array(z.string()) }),
  instrument: z.object({ id: z.string(), label: z.string() }),
};
export const quoteAnswer = z.object({ quote_id: z.string(), ...priced });
export type Quote = z.infer<typeof quoteAnswer>;
export const orderAnswer = z.object({ number: z.string(), placed_at: z.string(), status: z.string(), ...priced });
export const ordersAnswer = z.object({ orders: z.array(orderAnswer) });
export const meAnswer = z.object({
  name: z.string().min(1),
  email_masked: z.string(),
  addresses: z.array(z.object({ id: z.string(), label: z.string(), lines: z.array(z.string()) })),
  instruments: z.array(z.object({ id: z.string(), label: z.string() })),
});
export const membershipAnswer = z.object({
  plan: z.string(),
  status: z.string(),
  paid_until: z.string(),
  ends_at: z.string().nullish(),
  cancelled_at: z.string().nullish(),
  cancellation_reference: z.string().nullish(),
});
export type Membership = z.infer<typeof membershipAnswer>;
export const previewAnswer = z.object({
  preview_id: z.string(),
  plan: z.string(),
  ends_at: z.string(),
  consequences: z.array(z.string()),
});

/** The body of a good answer; `signed_out` when the shop no longer knows the token. */
export function readAnswer<T>(answer: ApiResponse, schema: z.ZodType<T>, expected: number): T | "signed_out" {
  if (answer.status === 401) return "signed_out";
  const parsed = answer.status === expected ? schema.safeParse(answer.json) : undefined;
  if (!parsed?.success) throw new SiteTrouble(`the shop's API answered ${answer.status}`);
  return parsed.data;
}

export function errorCode(json: Json | undefined): string | undefined {
  const parsed = z.object({ error: z.string() }).safeParse(json);
  return parsed.success ? parsed.data.error : undefined;
}

export function shopOrder(order: z.infer<typeof orderAnswer>): ShopOrder {
  return {
    number: order.number,
    placedAt: order.placed_at,
    status: order.status,
    currency: order.currency,
    totalMinor: order.total_minor,
    lines: order.lines.map((l) => ({ sku: l.sku, title: l.title, quantity: l.quantity, unitMinor: l.unit_minor })),
  };
}
