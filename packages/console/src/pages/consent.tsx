import type { AccountView, ConsentScope, ConsentView } from "@countersign/gateway/trusted-contract";
import { formatMoney } from "@countersign/wire";
import { useState } from "react";
import { Checkbox, CheckboxGroup, Label, Radio, RadioGroup } from "react-aria-components";
import { problemText, send } from "../api.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { go } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { LimitField, UntilField } from "./consent-fields.tsx";

export function ConsentPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ConsentView>(`/consents/${id}`);
  return (
    <Page title={M.consents.title}>
      <Show loaded={loaded}>
        {(consent) => (
          <>
            <section className="card">
              <h2>
                <Text text={M.consents.asks(consent.agent, consent.destination_title)} />
              </h2>
              <p role="status">{M.consents.states[consent.state]}</p>
              <div className="agent-words">
                <span className="kind">{M.consents.purpose}</span>
                <p>
                  <Text text={consent.purpose} />
                </p>
              </div>
            </section>
            {consent.state === "requested" ? (
              <Decide consent={consent} reload={loaded.reload} />
            ) : (
              <Granted consent={consent} reload={loaded.reload} />
            )}
          </>
        )}
      </Show>
    </Page>
  );
}

function Decide({ consent, reload }: { readonly consent: ConsentView; readonly reload: () => Promise<void> }) {
  const accounts = useLoad<{ readonly accounts: readonly AccountView[] }>("/accounts");
  const [picked, setPicked] = useState(consent.account?.account_ref);
  const [scope, setScope] = useState<ConsentScope>(consent.asked);
  const [problem, setProblem] = useState<string>();
  const usable = (accounts.value?.accounts ?? []).filter(
    (a) => a.destination === consent.destination && a.connections.some((c) => c.state === "connected"),
  );
  const account = picked ?? usable[0]?.account_ref;
  const failed = (reason: Parameters<typeof problemText>[0]) => setProblem(problemText(reason));
  const connect = (route: string) => async () => {
    const begun = await send<{ readonly continuation_ref: string }>("/connections", {
      destination: consent.destination,
      route,
    });
    if (begun.ok) {
      sessionStorage.setItem(`after:${begun.value.continuation_ref}`, location.pathname);
      go(`/continuations/${begun.value.continuation_ref}`);
    }
    return begun;
  };
  return (
    <section className="card">
      {usable.length === 0 ? (
        <p>{M.consents.pickAccountFirst}</p>
      ) : (
        <RadioGroup
          className="group"
          value={account ?? ""}
          onChange={setPicked}
          isDisabled={consent.account !== undefined}
        >
          <Label>{M.consents.pick}</Label>
          {usable.map((a) => (
            <Radio key={a.account_ref} value={a.account_ref} className="choice">
              <Text text={`${a.name} · ${a.destination_title}`} />
            </Radio>
          ))}
        </RadioGroup>
      )}
      <div className="actions">
        {consent.available_routes.map((route) => (
          <Act
            key={route}
            label={`${M.consents.connect} ${M.routes[route] ?? route}`}
            act={connect(route)}
            onProblem={failed}
          />
        ))}
      </div>
      <CheckboxGroup
        className="group"
        value={[...scope.operations]}
        onChange={(operations) => setScope({ ...scope, operations })}
      >
        <Label>{M.consents.operations}</Label>
        {consent.asked.operations.map((operation) => {
          const known = consent.available_operations.find((o) => o.id === operation);
          return (
            <Checkbox key={operation} value={operation} className="choice">
              {known?.title ?? operation}{" "}
              <span className="quiet">({known?.effect === "read" ? M.consents.reads : M.consents.acts})</span>
            </Checkbox>
          );
        })}
      </CheckboxGroup>
      <CheckboxGroup className="group" value={[...scope.routes]} onChange={(routes) => setScope({ ...scope, routes })}>
        <Label>{M.consents.routes}</Label>
        {consent.asked.routes.map((route) => (
          <Checkbox key={route} value={route} className="choice">
            {M.routes[route] ?? route}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <LimitField
        asked={consent.asked.limits}
        chosen={scope.limits}
        onChange={(limits) => setScope({ ...scope, limits })}
      />
      <UntilField
        asked={consent.asked.expires_at}
        chosen={scope.expires_at}
        onChange={(until) => setScope({ ...scope, expires_at: until })}
      />
      <p>{M.consents.reminder}</p>
      {problem === undefined ? null : <Problem text={problem} />}
      <div className="actions">
        <Act
          label={M.consents.grant}
          kind="primary"
          isDisabled={account === undefined || scope.operations.length === 0 || scope.routes.length === 0}
          act={() =>
            send(`/consents/${consent.consent_ref}/decision`, { decision: "grant", account_ref: account, ...scope })
          }
          onDone={() => void reload()}
          onProblem={failed}
        />
        <Act
          label={M.consents.refuse}
          act={() => send(`/consents/${consent.consent_ref}/decision`, { decision: "refuse" })}
          onDone={() => void reload()}
          onProblem={failed}
        />
      </div>
    </section>
  );
}

function Granted({ consent, reload }: { readonly consent: ConsentView; readonly reload: () => Promise<void> }) {
  const [problem, setProblem] = useState<string>();
  const scope = consent.granted ?? consent.asked;
  const { max_total_minor: minor, currency } = scope.limits;
  return (
    <section className="card">
      <dl>
        {consent.account === undefined ? null : (
          <div>
            <dt>{M.consents.account}</dt>
            <dd>
              <Text text={consent.account.name} />
            </dd>
          </div>
        )}
        <div>
          <dt>{M.consents.operations}</dt>
          <dd>
            {scope.operations.map((o) => consent.available_operations.find((a) => a.id === o)?.title ?? o).join(", ")}
          </dd>
        </div>
        <div>
          <dt>{M.consents.routes}</dt>
          <dd>{scope.routes.map((r) => M.routes[r] ?? r).join(", ")}</dd>
        </div>
        <div>
          <dt>{M.consents.limit}</dt>
          <dd>
            {minor === undefined || currency === undefined ? M.consents.noLimit : formatMoney({ minor, currency })}
          </dd>
        </div>
        <div>
          <dt>{M.consents.until}</dt>
          <dd>
            <When at={scope.expires_at} />
          </dd>
        </div>
      </dl>
      <p>{M.consents.used(consent.used.tasks, consent.used.submitted)}</p>
      {consent.state === "granted" ? (
        <>
          <p>{M.consents.revokeExplain}</p>
          {problem === undefined ? null : <Problem text={problem} />}
          <Act
            label={M.consents.revoke}
            kind="danger"
            act={() => send(`/consents/${consent.consent_ref}/revoke`)}
            onDone={() => void reload()}
            onProblem={(reason) => setProblem(problemText(reason))}
          />
        </>
      ) : null}
    </section>
  );
}
