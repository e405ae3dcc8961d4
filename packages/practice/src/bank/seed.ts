import { addDays } from "./days.ts";
import type { Account, Entry, Payee, Reward } from "./model.ts";

export const BANK_NAME = "Quayside Bank";
/** What the practice person types in place of an e-mail address; no secret. */
export const CUSTOMER_NUMBER = "40127759";
export const CURRENCY = "EUR";

export const ACCOUNTS: readonly Account[] = [
  { id: "ba-everyday", name: "Everyday account", kind: "current", number: "IE31 QUAY 9058 3812 3430 00" },
  { id: "ba-rainy", name: "Rainy days", kind: "savings", number: "IE07 QUAY 9058 3812 3430 18" },
  { id: "ba-blue", name: "Blue card", kind: "card", number: "5299 **** **** 7741", creditLineMinor: 300_000 },
];

/** What was on each account before the oldest entry. */
export const OPENING_MINOR: Readonly<Record<string, number>> = {
  "ba-everyday": 96_412,
  "ba-rainy": 512_000,
  "ba-blue": -4_310,
};

export const PAYEES: readonly Payee[] = [
  {
    id: "py-jo",
    name: "Jo Example",
    number: "IE12 SECB 9900 1712 3401 30",
    bank: "Second Bank",
    currency: CURRENCY,
    nameCheck: "matches",
  },
  {
    id: "py-rent",
    name: "Harbour Homes Lettings",
    number: "IE77 HARB 9311 5208 8812 04",
    bank: "Harbour Building Society",
    currency: CURRENCY,
    nameCheck: "matches",
  },
  {
    id: "py-power",
    name: "City Power",
    number: "DE44 5001 0517 5407 3249 31",
    bank: "Rheinbank",
    currency: CURRENCY,
    nameCheck: "not checked",
  },
  {
    id: "py-aunt",
    name: "Una Beispiel",
    number: "GB33 ISLE 2020 1555 5555 55",
    bank: "Isle Bank",
    currency: "GBP",
    nameCheck: "close",
  },
];

/** The practice person has these points whatever the day; they run out at the end of the bank's month after next. */
export function rewardsAt(today: string): readonly Reward[] {
  return [
    {
      id: "rw-quay",
      name: "Quayside points",
      account: "ba-blue",
      points: 12_480,
      worthMinor: 6_240,
      expiringPoints: 900,
      expiresOn: addDays(today, 61),
    },
  ];
}

type Monthly = readonly [daysAgo: number, counterparty: string, text: string, amountMinor: number];

/** One month of the everyday account, newest first; repeated into the past with other amounts. */
const EVERYDAY: readonly Monthly[] = [
  [2, "City Power", "Electricity, customer 88120", -8_640],
  [3, "Greengrocer's Corner", "Card 7741", -2_315],
  [5, "Harbour Homes Lettings", "Rent", -96_000],
  [6, "Tram & Bus", "Monthly ticket", -6_200],
  [9, "Bakery O'Neill", "Card 7741", -785],
  [11, "Harbour & Hill", "Order HH-20431", -4_990],
  [14, "Rainy days", "Standing order", -15_000],
  [17, "Pharmacy at the Bridge", "Card 7741", -1_240],
  [21, "Fibre Net", "Broadband", -3_999],
  [24, "Cash machine Mill Lane", "Withdrawal", -10_000],
  [26, "Example & Sons Ltd", "Salary", 264_480],
  [28, "Bookshop Inkwell", "Card 7741", -1_895],
];

const CARD: readonly Monthly[] = [
  [1, "Café am Kai", "Purchase", -1_180],
  [8, "Rail tickets", "Purchase", -5_640],
  [15, "Quayside Bank", "Payment, thank you", 9_430],
  [23, "Cinema Lux", "Purchase", -2_400],
];

const SAVINGS: readonly Monthly[] = [
  [14, "Everyday account", "Standing order", 15_000],
  [27, "Quayside Bank", "Interest", 412],
];

const MONTHS = 5;
const MONTH_DAYS = 30;

function months(account: string, prefix: string, rows: readonly Monthly[], today: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (let month = MONTHS - 1; month >= 0; month -= 1) {
    for (const [daysAgo, counterparty, text, amountMinor] of rows.toReversed()) {
      const bookedOn = addDays(today, -(month * MONTH_DAYS + daysAgo));
      // No two months are alike: a few cents of difference, reproducible.
      const drift = amountMinor < 0 ? -((month * 37 + daysAgo * 11) % 90) : 0;
      entries.push({
        id: `${prefix}${String(9_000 + entries.length)}`,
        account,
        bookedOn,
        valueOn: bookedOn,
        counterparty,
        text,
        amountMinor: amountMinor + drift,
        pending: false,
      });
    }
  }
  return entries;
}

/** Oldest first. One card payment of yesterday is not booked yet. */
export function seedEntries(today: string): readonly Entry[] {
  const yesterday = addDays(today, -1);
  return [
    ...months("ba-everyday", "te", EVERYDAY, today),
    ...months("ba-blue", "tc", CARD, today),
    ...months("ba-rainy", "ts", SAVINGS, today),
    {
      id: "te9900",
      account: "ba-everyday",
      bookedOn: yesterday,
      valueOn: yesterday,
      counterparty: "Hotel Seven Bridges",
      text: "Reserved",
      amountMinor: -5_000,
      pending: true,
    },
  ];
}
