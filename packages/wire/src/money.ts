import { CURRENCY_DIGITS, CURRENCY_SIGNS } from "./currencies.ts";
import { AMOUNT_TEXT_MAX_CHARS } from "./limits.ts";
import { assert, err, ok, type Result } from "./result.ts";

/** An exact amount: `minor` whole units of the currency's smallest part (cents, yen, fils), `currency` by ISO 4217. */
export interface Money {
  readonly minor: number;
  readonly currency: string;
}

export type MinorProblem = "not_a_number" | "not_an_integer" | "negative" | "too_large";

/**
 * `malformed`: no amount. `bad_grouping`: thousands not set as thousands, so perhaps a decimal sign of another country.
 * `too_precise`: more decimals than the currency has. `wrong_currency`: a sign or code of another currency.
 */
export type MoneyProblem =
  | "unknown_currency"
  | "wrong_currency"
  | "malformed"
  | "bad_grouping"
  | "too_precise"
  | "negative"
  | "too_large";

/** Digits of the minor unit: 0 for JPY, 2 for EUR, 3 for KWD, 4 for CLF. Never guessed for a code not in the table. */
export function currencyDigits(code: string): Result<number, "unknown_currency"> {
  const digits = CURRENCY_DIGITS.get(code);
  return digits === undefined ? err("unknown_currency") : ok(digits);
}

/** A non-negative amount in minor units as it came in: a JSON integer up to 2^53-1, never a text, never a fraction. */
export function parseMinor(value: unknown): Result<number, MinorProblem> {
  if (typeof value !== "number" || Number.isNaN(value)) return err("not_a_number");
  if (value < 0 || Object.is(value, -0)) return err("negative");
  if (value > Number.MAX_SAFE_INTEGER) return err("too_large");
  return Number.isInteger(value) ? ok(value) : err("not_an_integer");
}

/** `code_after`: `44.90 EUR`. `code_before`: `EUR 44.90`. `amount`: `44.90`, where the currency stands beside it. */
export type MoneyStyle = "code_after" | "code_before" | "amount";

/**
 * The exact decimal, by moving the point in the digits; no grouping, `.` as point, the same in every locale.
 * @throws AssertionFailed for an unknown currency or an unsafe integer: both were refused where the amount came in.
 */
export function formatMoney(money: Money, style: MoneyStyle = "code_after"): string {
  const digits = currencyDigits(money.currency);
  assert(digits.ok, "formatMoney: a currency without a known minor unit");
  assert(Number.isSafeInteger(money.minor), "formatMoney: minor units that are no safe integer");
  const sign = money.minor < 0 ? "-" : "";
  const text = String(Math.abs(money.minor)).padStart(digits.value + 1, "0");
  const point = text.length - digits.value;
  const amount = sign + text.slice(0, point) + (digits.value > 0 ? `.${text.slice(point)}` : "");
  switch (style) {
    case "code_after":
      return `${amount} ${money.currency}`;
    case "code_before":
      return `${money.currency} ${amount}`;
    case "amount":
      return amount;
  }
}

export interface AmountFormat {
  /** The currency the page is known to sell in; another one's sign or code in the text is refused. */
  readonly currency: string;
  /** The page's decimal sign. Required: `1,234` means two different amounts, and guessing buys the wrong one. */
  readonly decimal: "." | ",";
}

const SPACES = "[ \\u00a0\\u2009\\u202f]";
const EDGE_SPACES = new RegExp(`^${SPACES}+|${SPACES}+$`, "g");

/**
 * Reads an amount as a page shows it (`€ 1.234,50`, `$44.90 USD`, `1 234,50 €`). Digits only, never through a double.
 * Thousands may be set with the other sign, an apostrophe or a space, in threes and one way throughout. Fewer decimals
 * than the currency has are filled with zeros (`80.6` is 80.60); more are refused, even if zero.
 */
export function parseAmountText(text: string, format: AmountFormat): Result<Money, MoneyProblem> {
  assert(format.decimal === "." || format.decimal === ",", "parseAmountText: the decimal sign must be stated");
  const digits = currencyDigits(format.currency);
  if (!digits.ok) return digits;
  if (text.length > AMOUNT_TEXT_MAX_CHARS) return err("malformed");
  const bare = stripCurrency(text, format.currency);
  if (/^[-\u2212(]/.test(bare)) return err("negative");
  if (/[\p{L}\p{Sc}]/u.test(bare)) return err("wrong_currency");

  const [wholeText = "", fraction, ...rest] = bare.split(format.decimal);
  if (rest.length > 0 || (fraction !== undefined && !/^[0-9]+$/.test(fraction))) return err("malformed");
  const whole = ungroup(wholeText, format.decimal);
  if (!whole.ok) return whole;
  if ((fraction ?? "").length > digits.value) return err("too_precise");
  const minor = BigInt(whole.value + (fraction ?? "").padEnd(digits.value, "0"));
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) return err("too_large");
  return ok({ minor: Number(minor), currency: format.currency });
}

/** Takes off at most one mark of the currency on each side: `$44.90 USD` is one amount, `$$5` is none. */
function stripCurrency(text: string, currency: string): string {
  // Longest first, so that `US$` is not read as `US` and `$`.
  const marks = [currency, ...(CURRENCY_SIGNS.get(currency) ?? [])].sort((a, b) => b.length - a.length);
  let bare = text.replace(EDGE_SPACES, "");
  const before = marks.find((mark) => bare.startsWith(mark));
  if (before !== undefined) bare = bare.slice(before.length).replace(EDGE_SPACES, "");
  const after = marks.find((mark) => bare.endsWith(mark));
  if (after !== undefined) bare = bare.slice(0, bare.length - after.length).replace(EDGE_SPACES, "");
  return bare;
}

function ungroup(text: string, decimal: "." | ","): Result<string, "malformed" | "bad_grouping"> {
  if (/^(0|[1-9][0-9]*)$/.test(text)) return ok(text);
  const other = decimal === "." ? "," : "\\.";
  if (!new RegExp(`^[0-9](?:[0-9]|${other}|['\\u2019]|${SPACES})*$`).test(text)) return err("malformed");
  const grouped = new RegExp(`^[1-9][0-9]{0,2}(?:(${other}|['\\u2019]|${SPACES})[0-9]{3})(?:\\1[0-9]{3})*$`);
  return grouped.test(text) ? ok(text.replace(/[^0-9]/g, "")) : err("bad_grouping");
}

/** Sum of two amounts of one currency, in minor units. @throws AssertionFailed for arguments that are no safe integers. */
export function addMinor(a: number, b: number): Result<number, "overflow"> {
  assert(Number.isSafeInteger(a) && Number.isSafeInteger(b), "addMinor: not a safe integer");
  return exact(a + b);
}

/** `unitMinor` times a whole `quantity`. @throws AssertionFailed for arguments that are no safe integers. */
export function multiplyMinor(unitMinor: number, quantity: number): Result<number, "overflow"> {
  assert(Number.isSafeInteger(unitMinor) && Number.isSafeInteger(quantity), "multiplyMinor: not a safe integer");
  return exact(unitMinor * quantity);
}

/** A double that is a safe integer is the exact result: a true result past 2^53-1 never rounds back below it. */
function exact(value: number): Result<number, "overflow"> {
  // Adding zero turns -0, which a record refuses, into 0.
  return Number.isSafeInteger(value) ? ok(value + 0) : err("overflow");
}
