/** The words of a locale in dates, in lower case and without their dots. A word that names two months is in neither. */
export interface DateWords {
  readonly months: ReadonlyMap<string, number>;
  readonly weekdays: ReadonlyMap<string, number>;
  /** `of`, `de`, the endings of ordinals. */
  readonly fillers: ReadonlySet<string>;
}

const FILLERS = ["of", "de", "del", "the", "st", "nd", "rd", "th", "er", "º", "ª", "d"];
/** 4 January 1970 was a Sunday. */
const A_SUNDAY_MS = 3 * 86_400_000;
const KEPT_LOCALES_MAX = 100;
const kept = new Map<string, DateWords>();

/** @param locale one that this runtime knows. */
export function monthNames(locale: string): DateWords {
  const known = kept.get(locale);
  if (known !== undefined) return known;
  // English writes both `Sep` and `Sept`, by country.
  const { language } = new Intl.Locale(locale);
  const locales = language === "en" ? [locale, "en-US", "en-GB"] : [locale];
  const months = new Map<string, number>();
  const weekdays = new Map<string, number>();
  const twice = new Set<string>();
  const put = (names: Map<string, number>, word: string, value: number) => {
    const bare = word.toLowerCase().replace(/\.$/, "");
    if (bare === "" || /[0-9\s]/.test(bare)) return;
    if ((names.get(bare) ?? value) !== value) twice.add(bare);
    names.set(bare, value);
  };
  for (const each of locales) {
    for (const style of ["long", "short"] as const) {
      for (let month = 1; month <= 12; month += 1) {
        const at = Date.UTC(2026, month - 1, 12);
        // Many languages write the month otherwise beside a day than by itself.
        for (const beside of [{}, { day: "numeric", year: "numeric" }] as const)
          put(months, partOf(each, { month: style, ...beside }, at, "month"), month);
      }
      for (let day = 0; day < 7; day += 1)
        put(weekdays, partOf(each, { weekday: style }, A_SUNDAY_MS + day * 86_400_000, "weekday"), day);
    }
  }
  for (const word of twice) {
    months.delete(word);
    weekdays.delete(word);
  }
  const words = { months, weekdays, fillers: new Set(FILLERS) };
  if (kept.size < KEPT_LOCALES_MAX) kept.set(locale, words);
  return words;
}

/** 0 is Sunday. @param day `YYYY-MM-DD`. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function partOf(locale: string, format: Intl.DateTimeFormatOptions, at: number, type: "month" | "weekday"): string {
  const formatter = new Intl.DateTimeFormat(locale, { ...format, calendar: "gregory", timeZone: "UTC" });
  return formatter.formatToParts(at).find((part) => part.type === type)?.value ?? "";
}
