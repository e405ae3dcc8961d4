import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Text } from "../parts/value.tsx";

/** What the agent itself said, set apart from what the gateway read at the site: the one is a wish, the other a fact. */
export function AgentWords({ record }: { readonly record: JsonObject }) {
  const { agent, parameters, limits } = record;
  return (
    <details className="agent-words">
      <summary>{M.approval.agentWords}</summary>
      <dl className="minor">
        {typeof agent === "string" ? (
          <Fact label="agent">
            <Text text={agent} />
          </Fact>
        ) : null}
        <Members value={parameters} />
      </dl>
      {limits !== undefined && isJsonObject(limits) && Object.keys(limits).length > 0 ? (
        <>
          <span className="kind">{M.approval.limits}</span>
          <dl className="minor">
            <Members value={limits} />
          </dl>
        </>
      ) : null}
    </details>
  );
}

function Members({ value }: { readonly value: Json | undefined }) {
  if (value === undefined || !isJsonObject(value)) return null;
  return Object.entries(value).map(([member, each]) => (
    <Fact key={member} label={member}>
      <Text text={typeof each === "string" ? each : JSON.stringify(each)} />
    </Fact>
  ));
}
