import type { ConsentHours, ConsentLimits, ConsentPeriodLimit } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { moneyText } from "../parts/money-text.ts";
import { Text } from "../parts/value.tsx";
import { DAYS, PERIODS } from "./limits-draft.ts";

/** The limits of a grant, each that there is. */
export function LimitFacts({ limits }: { readonly limits: ConsentLimits }) {
  const { payees, items, hours } = limits;
  return (
    <>
      <Fact label={M.consents.limit}>{money(limits) ?? M.consents.noLimit}</Fact>
      {PERIODS.map((name) => {
        const limit = limits.periods?.[name];
        return limit === undefined ? null : (
          <Fact key={name} label={M.grants.periods[name]}>
            {M.grants.perPeriod(money(limit), limit.max_actions)}
          </Fact>
        );
      })}
      {payees === undefined ? null : <Names label={M.grants.payees} names={payees} />}
      {items === undefined ? null : <Names label={M.grants.items} names={items} />}
      {hours === undefined ? null : <Fact label={M.grants.hoursLabel}>{hoursText(hours)}</Fact>}
    </>
  );
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  return (
    <Fact label={label}>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Text text={name} />
          </li>
        ))}
      </ul>
    </Fact>
  );
}

function money({ max_total_minor: minor, currency }: ConsentPeriodLimit): string | undefined {
  return minor === undefined || currency === undefined ? undefined : moneyText({ minor, currency });
}

function hoursText({ from, to, zone, days }: ConsentHours): string {
  const named = DAYS.filter((day) => days?.includes(day)).map((day) => M.grants.dayNames[day]);
  return M.grants.hours(from, to, zone, named.join(", "));
}
