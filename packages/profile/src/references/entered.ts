// What an account holder enters at the gateway so that a request can name it by reference (REQ-2, REQ-4): a place to
// deliver to, an address that a site keeps of them, how a site reaches them. The same check runs at the page, which says
// what is wrong beside the field, and at the gateway, which takes nothing else.

/** The kinds of references that a person enters themselves. */
export const ENTERED_KINDS = ["fulfillment", "address", "contact"] as const;
export type EnteredKind = (typeof ENTERED_KINDS)[number];

/** Why a field is refused; the words stand where they are shown. */
export type FieldProblem =
  | "missing"
  | "unknown_field"
  | "one_of_both"
  | "email"
  | "phone_plus"
  | "phone_trunk_zero"
  | "phone_digits"
  | "phone_length"
  | "country"
  | "label_tells";

export interface FieldRefusal {
  readonly field: string;
  readonly problem: FieldProblem;
}

const EMAIL_CHARS_MAX = 254;
const LOCAL_CHARS_MAX = 64;
/** E.164: fifteen digits with the country's; no country has shorter numbers than seven with it. */
const PHONE_DIGITS_MIN = 7;
const PHONE_DIGITS_MAX = 15;

/** One plain address: no name, no quoted part, no other script. What is left has one reading (RFC 5321). */
const EMAIL =
  /^([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*)@((?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9]))$/;

/** Why this is no e-mail address that a site can be told; undefined when it is one. */
export function emailProblem(text: string): FieldProblem | undefined {
  if (text === "") return "missing";
  const local = EMAIL.exec(text)?.[1];
  return local !== undefined && local.length <= LOCAL_CHARS_MAX && text.length <= EMAIL_CHARS_MAX ? undefined : "email";
}

/** Why this is no telephone number in the form of E.164 (`+353861234567`); undefined when it is one. */
export function phoneProblem(text: string): FieldProblem | undefined {
  if (text === "") return "missing";
  if (!text.startsWith("+") || text.startsWith("+0")) return "phone_plus";
  const digits = text.slice(1);
  if (digits.includes("(0)")) return "phone_trunk_zero";
  if (!/^[0-9]*$/.test(digits)) return "phone_digits";
  return digits.length >= PHONE_DIGITS_MIN && digits.length <= PHONE_DIGITS_MAX ? undefined : "phone_length";
}

/** A number as people write it, `+353 86 123-4567`, without what is between its digits. A `(0)` stays: it is no digit to dial. */
export function plainPhone(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes("(0)") ? trimmed : trimmed.replace(/[\s().\-/]/g, "");
}

const ADDRESS_NEEDS = ["full_name", "address_1", "city", "country"] as const;
const ADDRESS_MAY = ["address_2", "postcode", "province", "telephone"] as const;

/** Why these texts are no value of such a reference; empty when they are one. A delivery address is as its site wants it. */
export function enteredProblems(kind: EnteredKind, value: Readonly<Record<string, string>>): readonly FieldRefusal[] {
  switch (kind) {
    case "fulfillment":
      return [];
    case "address":
      return addressProblems(value);
    case "contact":
      return contactProblems(value);
  }
}

/**
 * Whether the name of a reference tells what it stands for: agents read the name, and never what is behind it. Only what
 * nobody takes for a name is looked for: the street, the e-mail address, the number.
 */
export function labelTells(kind: EnteredKind, label: string, value: Readonly<Record<string, string>>): boolean {
  if (kind === "fulfillment") return false;
  const telling = kind === "address" ? [value["address_1"]] : Object.values(value);
  const plain = (text: string) => text.toLowerCase().replace(/[\s().\-/]/g, "");
  return telling.some((text) => text !== undefined && text !== "" && plain(label).includes(plain(text)));
}

function addressProblems(value: Readonly<Record<string, string>>): readonly FieldRefusal[] {
  const known: readonly string[] = [...ADDRESS_NEEDS, ...ADDRESS_MAY];
  const refused: FieldRefusal[] = Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, problem: "unknown_field" }));
  for (const field of ADDRESS_NEEDS)
    if ((value[field] ?? "").trim() === "") refused.push({ field, problem: "missing" });
  const { country = "", telephone } = value;
  // ISO 3166: a site that keeps addresses has a list of countries, and their names are written in many ways.
  if (country.trim() !== "" && !/^[A-Z]{2}$/.test(country)) refused.push({ field: "country", problem: "country" });
  const phone = telephone === undefined ? undefined : phoneProblem(telephone);
  if (phone !== undefined) refused.push({ field: "telephone", problem: phone });
  return refused;
}

function contactProblems(value: Readonly<Record<string, string>>): readonly FieldRefusal[] {
  const [only, ...others] = Object.entries(value);
  if (only === undefined || others.length > 0) return [{ field: only?.[0] ?? "email", problem: "one_of_both" }];
  const [field, text] = only;
  if (field !== "email" && field !== "phone") return [{ field, problem: "unknown_field" }];
  const problem = field === "email" ? emailProblem(text) : phoneProblem(text);
  return problem === undefined ? [] : [{ field, problem }];
}
