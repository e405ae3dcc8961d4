import { isJsonObject, type Json, type JsonObject, revealText } from "@countersign/wire";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Folded, Text } from "../parts/value.tsx";

/**
 * What the agent itself said, in a box of its own with its label: what the gateway read at the site is a fact, this is a
 * claim. Nothing in it feeds a field of the terms (U32).
 */
export function AgentWords(props: {
  readonly record: JsonObject;
  readonly name: string;
  readonly purpose: string | undefined;
}) {
  const { parameters, agent } = props.record;
  return (
    <section className="agent-words" aria-labelledby="agent-words">
      <h3 id="agent-words">{M.approval.agentBox}</h3>
      <dl className="major">
        <Fact label={M.approval.agentName}>
          <Text text={props.name} />{" "}
          {typeof agent === "string" ? (
            <code>
              <Text text={agent} />
            </code>
          ) : null}
        </Fact>
        {props.purpose === undefined ? null : (
          <Fact label={M.approval.agentPurpose}>
            <Folded value={{ segments: revealText(props.purpose) }} />
          </Fact>
        )}
      </dl>
      <details>
        <summary>{M.approval.agentAsked}</summary>
        <dl className="minor">
          <Members value={parameters} />
        </dl>
      </details>
    </section>
  );
}

/** The members of a record's object by their own names, for who wants to see them all. */
export function Members({ value }: { readonly value: Json | undefined }) {
  if (value === undefined || !isJsonObject(value)) return null;
  return Object.entries(value).map(([member, each]) => (
    <div key={member}>
      <dt>
        <Text text={member} />
      </dt>
      <dd>
        <Folded value={{ segments: revealText(typeof each === "string" ? each : JSON.stringify(each)) }} />
      </dd>
    </div>
  ));
}
