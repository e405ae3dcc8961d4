import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { copyCluster, type Row } from "../postgres/cluster.ts";
import { freePort, ToolError } from "../processes/processes.ts";
import { makeRunFolder } from "../processes/run-folder.ts";
import { startCluster } from "./cluster.ts";
import { cacheFolder, ensureInstalled } from "./install.ts";
import { saying } from "./saying.ts";
import { startStorefront } from "./storefront.ts";

export interface EverShopOptions {
  readonly port?: number;
  /** The origin that the shop's own links and redirects name: the proxy's, when the test comes through one. */
  readonly publicOrigin?: string;
}

export interface NewCustomer {
  readonly fullName: string;
  readonly email: string;
  readonly password: string;
}

export interface ShopOrder {
  readonly orderNumber: string;
  readonly uuid: string;
  /** Decimal text in `currency`, as the shop stored it: `35.0000`. */
  readonly grandTotal: string;
  readonly currency: string;
  readonly customerEmail: string;
  readonly shippingNote: string | undefined;
  readonly paymentMethod: string;
  readonly status: string;
  /** When the *cart* was made; `placedAt` is when the order was (both from the shop's clock). */
  readonly createdAt: Date;
  readonly placedAt: Date | undefined;
  readonly items: readonly ShopOrderItem[];
}

export interface ShopOrderItem {
  readonly sku: string;
  readonly name: string;
  readonly qty: number;
  /** Decimal text. */
  readonly finalPrice: string;
}

export interface ShopProduct {
  readonly sku: string;
  readonly name: string;
  /** Decimal text in US dollars. */
  readonly price: string;
  /** Of the product page, from the origin. */
  readonly path: string;
  /** The variant that this SKU is. */
  readonly color: string | undefined;
}

export interface EverShop {
  /** Where the storefront listens, `http://127.0.0.1:<port>`. */
  readonly origin: string;
  sql(query: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Registers a customer as the shop's own page does. @returns the shop's uuid. @throws {ToolError} */
  addCustomer(customer: NewCustomer): Promise<string>;
  /** Changes a price, a decimal text such as `16.50`, as the merchant may at any time. @throws {ToolError} for no such SKU. */
  setPrice(sku: string, amount: string): Promise<void>;
  /** Every order in the shop, oldest first. */
  orders(): Promise<readonly ShopOrder[]>;
  products(): Promise<readonly ShopProduct[]>;
  /** Ends every process of this shop and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a real EverShop on a database of its own, installing it first when need be. Every start has the same fifteen
 * products, no customers and no orders.
 * @throws {ToolError}
 */
export async function startEverShop(options: EverShopOptions = {}): Promise<EverShop> {
  const { app, template } = await ensureInstalled();
  const run = await makeRunFolder("evershop");
  const undo: (() => Promise<void>)[] = [() => run.remove()];
  const stop = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    await copyCluster(template, run.path);
    const cluster = await startCluster(app, run.path, (pid) => run.keeper.keep("postgres", pid));
    undo.push(() => cluster.discard());
    const port = options.port ?? (await freePort());
    const publicOrigin = options.publicOrigin ?? `http://127.0.0.1:${port}`;
    const storefront = await saying(
      "starting the shop",
      startStorefront({ app, run: run.path, cluster, port, publicOrigin }, (pid) => run.keeper.keep("group", pid)),
    );
    undo.push(() => storefront.stop());
    return shopOn(storefront.origin, cluster.query, stop);
  } catch (cause) {
    const log = join(cacheFolder(), "last-failure.log");
    await copyFile(join(run.path, "storefront.log"), log).catch(() => {});
    await stop();
    throw cause;
  }
}

function shopOn(origin: string, sql: EverShop["sql"], stop: () => Promise<void>): EverShop {
  return {
    origin,
    sql,
    stop,
    addCustomer: (customer) => addCustomer(origin, customer),
    setPrice: async (sku, amount) => {
      const changed = await sql("UPDATE product SET price = $2::numeric WHERE sku = $1 RETURNING sku", [sku, amount]);
      if (changed.length !== 1) throw new ToolError(`The shop has no product ${sku}.`);
    },
    orders: async () => (await sql(ordersSql)).map(toOrder),
    products: async () => (await sql(productsSql)).map(toProduct),
  };
}

let registrations = 0;

async function addCustomer(origin: string, customer: NewCustomer): Promise<string> {
  registrations += 1;
  // Registrations are limited to eight in fifteen minutes from one address; each of ours has its own.
  const from = `203.0.${Math.floor(registrations / 250) % 250}.${(registrations % 250) + 1}`;
  const answer = await fetch(`${origin}/api/customers`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ full_name: customer.fullName, email: customer.email, password: customer.password }),
  });
  const body = (await answer.json()) as { readonly data?: { readonly uuid?: unknown } };
  const uuid = body.data?.uuid;
  if (!answer.ok || typeof uuid !== "string") {
    throw new ToolError(`The shop did not register ${customer.email} (status ${answer.status}).`);
  }
  return uuid;
}

const ordersSql = `
SELECT o.order_number, o.uuid, o.grand_total::text AS grand_total, o.currency, o.customer_email, o.shipping_note,
  o.payment_method, o.status, o.created_at,
  (SELECT min(a.created_at) FROM order_activity a WHERE a.order_activity_order_id = o.order_id) AS placed_at,
  (SELECT coalesce(json_agg(json_build_object('sku', i.product_sku, 'name', i.product_name, 'qty', i.qty,
     'final_price', i.final_price::text) ORDER BY i.order_item_id), '[]'::json)
   FROM order_item i WHERE i.order_item_order_id = o.order_id) AS items
FROM "order" o ORDER BY o.order_id`;

const productsSql = `
SELECT p.sku, d.name, p.price::text AS price, u.request_path AS path,
  (SELECT v.option_text FROM product_attribute_value_index v JOIN attribute a ON a.attribute_id = v.attribute_id
   WHERE v.product_id = p.product_id AND a.attribute_code = 'color') AS color
FROM product p
JOIN product_description d ON d.product_description_product_id = p.product_id
JOIN url_rewrite u ON u.entity_uuid = p.uuid
ORDER BY p.product_id`;

function toOrder(row: Row): ShopOrder {
  const items = row["items"] as readonly Row[];
  return {
    orderNumber: String(row["order_number"]),
    uuid: String(row["uuid"]),
    grandTotal: String(row["grand_total"]),
    currency: String(row["currency"]),
    customerEmail: String(row["customer_email"]),
    shippingNote: text(row["shipping_note"]),
    paymentMethod: String(row["payment_method"]),
    status: String(row["status"]),
    createdAt: row["created_at"] as Date,
    placedAt: row["placed_at"] instanceof Date ? row["placed_at"] : undefined,
    items: items.map((item) => ({
      sku: String(item["sku"]),
      name: String(item["name"]),
      qty: Number(item["qty"]),
      finalPrice: String(item["final_price"]),
    })),
  };
}

function toProduct(row: Row): ShopProduct {
  return {
    sku: String(row["sku"]),
    name: String(row["name"]),
    price: String(row["price"]),
    path: String(row["path"]),
    color: text(row["color"]),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
