/** Digits after the point that ISO 4217 gives this currency. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat("en-IE", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** A decimal string of an amount in minor units, exact at every size: no floating point (lessons U55). */
export function decimalOf(amountMinor: number, digits: number): string {
  const sign = amountMinor < 0 ? "-" : "";
  const all = String(Math.abs(amountMinor)).padStart(digits + 1, "0");
  return digits === 0 ? `${sign}${all}` : `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** What the shop's pages show, for example "€49.90". */
export function formatMoney(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat("en-IE", { style: "currency", currency });
  return format.format(decimalOf(amountMinor, minorDigits(currency)) as Intl.StringNumericLiteral);
}
