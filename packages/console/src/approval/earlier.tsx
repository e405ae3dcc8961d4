import type { EarlierView } from "@countersign/gateway/trusted-contract";
import { currencyDigits, formatMoney } from "@countersign/wire";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Go } from "../parts/page.tsx";
import { When } from "../parts/when.tsx";

/** Equal acts of the account lately: an agent that lost its memory asks for the same thing again (U02). */
export function Earlier({ earlier }: { readonly earlier: readonly EarlierView[] }) {
  return (
    <section className="notice earlier" aria-labelledby="earlier">
      <h3 id="earlier">{M.approval.earlier}</h3>
      <ul>
        {earlier.map((each) => (
          <li key={each.task_id}>
            <When at={each.at} />
            {each.amount === undefined ? null : <span>{moneyOf(each.amount)}</span>}
            <StateBadge state={each.state} />
            <Go to={`/tasks/${each.task_id}`}>{M.approval.earlierLook}</Go>
          </li>
        ))}
      </ul>
      <p>{M.approval.earlierText}</p>
    </section>
  );
}

/** In the same form as the terms have it, so that the two can be compared. */
function moneyOf(amount: NonNullable<EarlierView["amount"]>): string {
  const { total_minor: minor, currency } = amount;
  return currencyDigits(currency).ok ? formatMoney({ minor, currency }) : `${minor} ${currency}`;
}
