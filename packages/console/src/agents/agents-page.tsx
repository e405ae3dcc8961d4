import type { AgentView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { Empty, Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { AGENT_TONES } from "./tones.ts";

/** Everybody who asked to act for this person. */
export function AgentsPage() {
  const loaded = useLoad<{ readonly agents: readonly AgentView[] }>("/agents");
  return (
    <Page title={M.agents.title}>
      <Show loaded={loaded}>
        {({ agents }) =>
          agents.length === 0 ? (
            <Empty title={M.agents.empty}>
              {M.agents.emptyMore} <code>{M.agents.command}</code>
            </Empty>
          ) : (
            <ul className="cards">
              {agents.map((agent) => (
                <li key={agent.client_id} className="card">
                  <Go to={`/agents/${agent.client_id}`}>
                    <span className="line">
                      <strong>
                        <Text text={agent.name} />
                      </strong>
                      <Badge tone={AGENT_TONES[agent.state]} text={M.agents.states[agent.state]} />
                    </span>
                    <span className="quiet">
                      <Seen agent={agent} />
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

function Seen({ agent }: { readonly agent: AgentView }) {
  if (agent.last_seen_at === undefined) return M.agents.neverSeen;
  return (
    <>
      {M.agents.seenShort} <Ago at={agent.last_seen_at} />
    </>
  );
}
