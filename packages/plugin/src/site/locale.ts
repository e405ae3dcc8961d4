import { err, ok, type Result } from "@countersign/wire";

/** What stands in a page's `lang`, or what the site's adapter knows of it; undefined where neither says so. */
export interface PageText {
  readonly locale: string | undefined;
}

export interface NumberSigns {
  readonly decimal: "." | ",";
  /** As the locale writes it: `.`, `,`, an apostrophe or some space. */
  readonly group: string;
}

const KEPT_LOCALES_MAX = 100;

/** In one language with two orders of day and month, the language alone does not say which. */
const TWO_ORDERS: ReadonlySet<string> = new Set(["en", "es", "fr"]);

export type DateOrder = "dmy" | "mdy" | "ymd";

/**
 * A tag that this runtime knows. A tag that it does not know would silently be read by the machine's own locale, and an
 * amount would then depend on where the gateway runs.
 */
export function knownLocale(tag: string): Result<string, "unknown_locale"> {
  try {
    const [found] = Intl.NumberFormat.supportedLocalesOf(tag);
    return found === undefined ? err("unknown_locale") : ok(found);
  } catch {
    return err("unknown_locale");
  }
}

const keptSigns = new Map<string, Result<NumberSigns, "unknown_locale">>();

export function numberSigns(tag: string): Result<NumberSigns, "unknown_locale"> {
  const kept = keptSigns.get(tag);
  if (kept !== undefined) return kept;
  const signs = signsOf(tag);
  // Adapters name a handful of locales; a page that makes them up is not remembered for ever.
  if (keptSigns.size < KEPT_LOCALES_MAX) keptSigns.set(tag, signs);
  return signs;
}

function signsOf(tag: string): Result<NumberSigns, "unknown_locale"> {
  const locale = knownLocale(tag);
  if (!locale.ok) return locale;
  const parts = new Intl.NumberFormat(locale.value, { numberingSystem: "latn" }).formatToParts(1_234_567.5);
  const decimal = parts.find((part) => part.type === "decimal")?.value;
  const group = parts.find((part) => part.type === "group")?.value ?? "";
  return decimal === "." || decimal === "," ? ok({ decimal, group }) : err("unknown_locale");
}

/** The order in which the locale writes a date in figures; undefined where its language alone leaves that open. */
export function dateOrder(tag: string): Result<DateOrder | undefined, "unknown_locale"> {
  const locale = knownLocale(tag);
  if (!locale.ok) return locale;
  const { language, region } = new Intl.Locale(locale.value);
  if (region === undefined && TWO_ORDERS.has(language)) return ok(undefined);
  const figures = { year: "numeric", month: "2-digit", day: "2-digit", calendar: "gregory" } as const;
  const order = new Intl.DateTimeFormat(locale.value, { ...figures, timeZone: "UTC" })
    .formatToParts(0)
    .map((part) => ({ year: "y", month: "m", day: "d" })[part.type as string] ?? "")
    .join("");
  return ok(order === "dmy" || order === "mdy" || order === "ymd" ? order : undefined);
}
