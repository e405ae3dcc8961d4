import type { Json } from "@countersign/wire";

/** An amount that is made unreadable wherever a site writes it. */
export interface Spoiling {
  readonly minor: number;
  readonly digits: number;
}

/**
 * Turns each spelling of one amount into something that no strict reader takes: as a text it gets a group of three after
 * its decimal sign (`54,80` becomes `1,234`: two amounts, by who reads it), as a number a fraction of the smallest unit.
 */
export function spoilAmounts(text: string, spoiling: Spoiling): string {
  try {
    return JSON.stringify(spoilJson(JSON.parse(text) as Json, spoiling));
  } catch {
    return spoilText(text, spoiling);
  }
}

function spoilJson(value: Json, spoiling: Spoiling): Json {
  if (typeof value === "number") {
    if (value === spoiling.minor) return value + 0.5;
    return value === spoiling.minor / 10 ** spoiling.digits ? Number(`${value.toFixed(spoiling.digits)}5`) : value;
  }
  if (typeof value === "string") return value === String(spoiling.minor) ? `${value}.5` : spoilText(value, spoiling);
  if (Array.isArray(value)) return value.map((row) => spoilJson(row as Json, spoiling));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spoilJson(member as Json, spoiling)]));
}

function spoilText(text: string, { minor, digits }: Spoiling): string {
  const figures = String(minor).padStart(digits + 1, "0");
  const whole = figures.slice(0, figures.length - digits);
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, "[.,'’ \\u00a0\\u202f]?");
  if (digits === 0) return text;
  const spelt = new RegExp(`(?<![0-9.,])${grouped}([.,])${figures.slice(-digits)}(?![0-9]|[.,][0-9])`, "g");
  return text.replace(spelt, "1$1234");
}

/** Every amount in minor units below a value, with the digits of the currency that stands beside it. */
export function amountsOf(value: Json, digitsOf: (code: string) => number | undefined, above = 2): readonly Spoiling[] {
  if (Array.isArray(value)) return value.flatMap((row) => amountsOf(row as Json, digitsOf, above));
  if (typeof value !== "object" || value === null) return [];
  const object = value as { readonly [name: string]: Json };
  const { currency } = object;
  const digits = (typeof currency === "string" ? digitsOf(currency) : undefined) ?? above;
  const found = Object.entries(object).flatMap(([name, member]) =>
    name.endsWith("_minor") && typeof member === "number" && member > 0
      ? [{ minor: member, digits }]
      : amountsOf(member as Json, digitsOf, digits),
  );
  return found.filter((one, at) => found.findIndex((other) => other.minor === one.minor) === at);
}
