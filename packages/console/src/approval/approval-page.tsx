import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { isJsonObject } from "@countersign/wire";
import { useState } from "react";
import { M } from "../messages.ts";
import { Page, Problem, Show } from "../parts/page.tsx";
import { useLoad } from "../server/use-load.ts";
import { AgentWords } from "./agent-words.tsx";
import { Changes } from "./changes-list.tsx";
import { Decide, TimeLeft } from "./decide.tsx";
import { Earlier } from "./earlier.tsx";
import { Settled } from "./settled.tsx";
import { MoreTerms, Terms } from "./terms.tsx";
import { useFaithful } from "./use-faithful.ts";

/** The page that a person stakes money on: drawn from the action record alone, and only if it is the record it says. */
export function ApprovalPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ApprovalView>(`/approvals/${id}`);
  return (
    <Page
      title={loaded.value?.operation_title ?? (loaded.problem === "not_found" ? M.notFound : M.inbox.kinds.approval)}
    >
      <Show loaded={loaded}>{(view) => <Approval view={view} id={id} reload={loaded.reload} />}</Show>
    </Page>
  );
}

/**
 * Always in this order: what is asked, what it costs and whom, whose account, until when; the rest of the terms; what
 * moved and what was done before; the agent's own words; then the decision. Nothing of a site or an agent stands between
 * the question and the terms that matter.
 */
function Approval(props: { readonly view: ApprovalView; readonly id: string; readonly reload: () => Promise<void> }) {
  const { view, id, reload } = props;
  const faithful = useFaithful(view, id);
  const [tooLate, setTooLate] = useState<"approved" | "denied">();
  if (faithful === "checking") return <p role="status">{M.loading}</p>;
  const pending = view.status === "pending";
  const before = view.changed_from?.["terms"];
  const changed = before !== undefined && isJsonObject(before);
  return (
    <section className="card approval">
      {pending ? null : <Settled view={view} tooLate={tooLate} />}
      <h2>{pending ? view.meaning.question : M.approval.asked}</h2>
      {faithful === "mismatch" ? (
        <Problem text={M.approval.mismatch} />
      ) : (
        <>
          {changed && pending ? <p className="moved">{M.approval.changedShort}</p> : null}
          <Terms
            view={view}
            faithful={faithful}
            left={pending ? <TimeLeft to={String(faithful.record["expires_at"])} /> : null}
          />
          {changed ? <Changes view={view} faithful={faithful} before={before} /> : null}
          {view.may_be_done === true ? <Problem text={M.approval.mayBeDone} /> : null}
          {view.earlier === undefined ? null : <Earlier earlier={view.earlier} />}
          <MoreTerms view={view} faithful={faithful} />
          <AgentWords record={faithful.record} name={view.agent} purpose={view.purpose} />
        </>
      )}
      {pending ? <Decide view={view} faithful={faithful} reload={reload} onTooLate={setTooLate} /> : null}
      <p className="quiet fingerprint">
        {M.approval.digest}: <code>{faithful === "mismatch" ? view.action_digest : faithful.actionDigest}</code>
      </p>
    </section>
  );
}
