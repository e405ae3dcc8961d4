import { randomUUID } from "node:crypto";

export interface Order {
  readonly number: string;
  readonly placed_at: string;
  readonly sku: string;
  readonly title: string;
  readonly quantity: number;
  readonly currency: string;
  /** As a shop of this kind writes it. */
  readonly total: string;
  readonly reference: string;
}

interface Quote {
  readonly sku: string;
  readonly quantity: number;
  readonly address: string;
}

const ITEMS: Readonly<Record<string, { readonly title: string; readonly cents: number }>> = {
  "TL-200": { title: "Trail Lamp 200", cents: 4490 },
  "BK-7": { title: "Bike Bell", cents: 1250 },
};
const DELIVERY_CENTS = 500;
const money = (cents: number) => (cents / 100).toFixed(2);

/** A small shop that an MCP server stands in front of: quotes, orders that count, one customer a token. */
export class UpstreamShop {
  readonly orders: Order[] = [];
  /** Added to each price from now on. */
  extraCents = 0;
  soldOut = false;
  /** A shop that takes no reference knows no repetition by it. */
  knowsReferences = true;
  readonly #quotes = new Map<string, Quote>();

  readonly customer = {
    id: "cus_77",
    name: "Ada Brook (a…@example.org)",
    addresses: [{ id: "adr_1", label: "Home", lines: ["1 Brook Lane", "Leeds"] }],
    card: "Visa ending 4242",
  };

  quote(wish: Quote): string | undefined {
    if (ITEMS[wish.sku] === undefined || this.soldOut) return undefined;
    const id = `q_${randomUUID()}`;
    this.#quotes.set(id, wish);
    return id;
  }

  look(id: string) {
    const wish = this.#quotes.get(id);
    const item = wish === undefined ? undefined : ITEMS[wish.sku];
    if (wish === undefined || item === undefined) return undefined;
    const cents = item.cents + this.extraCents;
    const address = this.customer.addresses.find((one) => one.id === wish.address);
    return {
      quote_id: id,
      currency: "EUR",
      lines: [{ sku: wish.sku, title: item.title, quantity: wish.quantity, price: money(cents) }],
      delivery: { id: "standard", title: "Standard delivery", price: money(DELIVERY_CENTS) },
      total: money(cents * wish.quantity + DELIVERY_CENTS),
      address: (address?.lines ?? []).join(", "),
      card: this.customer.card,
    };
  }

  order(quoteId: string, reference: string): Order | "sold_out" | "quote_gone" {
    const shown = this.look(quoteId);
    const [line] = shown?.lines ?? [];
    if (shown === undefined || line === undefined) return "quote_gone";
    if (this.soldOut) return "sold_out";
    const known = this.orders.find((order) => order.reference === reference);
    if (known !== undefined && this.knowsReferences) return known;
    this.#quotes.delete(quoteId);
    const order: Order = {
      number: `UP-${1000 + this.orders.length}`,
      placed_at: new Date().toISOString(),
      sku: line.sku,
      title: line.title,
      quantity: line.quantity,
      currency: shown.currency,
      total: shown.total,
      reference,
    };
    this.orders.push(order);
    return order;
  }
}
