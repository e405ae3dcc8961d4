import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Fact } from "../parts/facts.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { send } from "../server/api.ts";
import { LimitFacts } from "./limit-facts.tsx";
import { Narrow } from "./narrow.tsx";
import { mayAct } from "./scope-fields.tsx";

/** A grant that has been decided: what it covers, what it was used for, and how to take it back (CON-1, CON-4, CON-5). */
export function Settled({ consent, reload }: { readonly consent: ConsentView; readonly reload: () => Promise<void> }) {
  const [narrowed, setNarrowed] = useState(false);
  const scope = consent.granted ?? consent.asked;
  const title = (id: string) => consent.available_operations.find((o) => o.id === id)?.title ?? id;
  return (
    <section className="card" aria-labelledby="covers">
      <h2 id="covers">{M.consents.covers}</h2>
      <dl className="facts">
        {consent.account === undefined ? null : (
          <Fact label={M.consents.account}>
            <Text text={consent.account.name} />
          </Fact>
        )}
        <Fact label={M.consents.operations}>
          <Text text={M.consents.operationsFew(scope.operations.map(title))} />
        </Fact>
        <Fact label={M.consents.routes}>
          <Text text={scope.routes.map((r) => M.routes[r] ?? r).join(", ")} />
        </Fact>
        {mayAct(consent, scope.operations) ? (
          <>
            <LimitFacts limits={scope.limits} />
            <Fact label={M.consents.policy}>{M.consents.policies[scope.approval ?? "needed"]}</Fact>
          </>
        ) : null}
        <Fact label={M.consents.until}>
          <When at={scope.expires_at} />
        </Fact>
        {consent.decided_at === undefined ? null : (
          <Fact label={M.consents.decided}>
            <When at={consent.decided_at} />
          </Fact>
        )}
        {consent.revoked_at === undefined ? null : (
          <Fact label={M.consents.revoked}>
            <When at={consent.revoked_at} />
          </Fact>
        )}
      </dl>
      {consent.state === "granted" && consent.granted !== undefined ? (
        <>
          <Narrow
            key={JSON.stringify(consent.granted)}
            consent={consent}
            granted={consent.granted}
            onNarrowed={() => {
              setNarrowed(true);
              return reload();
            }}
            reload={reload}
          />
          {narrowed ? <p role="status">{M.grants.narrowed}</p> : null}
          <div className="apart">
            <Confirm
              label={M.consents.revoke}
              title={M.consents.revokeTitle}
              act={() => send(`/consents/${consent.consent_ref}/revoke`)}
              onDone={reload}
              onProblem={reload}
            >
              <p>{M.consents.revokeExplain}</p>
            </Confirm>
          </div>
        </>
      ) : null}
      {consent.state === "revoked" ? <p>{M.consents.revokedExplain}</p> : null}
      {consent.state === "revoked" && consent.usage.uncertain > 0 ? (
        <p role="status">{M.grants.openAfterRevoke(consent.usage.uncertain)}</p>
      ) : null}
    </section>
  );
}
