import { decimalOf } from "../../site/money.ts";

const GROUPS = /\B(?=(?:\d{3})+(?!\d))/g;
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** As the insurer prints an amount: "£1,374.00". */
export function pounds(amountMinor: number): string {
  const [whole = "", pence = ""] = decimalOf(amountMinor, 2).split(".");
  return `£${whole.replace(GROUPS, ",")}.${pence}`;
}

/** As the insurer prints a day: "14 November 2026". */
export function longDay(day: string): string {
  return DAY.format(Date.parse(`${day}T00:00:00Z`));
}

/** What a person typed into the amount field: "840", "£840.00" or "1,250.00"; undefined for anything else. */
export function typedPounds(text: string): number | undefined {
  const plain = /^£?(\d{1,3}(?:,\d{3})+|\d{1,8})(?:\.(\d{2}))?$/.exec(text.trim());
  if (plain === null) return undefined;
  return Number(`${(plain[1] ?? "").replaceAll(",", "")}${plain[2] ?? "00"}`);
}
