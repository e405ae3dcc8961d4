/** The members of a delivery address, with what browsers call them (WHATWG autofill). */
export const ADDRESS_FIELDS = [
  { name: "full_name", autoComplete: "name", optional: false },
  { name: "telephone", autoComplete: "tel", optional: true },
  { name: "address_1", autoComplete: "address-line1", optional: false },
  { name: "city", autoComplete: "address-level2", optional: false },
  { name: "province", autoComplete: "address-level1", optional: true },
  { name: "postcode", autoComplete: "postal-code", optional: true },
  { name: "country", autoComplete: "country", optional: false },
] as const;

export type AddressMember = (typeof ADDRESS_FIELDS)[number]["name"];
export type AddressText = Readonly<Partial<Record<AddressMember, string>>>;

/** The value object of an address, without empty members; undefined while a needed one is empty. */
export function addressOf(text: AddressText): AddressText | undefined {
  const filled: Partial<Record<AddressMember, string>> = {};
  for (const { name, optional } of ADDRESS_FIELDS) {
    const value = text[name]?.trim() ?? "";
    if (value !== "") filled[name] = value;
    else if (!optional) return undefined;
  }
  return filled;
}
