import type { AccountView, ConnectionView, DestinationView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Badge } from "../parts/badge.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { AddressForm } from "./address-form.tsx";
import { type Connection, connectAccount } from "./connect.ts";

const TONES = { connected: "good", reauthentication_required: "warn", disconnected: "bad" } as const satisfies Readonly<
  Record<ConnectionView["state"], string>
>;

/** The person's accounts at destinations, each way in with its own state (MFA-4, U43). */
export function AccountsPage() {
  const accounts = useLoad<{ readonly accounts: readonly AccountView[] }>("/accounts");
  const destinations = useLoad<{ readonly destinations: readonly DestinationView[] }>("/destinations");
  return (
    <Page title={M.accounts.title}>
      <Show loaded={accounts}>
        {(value) => (
          <>
            {value.accounts.length === 0 ? (
              <section className="card empty">
                <p role="status">{M.accounts.empty}</p>
                <p className="quiet">{M.accounts.emptyMore}</p>
              </section>
            ) : null}
            {value.accounts.map((account) => (
              <Account
                key={account.account_ref}
                account={account}
                routes={destinations.value?.destinations.find((d) => d.id === account.destination)?.routes ?? []}
                reload={accounts.reload}
              />
            ))}
            <ConnectNew destinations={destinations.value?.destinations ?? []} />
          </>
        )}
      </Show>
    </Page>
  );
}

function Account(props: {
  readonly account: AccountView;
  readonly routes: readonly string[];
  readonly reload: () => Promise<void>;
}) {
  const { account, reload } = props;
  const [problem, setProblem] = useState<string>();
  const failed = (reason: CallProblem) => {
    setProblem(problemText(reason));
    return reload();
  };
  const connect = (route: string): Connection => ({
    destination: account.destination,
    route,
    accountRef: account.account_ref,
  });
  const missing = props.routes.filter((route) => !account.connections.some((c) => c.route === route));
  return (
    <section className="card">
      <h2>
        <Text text={account.name === "" ? M.accounts.unnamed : account.name} />
      </h2>
      <p>
        <Text text={account.destination_title} /> <code>{account.origin}</code>
      </p>
      {problem === undefined ? null : <Problem text={problem} />}
      <ul className="rows">
        {account.connections.map((c) => (
          <li key={c.route}>
            <Badge tone={TONES[c.state]} text={M.accounts.states[c.state]} />
            <span>{M.routes[c.route] ?? c.route}</span>
            {c.reason === undefined || c.state === "connected" ? null : (
              <span className="quiet">
                <Text text={c.reason} />
                {c.next_step === undefined ? null : ` ${c.next_step}`}
              </span>
            )}
            {c.verified_at === undefined ? null : (
              <span className="quiet">
                {M.accounts.verified} <When at={c.verified_at} />
              </span>
            )}
            {c.state === "connected" ? null : (
              <Act label={M.accounts.reconnect} act={() => connectAccount(connect(c.route))} onProblem={failed} />
            )}
          </li>
        ))}
        {missing.map((route) => (
          <li key={route}>
            <Act
              label={`${M.accounts.addRoute} ${M.routes[route] ?? route}`}
              act={() => connectAccount(connect(route))}
              onProblem={failed}
            />
          </li>
        ))}
      </ul>
      {account.details.length === 0 ? null : (
        <>
          <h3>{M.accounts.saved}</h3>
          <ul className="plain">
            {account.details.map((d) => (
              <li key={d.ref}>
                <Text text={d.label} /> <span className="quiet">{M.accounts.kinds[d.kind] ?? d.kind}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <AddressForm accountRef={account.account_ref} onSaved={reload} />
      {account.connections.some((c) => c.state !== "disconnected") ? (
        <div className="apart">
          <p className="quiet">{M.accounts.disconnectExplain}</p>
          <Act
            label={M.accounts.disconnect}
            kind="danger"
            act={() => send(`/accounts/${account.account_ref}/disconnect`)}
            onDone={reload}
            onProblem={failed}
          />
        </div>
      ) : null}
    </section>
  );
}

function ConnectNew({ destinations }: { readonly destinations: readonly DestinationView[] }) {
  const [problem, setProblem] = useState<string>();
  return (
    <section className="card">
      <h2>{M.accounts.connectTitle}</h2>
      <p className="quiet">{M.accounts.connectExplain}</p>
      {problem === undefined ? null : <Problem text={problem} />}
      {destinations.length === 0 ? <p>{M.accounts.noDestinations}</p> : null}
      {destinations.map((d) => (
        <div key={d.id} className="destination">
          <p>
            <strong>{d.title}</strong> <code>{d.origin}</code>
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
