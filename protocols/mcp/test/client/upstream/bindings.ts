import { type Bindings, bindings } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { toolDigest } from "../../../src/client/index.ts";
import { UpstreamShop } from "./shop.ts";
import { shopTools } from "./tools.ts";

/** The digests of the shop's tools as they are without any switch: what an operator notes when they look at them. */
export async function toolDigests(): Promise<Readonly<Record<string, string>>> {
  const handler = createMcpHandler(() => shopTools(new UpstreamShop(), { note: "", lies: false, textOnly: false }));
  const client = new Client({ name: "operator", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://upstream.test/mcp"), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    }),
  );
  const { tools } = await client.listTools();
  const digests = await Promise.all(
    tools.map(async (tool) => [tool.name, await toolDigest(tool as unknown as JsonObject)] as const),
  );
  await client.close();
  return Object.fromEntries(digests);
}

/** The shop's tools bound to the catalogue, as a settings file holds it. */
export async function shopBindings(): Promise<Bindings> {
  const digests = await toolDigests();
  const call = (name: string, args: JsonObject = {}) => ({ name, digest: digests[name] ?? "", arguments: args });
  const minor = (at: string) => ({ $minor: at, $currency: "/answer/currency" });
  const terms = {
    terms: {
      payee: { $from: "/destination/host" },
      currency: { $from: "/answer/currency" },
      minor_digits: { $digits: "/answer/currency" },
      total_minor: minor("/answer/total"),
      lines: [
        {
          $each: "/answer/lines",
          $as: {
            kind: "item",
            ref: { $from: "/item/sku" },
            title: { $from: "/item/title" },
            quantity: { $from: "/item/quantity" },
            unit_minor: { $minor: "/item/price", $currency: "/answer/currency" },
          },
        },
        {
          kind: "delivery",
          ref: { $from: "/answer/delivery/id" },
          title: { $from: "/answer/delivery/title" },
          quantity: 1,
          unit_minor: minor("/answer/delivery/price"),
        },
      ],
      instrument: { $from: "/answer/card" },
      fulfillment_ref: { $from: "/parameters/fulfillment_ref" },
    },
    personal: { ship_to: { $from: "/answer/address" } },
  };
  const outcome = (order: string, currency: string) => ({
    confirmation: { $from: `${order}/number` },
    result: {
      order_number: { $from: `${order}/number` },
      currency: { $from: currency },
      total_minor: { $minor: `${order}/total`, $currency: currency },
      placed_at: { $from: `${order}/placed_at` },
    },
    observed: { currency: { $from: currency }, total_minor: { $minor: `${order}/total`, $currency: currency } },
  });
  const wanted = (order: string) => [
    { value: { $from: `${order}/sku` }, is: { $from: "/parameters/item_ref" } },
    { value: { $from: `${order}/quantity` }, is: { $from: "/parameters/quantity" } },
  ];
  return bindings.parse({
    identity: {
      call: call("whoami"),
      name: { $from: "/answer/name" },
      key: { $from: "/answer/id" },
      details: [
        {
          kind: "fulfillment",
          each: "/answer/addresses",
          site_key: { $from: "/item/id" },
          label: { $from: "/item/label" },
          value: { text: { $text: [{ $each: "/item/lines", $as: { $from: "/item" } }], $between: ", " } },
        },
      ],
    },
    reads: [
      {
        operation: "retail.orders.list",
        call: call("orders", { limit: { $from: "/parameters/limit" } }),
        result: {
          orders: {
            $each: "/answer/orders",
            $as: {
              order_number: { $from: "/item/number" },
              placed_at: { $from: "/item/placed_at" },
              status: "placed",
              currency: { $from: "/item/currency" },
              total_minor: { $minor: "/item/total", $currency: "/item/currency" },
              lines: [
                {
                  ref: { $from: "/item/sku" },
                  title: { $from: "/item/title" },
                  quantity: { $from: "/item/quantity" },
                  unit_minor: 0,
                },
              ],
            },
          },
        },
      },
    ],
    commits: [
      {
        operation: "retail.order.submit",
        details: ["fulfillment_ref"],
        terms: {
          call: call("quote", {
            sku: { $from: "/parameters/item_ref" },
            quantity: { $from: "/parameters/quantity" },
            address: { $from: "/details/fulfillment_ref/site_key" },
          }),
          refused: [{ when: [{ value: { $from: "/answer/code" }, is: "sold_out" }], why: "the item is sold out" }],
          keep: { quote_id: { $from: "/answer/quote_id" } },
          ...terms,
        },
        look: { call: call("quote_get", { quote_id: { $from: "/kept/quote_id" } }), ...terms },
        commit: {
          call: call("order", { quote_id: { $from: "/kept/quote_id" }, reference: { $from: "/key" } }),
          confirmed: { when: wanted("/answer/order"), ...outcome("/answer/order", "/answer/order/currency") },
          refused: [{ when: [{ value: { $from: "/answer/code" }, is: "sold_out" }], why: "the item is sold out" }],
        },
        read_back: {
          call: call("orders", { limit: 50 }),
          each: "/answer/orders",
          id: "/item/number",
          at: "/item/placed_at",
          match: [...wanted("/item"), { value: { $from: "/item/reference" }, is: { $from: "/key" } }],
          found: outcome("/item", "/item/currency"),
          absent: "not_done",
        },
      },
    ],
  });
}
