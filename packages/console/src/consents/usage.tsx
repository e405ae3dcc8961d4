import type { ConsentUsage } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Fact } from "../parts/facts.tsx";
import { Amount } from "../parts/money.tsx";
import { moneyText } from "../parts/money-text.ts";
import { Go } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago, When } from "../parts/when.tsx";
import { PERIODS } from "./limits-draft.ts";

/** What a grant was used for, and what its limits still allow (CON-4). */
export function Usage({ usage, live }: { readonly usage: ConsentUsage; readonly live: boolean }) {
  const { actions, uncertain, sums, left, tasks = [] } = usage;
  return (
    <section className="card" aria-labelledby="usage">
      <h2 id="usage">{M.grants.usage}</h2>
      {actions === 0 ? <p>{M.grants.unused}</p> : <p>{M.grants.actions(actions)}</p>}
      {uncertain === 0 ? null : <p>{M.grants.uncertain(uncertain)}</p>}
      <dl className="facts">
        {sums.length === 0 ? null : (
          <Fact label={M.grants.sums}>
            {sums.map((sum) => moneyText({ minor: sum.total_minor, currency: sum.currency })).join(", ")}
          </Fact>
        )}
        {usage.last_used_at === undefined ? null : (
          <Fact label={M.grants.lastUsed}>
            <When at={usage.last_used_at} />
          </Fact>
        )}
        {live
          ? PERIODS.map((name) => {
              const rest = left[name];
              if (rest === undefined) return null;
              const { total_minor: minor, currency } = rest;
              const sum = minor === undefined || currency === undefined ? undefined : moneyText({ minor, currency });
              return (
                <Fact key={name} label={`${M.grants.left}: ${M.grants.periods[name]}`}>
                  {M.grants.perPeriod(sum, rest.actions)}
                </Fact>
              );
            })
          : null}
      </dl>
      {tasks.length === 0 ? null : (
        <>
          <h3>{M.grants.tasks}</h3>
          <ul className="cards inset">
            {tasks.map((task) => (
              <li key={task.task_id}>
                <Go to={`/tasks/${task.task_id}`}>
                  <span className="line">
                    <Text text={task.operation_title} />
                    <StateBadge state={task.state} />
                  </span>
                  <span className="line quiet">
                    <Ago at={task.created_at} />
                    {task.amount === undefined ? null : (
                      <Amount minor={task.amount.total_minor} currency={task.amount.currency} />
                    )}
                  </span>
                </Go>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
