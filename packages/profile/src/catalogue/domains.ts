import { assert } from "@countersign/wire";

/** The domains of the catalogue by the first word of an operation's id, in the order in which they are listed (MAP-6). */
export const DOMAINS: Readonly<Record<string, string>> = {
  retail: "Retail",
  banking: "Personal banking",
  utilities: "Utilities",
  insurance: "Insurance",
  healthcare: "Healthcare",
  subscription: "Subscriptions",
  account: "Account settings",
};

export function domainOf(operation: string): string {
  const title = DOMAINS[operation.split(".")[0] ?? ""];
  assert(title !== undefined, "every operation that ships belongs to a domain");
  return title;
}
