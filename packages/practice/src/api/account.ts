import { type Answer, json } from "../http/reply.ts";
import { maskEmail } from "../pages/account.ts";
import { currentProducts } from "../shop/catalogue.ts";
import { currentDeliveries } from "../shop/pricing.ts";
import { ADDRESSES, INSTRUMENTS } from "../shop/seed.ts";
import type { World } from "../shop/world.ts";
import { addressWire, deliveryWire, instrumentWire } from "./wire.ts";

export function showMe(world: World): Answer {
  return json(200, {
    name: world.user.name,
    email_masked: maskEmail(world.user.email),
    addresses: ADDRESSES.map(addressWire),
    instruments: INSTRUMENTS.map(instrumentWire),
    deliveries: currentDeliveries(world.switches.changes()).map(deliveryWire),
  });
}

export function showProducts(world: World): Answer {
  const products = currentProducts(world.switches.changes()).map((product) => ({
    sku: product.sku,
    title: product.title,
    unit_minor: product.unitMinor,
    currency: world.currency,
    stock: product.stock,
    variants: product.variants,
  }));
  return json(200, { products });
}
