import type {
  ConsentHours,
  ConsentLimits,
  ConsentPeriod,
  ConsentPeriodLimit,
} from "@countersign/gateway/trusted-contract";
import { currencyDigits, formatMoney, parseAmountText } from "@countersign/wire";

export const PERIODS: readonly ConsentPeriod[] = ["day", "week", "month", "total"];
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

const NAMES_MAX = 20;
const COUNT = /^[1-9]\d{0,6}$/;
const MIDNIGHT = "00:00";
const DAY_END = "24:00";

/** The limits as they stand in the fields; empty means none where none was asked for. */
export interface LimitDraft {
  readonly amount: string;
  readonly currency: string;
  readonly periods: Readonly<Record<ConsentPeriod, { readonly amount: string; readonly count: string }>>;
  /** One a line. */
  readonly payees: string;
  readonly items: string;
  readonly hours: HoursDraft | undefined;
}
export interface HoursDraft {
  readonly zone: string;
  readonly from: string;
  /** `00:00` is the end of the day. */
  readonly to: string;
  readonly days: readonly Day[];
}

export type LimitProblem = "amount" | "periods" | "payees" | "items" | "hours";

/** The one currency of all limits, where there is one. */
export function currencyOf(limits: ConsentLimits): string | undefined {
  return limits.currency ?? PERIODS.map((name) => limits.periods?.[name]?.currency).find((code) => code !== undefined);
}

export function openLimits(asked: ConsentLimits): LimitDraft {
  const period = (name: ConsentPeriod) => {
    const limit = asked.periods?.[name];
    return { amount: amountText(limit), count: limit?.max_actions === undefined ? "" : String(limit.max_actions) };
  };
  return {
    amount: amountText(asked),
    currency: currencyOf(asked) ?? "",
    periods: { day: period("day"), week: period("week"), month: period("month"), total: period("total") },
    payees: (asked.payees ?? []).join("\n"),
    items: (asked.items ?? []).join("\n"),
    hours:
      asked.hours === undefined
        ? undefined
        : {
            ...asked.hours,
            to: asked.hours.to === DAY_END ? MIDNIGHT : asked.hours.to,
            days: asked.hours.days ?? DAYS,
          },
  };
}

/** The limits that a draft makes, never wider than what was asked; each member that cannot be read is a problem. */
export function limitsOf(
  asked: ConsentLimits,
  draft: LimitDraft,
): { readonly limits?: ConsentLimits; readonly problems: readonly LimitProblem[] } {
  const problems = new Set<LimitProblem>();
  const currency = currencyOf(asked) ?? draft.currency.trim().toUpperCase();
  const noting = <T>(problem: LimitProblem, value: T | "wrong"): T | undefined => {
    if (value !== "wrong") return value;
    problems.add(problem);
    return undefined;
  };
  const amount = noting("amount", amountOf(draft.amount, currency, asked.max_total_minor));
  const periods: Partial<Record<ConsentPeriod, ConsentPeriodLimit>> = {};
  for (const name of PERIODS) {
    const was = asked.periods?.[name];
    const sum = noting("periods", amountOf(draft.periods[name].amount, currency, was?.max_total_minor));
    const count = noting("periods", countOf(draft.periods[name].count, was?.max_actions));
    if (sum !== undefined || count !== undefined)
      periods[name] = { ...sum, ...(count === undefined ? {} : { max_actions: count }) };
  }
  const payees = noting("payees", namesOf(draft.payees, asked.payees));
  const items = noting("items", namesOf(draft.items, asked.items));
  const hours = noting("hours", hoursOf(draft.hours, asked.hours));
  if (problems.size > 0) return { problems: [...problems] };
  return {
    limits: {
      ...amount,
      ...(Object.keys(periods).length === 0 ? {} : { periods }),
      ...(payees === undefined ? {} : { payees }),
      ...(items === undefined ? {} : { items }),
      ...(hours === undefined ? {} : { hours }),
    },
    problems: [],
  };
}

/** An amount as a person edits it ("50.00") to minor units; never above what was asked. */
export function narrowAmount(text: string, currency: string, askedMinor: number | undefined): number | undefined {
  const parsed = parseAmountText(text.trim(), { currency, decimal: "." });
  if (!parsed.ok) return undefined;
  return askedMinor !== undefined && parsed.value.minor > askedMinor ? undefined : parsed.value.minor;
}

function amountOf(text: string, currency: string, most: number | undefined) {
  if (text.trim() === "") return most === undefined ? undefined : "wrong";
  const minor = narrowAmount(text, currency, most);
  return minor === undefined ? "wrong" : { max_total_minor: minor, currency };
}

function countOf(text: string, most: number | undefined): number | "wrong" | undefined {
  if (text.trim() === "") return most === undefined ? undefined : "wrong";
  const count = Number(text.trim());
  return COUNT.test(text.trim()) && count <= (most ?? count) ? count : "wrong";
}

function namesOf(text: string, asked: readonly string[] | undefined): readonly string[] | "wrong" | undefined {
  const names = [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
  if (names.length === 0) return asked === undefined ? undefined : "wrong";
  return names.length <= NAMES_MAX && names.every((name) => asked === undefined || asked.includes(name))
    ? names
    : "wrong";
}

function hoursOf(draft: HoursDraft | undefined, asked: ConsentHours | undefined): ConsentHours | "wrong" | undefined {
  if (draft === undefined) return asked === undefined ? undefined : "wrong";
  const to = draft.to === MIDNIGHT ? DAY_END : draft.to;
  const days = DAYS.filter((day) => draft.days.includes(day));
  if (!isZone(draft.zone) || draft.from === "" || draft.to === "" || draft.from === to || days.length === 0)
    return "wrong";
  const hours = { zone: draft.zone, from: draft.from, to, ...(days.length === DAYS.length ? {} : { days }) };
  return asked === undefined || hoursWithin(hours, asked) ? hours : "wrong";
}

/** Hours past midnight are kept as they are, or lose days; others may also begin later and end earlier. */
function hoursWithin(own: ConsentHours, asked: ConsentHours): boolean {
  const days = (asked.days ?? DAYS) as readonly Day[];
  if (own.zone !== asked.zone || !(own.days ?? DAYS).every((day) => days.includes(day))) return false;
  if (own.from === asked.from && own.to === asked.to) return true;
  return asked.from < asked.to && own.from < own.to && own.from >= asked.from && own.to <= asked.to;
}

function isZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

function amountText(limit: { readonly max_total_minor?: number; readonly currency?: string } | undefined): string {
  const { max_total_minor: minor, currency } = limit ?? {};
  if (minor === undefined || currency === undefined) return "";
  return currencyDigits(currency).ok ? formatMoney({ minor, currency }, "amount") : String(minor);
}
