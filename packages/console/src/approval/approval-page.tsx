import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { isJsonObject, type JsonObject } from "@countersign/wire";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Countdown } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { AgentWords } from "./agent-words.tsx";
import { Decide } from "./decide.tsx";
import { Settled } from "./settled.tsx";
import { Changes, Terms } from "./terms.tsx";
import { useFaithful } from "./use-faithful.ts";

/** The page that a person stakes money on: drawn from the action record alone, and only if it is the record it says. */
export function ApprovalPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ApprovalView>(`/approvals/${id}`);
  return (
    <Page title={loaded.value?.operation_title ?? M.inbox.kinds.approval}>
      <Show loaded={loaded}>{(view) => <Approval view={view} id={id} reload={loaded.reload} />}</Show>
    </Page>
  );
}

function Approval(props: { readonly view: ApprovalView; readonly id: string; readonly reload: () => Promise<void> }) {
  const { view, id, reload } = props;
  const faithful = useFaithful(view, id);
  if (faithful === "checking") return <p role="status">{M.loading}</p>;
  const before = view.changed_from?.["terms"];
  const pending = view.status === "pending";
  return (
    <section className="card approval">
      {pending ? null : <Settled view={view} />}
      <h2>{view.meaning.question}</h2>
      {faithful === "mismatch" ? (
        <Problem text={M.approval.mismatch} />
      ) : (
        <>
          {before !== undefined && isJsonObject(before) ? (
            <Changes meaning={view.meaning} before={before} now={faithful.terms} />
          ) : null}
          <Terms meaning={view.meaning} terms={faithful.terms} personal={faithful.personal}>
            <dl className="major">
              <Fact label={M.approval.account}>
                <Text text={`${view.account.name} · ${view.account.destination_title}`} />
              </Fact>
              <Fact label={M.approval.route}>{routeText(faithful.record)}</Fact>
              {pending ? (
                <Fact label={M.approval.expires}>
                  <Countdown to={String(faithful.record["expires_at"])} />
                </Fact>
              ) : null}
            </dl>
          </Terms>
          <p className="quiet">
            <Text text={M.approval.asks(view.agent)} />
          </p>
          <AgentWords record={faithful.record} />
        </>
      )}
      {pending ? <Decide view={view} faithful={faithful} reload={reload} /> : null}
      <p className="quiet fingerprint">
        {M.approval.digest}: <code>{faithful === "mismatch" ? view.action_digest : faithful.actionDigest}</code>
      </p>
    </section>
  );
}

/** By which way and where it will be done, from the record itself. */
function routeText(record: JsonObject): string {
  const { route } = record;
  if (route === undefined || !isJsonObject(route)) return "";
  const { kind, origin } = route;
  const way = typeof kind === "string" ? (M.routes[kind] ?? kind) : "";
  return `${way}, ${typeof origin === "string" ? origin : ""}`;
}
