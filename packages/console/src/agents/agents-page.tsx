import type { AgentView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Badge } from "../parts/badge.tsx";
import { CardLink } from "../parts/card-link.tsx";
import { Empty, Page, Show } from "../parts/page.tsx";
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
                <CardLink
                  key={agent.client_id}
                  to={`/agents/${agent.client_id}`}
                  title={agent.name}
                  badge={<Badge tone={AGENT_TONES[agent.state]} text={M.agents.states[agent.state]} />}
                >
                  <span className="quiet">
                    <Seen agent={agent} />
                  </span>
                </CardLink>
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
