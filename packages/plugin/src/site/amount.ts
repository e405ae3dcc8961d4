import {
  currencyDigits,
  err,
  type Money,
  type MoneyProblem,
  ok,
  parseAmountText,
  type Result,
} from "@countersign/wire";
import { numberSigns, type PageText } from "./locale.ts";

/** `ambiguous`: two amounts could be meant. `unknown_locale`: a tag whose signs this runtime does not know. */
export type AmountProblem = MoneyProblem | "ambiguous" | "unknown_locale";

export interface AmountPage extends PageText {
  /** ISO 4217: what the page is known to sell in. Another one's sign or code in the text is refused. */
  readonly currency: string;
}

/**
 * Reads an amount as a page shows it, by the currency's digits and the page's locale: `€1,234.50` (en), `1.234,50 €`
 * (de), `1 234,50 €` (fr). Exact or not at all (U55): what could mean two amounts is `ambiguous`, what has more decimals
 * than the currency is refused, and nothing ever goes through a floating point number.
 *
 * Without a locale only such texts are read as can mean one thing: `1,234` and `1.234` never, `1,234.50` and `12,40` do.
 */
export function readAmount(text: string, page: AmountPage): Result<Money, AmountProblem> {
  const digits = currencyDigits(page.currency);
  if (!digits.ok) return digits;
  if (page.locale === undefined) return readEitherWay(text, page.currency);
  const signs = numberSigns(page.locale);
  if (!signs.ok) return signs;
  const { decimal, group } = signs.value;
  const read = parseAmountText(text, { currency: page.currency, decimal });
  if (!read.ok) return read;
  const between = signsBetweenDigits(text);
  const grouped = between.length > 0 && !between.includes(decimal);
  // In threes by a sign with which this country does not group: perhaps a decimal sign of another one.
  if (grouped && !between.includes(group)) return err("ambiguous");
  // With three decimals, one group of three is also a whole amount and its decimals (`1,234` dinars).
  if (grouped && between.length === 1 && digits.value === 3) return err("ambiguous");
  return read;
}

/** What stands there under both signs. A reading with too many decimals is still what somebody may have meant. */
function readEitherWay(text: string, currency: string): Result<Money, AmountProblem> {
  const point = parseAmountText(text, { currency, decimal: "." });
  const comma = parseAmountText(text, { currency, decimal: "," });
  if (point.ok && comma.ok) return point.value.minor === comma.value.minor ? point : err("ambiguous");
  const one = point.ok ? point : comma;
  const other = point.ok ? comma : point;
  return one.ok && !other.ok && other.reason === "too_precise" ? err("ambiguous") : one.ok ? one : point;
}

function signsBetweenDigits(text: string): readonly string[] {
  return [...text.matchAll(/(?<=[0-9])[.,](?=[0-9])/g)].map(([sign]) => sign);
}

/** A count as a page shows it: 1 to 99 999 in plain figures. Grouped, signed or written with a unit it is none. */
export function readCount(text: string): Result<number, "malformed"> {
  return /^[1-9][0-9]{0,4}$/.test(text) ? ok(Number(text)) : err("malformed");
}
