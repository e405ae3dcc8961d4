import { randomBytes } from "node:crypto";
import { copyFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, killGroup, launch, signal, ToolError, tail, waitUntil } from "../processes/processes.ts";
import { makeRunFolder } from "../processes/run-folder.ts";
import { ask, type Data } from "./graphql.ts";
import { ensureInstalled } from "./install.ts";
import { sessionsEndMs, shopReadyMs } from "./limits.ts";

const program = fileURLToPath(new URL("./shop/server.mjs", import.meta.url));

export interface NewCustomer {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly password: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
}

export interface ShopOrder {
  readonly code: string;
  readonly state: string;
  readonly totalMinor: number;
  readonly items: readonly { readonly ref: string; readonly quantity: number }[];
}

/** The card's bank declines this total: three lamps and their delivery. */
export const declinedTotalMinor = 14_863;

/** A running shop, seen as its merchant sees it. */
export interface VendureShop {
  readonly origin: string;
  /** With an address in their book. @returns the shop's id of the address. */
  addCustomer(customer: NewCustomer): Promise<string>;
  /** In minor units without tax, as the merchant may at any time. */
  setPrice(sku: string, minor: number): Promise<void>;
  /** Orders that are placed, oldest first. */
  orders(): Promise<readonly ShopOrder[]>;
  /** What lies in carts now. */
  carts(): Promise<readonly ShopOrder[]>;
  /** Ends the sessions of all customers. */
  endSessions(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real Vendure with three products, one way of delivery and one to pay, installing it first when need be.
 * Everything is in memory; nothing of an earlier start is left.
 * @throws {ToolError}
 */
export async function startVendure(): Promise<VendureShop> {
  const app = await ensureInstalled();
  const run = await makeRunFolder("vendure");
  try {
    // Beside the packages, so that Node finds them; the newest of the program, whatever is in the cache.
    const server = join(app, "server.mjs");
    await copyFile(program, server);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const password = randomBytes(12).toString("hex");
    const logFile = join(run.path, "shop.log");
    const running = await launch({
      command: process.execPath,
      args: [server, String(port), run.path],
      cwd: app,
      logFile,
      env: {
        MERCHANT_PASSWORD: password,
        DECLINED_AT_MINOR: String(declinedTotalMinor),
        VENDURE_DISABLE_TELEMETRY: "true",
      },
    });
    run.keeper.keep("group", running.pid);
    const isReady = async () => (await stat(join(run.path, "ready")).catch(() => undefined)) !== undefined;
    await waitUntil("Starting Vendure", shopReadyMs, isReady, running.gone).catch(async (cause: unknown) => {
      const said = await tail(logFile);
      await killGroup(running.pid);
      throw new ToolError(`${cause instanceof Error ? cause.message : String(cause)}\n${said}`);
    });
    const merchant = await signInMerchant(origin, password);
    return shopOn(origin, merchant, running.pid, run.path, async () => {
      await killGroup(running.pid);
      await run.remove();
    });
  } catch (cause) {
    await run.remove();
    throw cause;
  }
}

type Asks = (query: string, variables?: Data) => Promise<Data>;

async function signInMerchant(origin: string, password: string): Promise<Asks> {
  const login = `mutation($password: String!) { login(username: "merchant", password: $password) { __typename } }`;
  const { token } = await ask(`${origin}/admin-api`, login, { password });
  if (token === undefined) throw new ToolError("Vendure did not let its merchant in.");
  return async (query, variables = {}) => (await ask(`${origin}/admin-api`, query, variables, token)).data;
}

function shopOn(origin: string, merchant: Asks, pid: number, folder: string, stop: () => Promise<void>): VendureShop {
  const list = async (active: boolean) => {
    const data = await merchant(
      `query($active: Boolean!) { orders(options: { take: 100, sort: { id: ASC }, filter: { active: { eq: $active } } }) {
        items { code state totalWithTax lines { quantity productVariant { sku product { slug } } } } } }`,
      { active },
    );
    const { items } = data["orders"] as { items: readonly Row[] };
    return items.map(toOrder);
  };
  return {
    origin,
    stop,
    orders: () => list(false),
    carts: async () => (await list(true)).filter(({ items }) => items.length > 0),
    async addCustomer(customer) {
      const { firstName, lastName, email: emailAddress, password, street, city, postalCode } = customer;
      const made = await merchant(
        `mutation($input: CreateCustomerInput!, $password: String!) {
          createCustomer(input: $input, password: $password) { ... on Customer { id } } }`,
        { input: { firstName, lastName, emailAddress }, password },
      );
      const { id } = made["createCustomer"] as { id: string };
      const input = { fullName: `${firstName} ${lastName}`, streetLine1: street, city, postalCode, countryCode: "DE" };
      const added = await merchant(
        `mutation($id: ID!, $input: CreateAddressInput!) { createCustomerAddress(customerId: $id, input: $input) { id } }`,
        { id, input: { ...input, defaultShippingAddress: true } },
      );
      return (added["createCustomerAddress"] as { id: string }).id;
    },
    async setPrice(sku, minor) {
      const found = await merchant(
        `query($sku: String!) { productVariants(options: { filter: { sku: { eq: $sku } } }) { items { id } } }`,
        { sku },
      );
      const [variant] = (found["productVariants"] as { items: readonly { id: string }[] }).items;
      if (variant === undefined) throw new ToolError(`The shop has no ${sku}.`);
      const input = [{ id: variant.id, price: minor }];
      await merchant(
        `mutation($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }`,
        {
          input,
        },
      );
    },
    async endSessions() {
      const told = join(folder, "sessions-ended");
      await rm(told, { force: true });
      signal(pid, "SIGCONT");
      const ended = async () => (await stat(told).catch(() => undefined)) !== undefined;
      await waitUntil("Ending the sessions", sessionsEndMs, ended, () => false);
    },
  };
}

interface Variant {
  readonly sku: string;
  readonly product: { readonly slug: string };
}

interface Row {
  readonly code: string;
  readonly state: string;
  readonly totalWithTax: number;
  readonly lines: readonly { readonly quantity: number; readonly productVariant: Variant }[];
}

function toOrder({ code, state, totalWithTax, lines }: Row): ShopOrder {
  const items = lines.map(({ quantity, productVariant: { sku, product } }) => ({
    ref: `${product.slug}/${sku}`,
    quantity,
  }));
  return { code, state, totalMinor: totalWithTax, items };
}
