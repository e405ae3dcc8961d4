import type { AgentView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Badge } from "../parts/badge.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";

const TONES = { requested: "wait", accepted: "good", refused: "bad", revoked: "bad" } as const;

export function AgentsPage() {
  const loaded = useLoad<{ readonly agents: readonly AgentView[] }>("/agents");
  return (
    <Page title={M.agents.title}>
      <Show loaded={loaded}>
        {({ agents }) =>
          agents.length === 0 ? (
            <section className="card empty">
              <p role="status">{M.agents.empty}</p>
              <p className="quiet">
                {M.agents.emptyMore} <code>{M.agents.command}</code>
              </p>
            </section>
          ) : (
            <ul className="cards">
              {agents.map((agent) => (
                <li key={agent.client_id} className="card">
                  <Go to={`/agents/${agent.client_id}`}>
                    <strong>
                      <Text text={agent.name} />
                    </strong>
                    <Badge tone={TONES[agent.state]} text={M.agents.states[agent.state]} />
                    <span className="quiet">
                      <When at={agent.created_at} />
                    </span>
                  </Go>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  );
}

/** One agent: let in or not, and put out again at any time. */
export function AgentPage({ id }: { readonly id: string }) {
  const loaded = useLoad<{ readonly agents: readonly AgentView[] }>("/agents");
  const [problem, setProblem] = useState<string>();
  return (
    <Page title={M.agents.one}>
      <Show loaded={loaded}>
        {({ agents }) => {
          const agent = agents.find((a) => a.client_id === id);
          if (agent === undefined) return <p role="status">{M.gone}</p>;
          const ask = (path: string, body: object = {}) => ({
            act: () => send(`/agents/${id}/${path}`, body),
            onDone: () => loaded.reload(),
            onProblem: (reason: CallProblem) => {
              setProblem(problemText(reason));
              return loaded.reload();
            },
          });
          return (
            <section className="card">
              <h2>
                <Text text={agent.name} />
              </h2>
              <p role="status">
                <Badge tone={TONES[agent.state]} text={M.agents.states[agent.state]} />
              </p>
              <p>{M.agents.explain}</p>
              {problem === undefined ? null : <Problem text={problem} />}
              {agent.state === "requested" ? (
                <div className="actions">
                  <Act label={M.agents.accept} kind="primary" {...ask("decision", { decision: "accept" })} />
                  <Act label={M.agents.refuse} {...ask("decision", { decision: "refuse" })} />
                </div>
              ) : null}
              {agent.state === "accepted" ? (
                <>
                  <p className="quiet">{M.agents.revokeExplain}</p>
                  <Act label={M.agents.revoke} kind="danger" {...ask("revoke")} />
                </>
              ) : null}
            </section>
          );
        }}
      </Show>
    </Page>
  );
}
