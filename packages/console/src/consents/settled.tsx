import type { ConsentView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Fact } from "../parts/facts.tsx";
import { Problem } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { problemText, send } from "../server/api.ts";
import { LimitFacts } from "./limit-facts.tsx";
import { Narrow } from "./narrow.tsx";

/** A grant that has been decided: what it covers, what it was used for, and how to take it back (CON-1, CON-4, CON-5). */
export function Settled({ consent, reload }: { readonly consent: ConsentView; readonly reload: () => Promise<void> }) {
  const [problem, setProblem] = useState<string>();
  const [narrowed, setNarrowed] = useState(false);
  const scope = consent.granted ?? consent.asked;
  const title = (id: string) => consent.available_operations.find((o) => o.id === id)?.title ?? id;
  return (
    <section className="card">
      <dl>
        {consent.account === undefined ? null : (
          <Fact label={M.consents.account}>
            <Text text={consent.account.name} />
          </Fact>
        )}
        <Fact label={M.consents.operations}>{scope.operations.map(title).join(", ")}</Fact>
        <Fact label={M.consents.routes}>{scope.routes.map((r) => M.routes[r] ?? r).join(", ")}</Fact>
        <LimitFacts limits={scope.limits} />
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
      <p>{M.consents.used(consent.used.tasks, consent.used.submitted)}</p>
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
          <p id="revoke-explain">{M.consents.revokeExplain}</p>
          {problem === undefined ? null : <Problem text={problem} />}
          <Act
            label={M.consents.revoke}
            kind="danger"
            describedBy="revoke-explain"
            act={() => send(`/consents/${consent.consent_ref}/revoke`)}
            onDone={reload}
            onProblem={(reason) => {
              setProblem(problemText(reason));
              return reload();
            }}
          />
        </>
      ) : null}
      {consent.state === "revoked" ? <p>{M.consents.revokedExplain}</p> : null}
      {consent.state === "revoked" && consent.usage.uncertain > 0 ? (
        <p role="status">{M.grants.openAfterRevoke(consent.usage.uncertain)}</p>
      ) : null}
    </section>
  );
}
