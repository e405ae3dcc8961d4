import { currencyDigits, formatMoney, parseAmountText } from "@countersign/wire";

/** An amount as a person edits it ("50.00") to minor units; never above what was asked. */
export function narrowAmount(text: string, currency: string, askedMinor: number | undefined): number | undefined {
  const parsed = parseAmountText(text.trim(), { currency, decimal: "." });
  if (!parsed.ok) return undefined;
  return askedMinor !== undefined && parsed.value.minor > askedMinor ? undefined : parsed.value.minor;
}

export function editableAmount(minor: number, currency: string): string {
  return currencyDigits(currency).ok ? formatMoney({ minor, currency }, "amount") : String(minor);
}

/** A local date and time, as the browser's own field gives it, to an RFC 3339 instant; never after what was asked. */
export function narrowUntil(local: string, asked: string): string | undefined {
  const at = new Date(local);
  if (Number.isNaN(at.getTime()) || at.getTime() > Date.parse(asked)) return undefined;
  return `${at.toISOString().slice(0, 19)}Z`;
}

export function localField(instant: string): string {
  const at = new Date(instant);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
