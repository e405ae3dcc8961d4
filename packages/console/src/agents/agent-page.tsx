import type { AgentView, ConsentView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { CONSENT_TONES } from "../consents/tones.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Badge } from "../parts/badge.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Fact } from "../parts/facts.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Host, Text } from "../parts/value.tsx";
import { Ago, When } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { AGENT_TONES } from "./tones.ts";

const BACK = { to: "/agents", label: M.agents.title };

/** One agent: let in or not, what it may do, and put out again at any time. */
export function AgentPage({ id }: { readonly id: string }) {
  const loaded = useLoad<{ readonly agents: readonly AgentView[] }>("/agents");
  return (
    <Page title={M.agents.one} back={BACK}>
      <Show loaded={loaded}>
        {({ agents }) => {
          const agent = agents.find((a) => a.client_id === id);
          if (agent === undefined) return <p role="status">{M.gone}</p>;
          return (
            <>
              <Standing agent={agent} reload={loaded.reload} />
              {agent.state === "accepted" ? <MayDo agent={agent} /> : null}
            </>
          );
        }}
      </Show>
    </Page>
  );
}

function Standing({ agent, reload }: { readonly agent: AgentView; readonly reload: () => Promise<void> }) {
  const [problem, setProblem] = useState<string>();
  const decide = (decision: "accept" | "refuse") => ({
    act: () => send(`/agents/${agent.client_id}/decision`, { decision }),
    onDone: reload,
    onProblem: (reason: CallProblem) => {
      setProblem(problemText(reason));
      return reload();
    },
  });
  return (
    <section className="card">
      <h2>
        <Text text={agent.name} />
      </h2>
      <p role="status">
        <Badge tone={AGENT_TONES[agent.state]} text={M.agents.states[agent.state]} />
      </p>
      <p>{agent.state === "revoked" || agent.state === "refused" ? M.agents.revokedAll : M.agents.explain}</p>
      <dl className="facts">
        <Fact label={M.agents.asked}>
          <When at={agent.created_at} />
        </Fact>
        {agent.decided_at === undefined ? null : (
          <Fact label={M.agents.decided}>
            <When at={agent.decided_at} />
          </Fact>
        )}
        <Fact label={M.agents.seen}>
          {agent.last_seen_at === undefined ? M.agents.neverSeen : <Ago at={agent.last_seen_at} />}
        </Fact>
        {agent.receivers === undefined ? null : (
          <Fact label={M.agents.told}>
            {agent.receivers.map(({ origin, state }) => (
              <div key={`${origin} ${state}`}>
                <Host origin={origin} />
                {state === "gone" ? `, ${M.agents.toldGone}` : null}
              </div>
            ))}
            <span className="quiet">{M.agents.toldExplain}</span>
          </Fact>
        )}
      </dl>
      {problem === undefined ? null : <Problem text={problem} />}
      {agent.state === "requested" ? (
        <div className="actions">
          <Act label={M.agents.accept} kind="primary" {...decide("accept")} />
          <Act label={M.agents.refuse} {...decide("refuse")} />
        </div>
      ) : null}
      {agent.state === "accepted" ? (
        <div className="apart">
          <Confirm
            label={M.agents.revoke}
            title={M.agents.revokeTitle(agent.name)}
            act={() => send(`/agents/${agent.client_id}/revoke`)}
            onDone={reload}
            onProblem={reload}
          >
            <p>{M.agents.revokeExplain}</p>
            <p>{M.agents.revokeMore}</p>
          </Confirm>
        </div>
      ) : null}
    </section>
  );
}

/** The grants that an agent has: all that it can do. */
function MayDo({ agent }: { readonly agent: AgentView }) {
  const loaded = useLoad<{ readonly consents: readonly ConsentView[] }>("/consents");
  return (
    <section aria-labelledby="may-do">
      <h2 id="may-do">{M.agents.mayDo}</h2>
      <Show loaded={loaded}>
        {({ consents }) => {
          const own = consents.filter(
            (c) => c.client_id === agent.client_id && (c.state === "granted" || c.state === "requested"),
          );
          if (own.length === 0) return <p>{M.agents.mayDoNothing}</p>;
          return (
            <ul className="cards">
              {own.map((consent) => (
                <li key={consent.consent_ref} className="card">
                  <Go to={`/consents/${consent.consent_ref}`}>
                    <span className="line">
                      <strong>
                        <Text text={consent.destination_title} />
                      </strong>
                      <Badge tone={CONSENT_TONES[consent.state]} text={M.consents.states[consent.state]} />
                    </span>
                    <Text text={titles(consent)} />
                    {consent.account === undefined ? null : (
                      <span className="quiet">
                        <Text text={consent.account.name} />
                      </span>
                    )}
                  </Go>
                </li>
              ))}
            </ul>
          );
        }}
      </Show>
    </section>
  );
}

function titles(consent: ConsentView): string {
  const { operations } = consent.granted ?? consent.asked;
  return M.consents.operationsFew(
    operations.map((id) => consent.available_operations.find((o) => o.id === id)?.title ?? id),
  );
}
