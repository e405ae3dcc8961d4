import type { AgentView } from "@countersign/gateway/trusted-contract";
import { useState } from "react";
import { problemText, send } from "../api.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";

export function AgentsPage() {
  const loaded = useLoad<{ readonly agents: readonly AgentView[] }>("/agents");
  return (
    <Page title={M.agents.title}>
      <Show loaded={loaded}>
        {({ agents }) =>
          agents.length === 0 ? (
            <p role="status">{M.agents.empty}</p>
          ) : (
            <ul className="cards">
              {agents.map((agent) => (
                <li key={agent.client_id} className="card">
                  <Go to={`/agents/${agent.client_id}`}>
                    <strong>
                      <Text text={agent.name} />
                    </strong>
                    <span>{M.agents.states[agent.state]}</span>
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

export function AgentPage({ id }: { readonly id: string }) {
  const loaded = useLoad<{ readonly agents: readonly AgentView[] }>("/agents");
  const [problem, setProblem] = useState<string>();
  return (
    <Page title={M.agents.title}>
      <Show loaded={loaded}>
        {({ agents }) => {
          const agent = agents.find((a) => a.client_id === id);
          if (agent === undefined) return <p role="status">{M.gone}</p>;
          const ask = (path: string, body: object = {}) => ({
            act: () => send(`/agents/${id}/${path}`, body),
            onDone: () => void loaded.reload(),
            onProblem: (reason: Parameters<typeof problemText>[0]) => setProblem(problemText(reason)),
          });
          return (
            <section className="card">
              <h2>
                <Text text={agent.name} />
              </h2>
              <p role="status">{M.agents.states[agent.state]}</p>
              <p>{M.agents.explain}</p>
              {problem === undefined ? null : <Problem text={problem} />}
              <div className="actions">
                {agent.state === "requested" ? (
                  <>
                    <Act label={M.agents.accept} kind="primary" {...ask("decision", { decision: "accept" })} />
                    <Act label={M.agents.refuse} {...ask("decision", { decision: "refuse" })} />
                  </>
                ) : null}
                {agent.state === "accepted" ? <Act label={M.agents.revoke} kind="danger" {...ask("revoke")} /> : null}
              </div>
            </section>
          );
        }}
      </Show>
    </Page>
  );
}
