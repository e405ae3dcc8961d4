import type { JsonObject } from "@countersign/plugin/site";
import type { Address, Order } from "./shapes.ts";

type Parts = Omit<Address, "id" | "country"> & { readonly countryCode: string };

function lineOf(parts: Partial<{ [name in keyof Parts]: string | null | undefined }>): string {
  const { fullName, company, streetLine1, streetLine2, postalCode, city, province, countryCode } = parts;
  const town = [postalCode, city].filter(Boolean).join(" ");
  return [fullName, company, streetLine1, streetLine2, town, province, countryCode].filter(Boolean).join(", ");
}

/** An address of the customer's book in one line. */
export function addressText({ country, ...rest }: Address): string {
  return lineOf({ ...rest, countryCode: country.code });
}

/** Where an order goes, as the order itself says. */
export function shipsTo(order: Order): string {
  return lineOf(order.shippingAddress ?? {});
}

/** The address as an order takes it. */
export function addressInput({ id: _, country, ...rest }: Address): JsonObject {
  const parts = Object.entries({ ...rest, countryCode: country.code });
  return Object.fromEntries(parts.filter((part): part is [string, string] => typeof part[1] === "string"));
}
