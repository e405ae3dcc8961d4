import { currencyDigits, formatMoney, type Money } from "@countersign/wire";

/**
 * An amount as the person's locale writes it, exactly: minor units become decimal text, and `Intl` formats that text
 * without a number in between. A currency whose digits are not known is no money: its figure is shown as it is.
 */
export function moneyText(money: Money, locale?: string): string {
  const digits = currencyDigits(money.currency);
  if (!digits.ok || !Number.isSafeInteger(money.minor)) return `${money.minor} ${money.currency}`;
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: money.currency,
    minimumFractionDigits: digits.value,
    maximumFractionDigits: digits.value,
  });
  return format.format(formatMoney(money, "amount") as Intl.StringNumericLiteral);
}
