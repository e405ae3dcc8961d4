import { currencyDigits, formatMoney } from "@countersign/wire";
import { moneyText } from "./money-text.ts";

/** An amount in the person's own way of writing; the unambiguous form with its code is in the title. */
export function Amount(props: { readonly minor: number; readonly currency: string }) {
  const { minor, currency } = props;
  const exact = currencyDigits(currency).ok ? formatMoney({ minor, currency }) : undefined;
  return (
    <span className="amount" {...(exact === undefined ? {} : { title: exact })}>
      {moneyText({ minor, currency })}
    </span>
  );
}
