import type { AccountDetail, Ctx } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import { assert, type JsonObject, ok } from "@countersign/wire";
import { ADDRESS_LINE_CHARS_MAX } from "./limits.ts";

/** What `retail.order.submit` asks for, as the catalogue has validated it. */
export interface OrderWish {
  /** Path of the product's own page without the first slash, as an identifier must be: `accessories/some-cup-white`. */
  readonly itemRef: string;
  readonly quantity: number;
  readonly fulfillmentRef: string;
}

export function orderWish(parameters: JsonObject): OrderWish {
  const { item_ref: itemRef, quantity, fulfillment_ref: fulfillmentRef } = parameters;
  assert(typeof itemRef === "string" && typeof quantity === "number", "parameters are as the catalogue says");
  assert(typeof fulfillmentRef === "string", "parameters are as the catalogue says");
  return { itemRef, quantity, fulfillmentRef };
}

/** Where the shop has pages of its own; a product is never there, and an agent's text opens none of them. */
const OWN_PAGES = new Set(["account", "admin", "api", "assets", "cart", "checkout", "images", "order", "search"]);

/** The product page that an `item_ref` names; undefined for what cannot be one. */
export function productPath(itemRef: string): string | undefined {
  const [first = "", ...rest] = itemRef.split("/");
  const isPath = rest.length > 0 && [first, ...rest].every((part) => /^[a-z0-9]+(?:-+[a-z0-9]+)*$/.test(part));
  return isPath && !OWN_PAGES.has(first) ? `/${itemRef}` : undefined;
}

/** An address as the shop's checkout asks for it. */
export interface Address {
  readonly fullName: string;
  readonly telephone: string;
  readonly street: string;
  readonly city: string;
  readonly province: string;
  readonly postcode: string;
  readonly country: string;
}

/** The address behind a request's opaque ref: entered by the person, since the checkout offers no saved one. */
export async function addressOf(ctx: Ctx, wish: OrderWish): Promise<Attempt<Address>> {
  const detail = await ctx.detail(wish.fulfillmentRef);
  if (detail?.kind !== "fulfillment") return gap("the delivery reference is no address of this account");
  const address = readAddress(detail.value);
  return address === undefined ? gap("the delivery address lacks something the shop asks for") : ok(address);
}

export function readAddress(value: AccountDetail["value"]): Address | undefined {
  const [fullName, telephone, street, city, province, postcode, country] = [
    value["full_name"],
    value["telephone"],
    value["address_1"],
    value["city"],
    value["province"],
    value["postcode"],
    value["country"],
  ].map(line);
  if (!fullName || !telephone || !street || !city || !province || !postcode || !country) return undefined;
  return { fullName, telephone, street, city, province, postcode, country };
}

function line(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > ADDRESS_LINE_CHARS_MAX) return undefined;
  const text = value.trim();
  return /\p{Cc}/u.test(text) ? undefined : text;
}

/** One text of an address, the same from what was typed and from what the shop shows. */
export function addressText(address: Address, street2: string): string {
  const { fullName, telephone, street, city, province, postcode, country } = address;
  const streets = street2 === "" ? [street] : [street, street2];
  return [fullName, ...streets, city, `${province} ${postcode}`, country, telephone].join(", ");
}
