import type { AccountView, ConnectionView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Badge } from "../parts/badge.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Problem } from "../parts/page.tsx";
import { Host, Text } from "../parts/value.tsx";
import { Ago } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { AddressBook } from "./address-book.tsx";
import { type Connection, connectAccount } from "./connect.ts";

const TONES = { connected: "good", reauthentication_required: "warn", disconnected: "bad" } as const satisfies Readonly<
  Record<ConnectionView["state"], string>
>;

/** One account under the site's own name for it (U44): its ways in, its address book, and how to end it. */
export function Account(props: {
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
  const unnamed = account.name === "";
  return (
    <section className="card" aria-labelledby={account.account_ref}>
      <h2 id={account.account_ref}>
        <Text text={unnamed ? M.accounts.unnamed : account.name} />
      </h2>
      <p>
        <Text text={account.destination_title} />{" "}
        <code>
          <Host origin={account.origin} />
        </code>
      </p>
      {unnamed ? <p className="quiet">{M.accounts.unnamedExplain}</p> : null}
      {problem === undefined ? null : <Problem text={problem} />}
      <ul className="rows" aria-label={M.accounts.ways}>
        {account.connections.map((c) => (
          <Way key={c.route} connection={c}>
            {c.state === "connected" ? null : (
              <Act
                label={M.accounts.reconnect}
                kind={c.state === "reauthentication_required" ? "primary" : "plain"}
                act={() => connectAccount(connect(c.route))}
                onProblem={failed}
              />
            )}
          </Way>
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
      {unnamed ? null : <AddressBook account={account} reload={reload} />}
      {account.connections.some((c) => c.state !== "disconnected") ? (
        <div className="apart">
          <Confirm
            label={M.accounts.disconnect}
            title={M.accounts.disconnectTitle(account.name, account.destination_title)}
            act={() => send(`/accounts/${account.account_ref}/disconnect`)}
            onDone={reload}
            onProblem={reload}
          >
            <p>{M.accounts.disconnectExplain}</p>
            <p>{M.accounts.disconnectMore}</p>
            <p>{M.accounts.disconnectOpen}</p>
          </Confirm>
        </div>
      ) : null}
    </section>
  );
}

/** One way in, with its own state; a broken one says why, and what to do (U43). */
function Way({ connection, children }: { readonly connection: ConnectionView; readonly children: React.ReactNode }) {
  const { state, reason, next_step: nextStep, verified_at: verifiedAt, route } = connection;
  const broken = state !== "connected";
  return (
    <li>
      <span className="line">
        <Text text={M.routes[route] ?? route} />
        <Badge tone={TONES[state]} text={M.accounts.states[state]} />
      </span>
      {broken && reason !== undefined ? (
        <span className="quiet">
          <Text text={sentence(reason)} />
        </span>
      ) : null}
      {broken && nextStep !== undefined ? <Text text={nextStep} /> : null}
      {verifiedAt === undefined ? null : (
        <span className="quiet">
          {M.accounts.verified} <Ago at={verifiedAt} />
        </span>
      )}
      {children}
    </li>
  );
}

/** A reason as the gateway keeps it, as a sentence. */
function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
