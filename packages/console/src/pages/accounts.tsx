import type { AccountView, DestinationView } from "@countersign/gateway/trusted-contract";
import { useId, useState } from "react";
import { problemText, send } from "../api.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { go } from "../router.ts";
import { useLoad } from "../use-load.ts";

export function AccountsPage() {
  const accounts = useLoad<{ readonly accounts: readonly AccountView[] }>("/accounts");
  const destinations = useLoad<{ readonly destinations: readonly DestinationView[] }>("/destinations");
  const [problem, setProblem] = useState<string>();
  const connect = (destination: string, route: string, accountRef?: string) => async () => {
    const body = { destination, route, ...(accountRef === undefined ? {} : { account_ref: accountRef }) };
    const begun = await send<{ readonly continuation_ref: string }>("/connections", body);
    if (begun.ok) {
      sessionStorage.setItem(`after:${begun.value.continuation_ref}`, location.pathname);
      go(`/continuations/${begun.value.continuation_ref}`);
    }
    return begun;
  };
  const failed = (reason: Parameters<typeof problemText>[0]) => setProblem(problemText(reason));
  return (
    <Page title={M.accounts.title}>
      {problem === undefined ? null : <Problem text={problem} />}
      <Show loaded={accounts}>
        {(value) =>
          value.accounts.length === 0 ? (
            <p role="status">{M.accounts.empty}</p>
          ) : (
            value.accounts.map((account) => (
              <section key={account.account_ref} className="card">
                <h2>
                  <Text text={account.name === "" ? M.accounts.unnamed : account.name} />
                </h2>
                <p>
                  <Text text={account.destination_title} /> <code>{account.origin}</code>
                </p>
                {account.connections.map((c) => (
                  <p key={c.route}>
                    <strong>{M.accounts.states[c.state]}</strong> {M.routes[c.route] ?? c.route}
                    {c.reason === undefined ? "" : `: ${c.reason}`}{" "}
                    {c.state === "connected" ? null : (
                      <Act
                        label={M.accounts.reconnect}
                        act={connect(account.destination, c.route, account.account_ref)}
                        onProblem={failed}
                      />
                    )}
                  </p>
                ))}
                {account.details.length === 0 ? null : (
                  <p>
                    {M.accounts.saved}: <Text text={account.details.map((d) => d.label).join(", ")} />
                  </p>
                )}
                <AddressForm
                  accountRef={account.account_ref}
                  onSaved={() => void accounts.reload()}
                  onProblem={setProblem}
                />
                {account.connections.some((c) => c.state !== "disconnected") ? (
                  <Act
                    label={M.accounts.disconnect}
                    kind="danger"
                    act={() => send(`/accounts/${account.account_ref}/disconnect`)}
                    onDone={() => void accounts.reload()}
                    onProblem={failed}
                  />
                ) : null}
              </section>
            ))
          )
        }
      </Show>
      <section className="card">
        <h2>{M.accounts.connectTitle}</h2>
        <div className="actions">
          {(destinations.value?.destinations ?? []).flatMap((d) =>
            d.routes.map((route) => (
              <Act
                key={`${d.id} ${route}`}
                label={M.accounts.connect(d.title, M.routes[route] ?? route)}
                act={connect(d.id, route)}
                onProblem={failed}
              />
            )),
          )}
        </div>
      </section>
    </Page>
  );
}

function AddressForm(props: {
  readonly accountRef: string;
  readonly onSaved: () => void;
  readonly onProblem: (text: string) => void;
}) {
  const id = useId();
  const [label, setLabel] = useState("");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
  return (
    <details>
      <summary>{M.accounts.addAddress}</summary>
      <div className="field">
        <label htmlFor={id}>{M.accounts.addressLabel}</label>
        <input id={id} value={label} onChange={(event) => setLabel(event.target.value)} />
      </div>
      {Object.entries(M.accounts.fields).map(([name, text]) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{text}</label>
          <input
            id={`${id}-${name}`}
            value={values[name] ?? ""}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </div>
      ))}
      <Act
        label={M.accounts.save}
        isDisabled={label.trim() === "" || Object.keys(filled).length === 0}
        act={() => send(`/accounts/${props.accountRef}/details`, { kind: "fulfillment", label, value: filled })}
        onDone={() => {
          setLabel("");
          setValues({});
          props.onSaved();
        }}
        onProblem={(reason) => props.onProblem(problemText(reason))}
      />
    </details>
  );
}
