import type { AccountView, DestinationView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Empty, Page, Problem, Show } from "../parts/page.tsx";
import { Host, Text } from "../parts/value.tsx";
import { problemText } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { Account } from "./account-card.tsx";
import { connectAccount } from "./connect.ts";

/** The person's accounts at destinations, each way in with its own state (MFA-4, U43). */
export function AccountsPage() {
  const accounts = useLoad<{ readonly accounts: readonly AccountView[] }>("/accounts");
  const destinations = useLoad<{ readonly destinations: readonly DestinationView[] }>("/destinations");
  return (
    <Page title={M.accounts.title}>
      <Show loaded={accounts}>
        {(value) => (
          <>
            {value.accounts.length === 0 ? <Empty title={M.accounts.empty}>{M.accounts.emptyMore}</Empty> : null}
            {value.accounts.map((account) => (
              <Account
                key={account.account_ref}
                account={account}
                routes={destinations.value?.destinations.find((d) => d.id === account.destination)?.routes ?? []}
                reload={accounts.reload}
              />
            ))}
            {destinations.value === undefined ? null : <ConnectNew destinations={destinations.value.destinations} />}
          </>
        )}
      </Show>
    </Page>
  );
}

function ConnectNew({ destinations }: { readonly destinations: readonly DestinationView[] }) {
  const [problem, setProblem] = useState<string>();
  return (
    <section className="card" aria-labelledby="connect-new">
      <h2 id="connect-new">{M.accounts.connectTitle}</h2>
      <p className="quiet">{M.accounts.connectExplain}</p>
      {problem === undefined ? null : <Problem text={problem} />}
      {destinations.length === 0 ? <p>{M.accounts.noDestinations}</p> : null}
      {destinations.map((d) => (
        <div key={d.id} className="destination">
          <p>
            <strong>
              <Text text={d.title} />
            </strong>{" "}
            <code>
              <Host origin={d.origin} />
            </code>
          </p>
          <div className="actions">
            {d.routes.map((route) => (
              <Act
                key={route}
                label={M.accounts.connect(d.title, M.routes[route] ?? route)}
                act={() => connectAccount({ destination: d.id, route })}
                onProblem={(reason) => setProblem(problemText(reason))}
              />
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}
