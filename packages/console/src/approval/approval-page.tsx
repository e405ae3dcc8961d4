import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import { isJsonObject } from "@countersign/wire";
import { useEffect, useState } from "react";
import { problemText, send } from "../api.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Countdown } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { CONSOLE_VERSION } from "../version.ts";
import { checkFaithful, type Faithful } from "./faithful.ts";
import { Changes, Terms } from "./terms.tsx";

/** The page that a person stakes money on: drawn from the action record alone, and only if it is the record it says. */
export function ApprovalPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ApprovalView>(`/approvals/${id}`);
  return (
    <Page title={loaded.value?.operation_title ?? M.inbox.kinds.approval}>
      <Show loaded={loaded}>{(view) => <Approval view={view} reload={loaded.reload} />}</Show>
    </Page>
  );
}

function Approval({ view, reload }: { readonly view: ApprovalView; readonly reload: () => Promise<void> }) {
  const [faithful, setFaithful] = useState<Faithful | "checking" | "mismatch">("checking");
  const record = JSON.stringify([view.action, view.action_digest, view.disclosures, view.meaning]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the record is the dependency; its text says when it moved
  useEffect(() => {
    void checkFaithful(view).then((result) => setFaithful(result ?? "mismatch"));
  }, [record]);
  if (faithful === "checking") return <p role="status">{M.loading}</p>;
  const before = view.changed_from?.["terms"];
  return (
    <section className="card approval">
      <h2>{view.meaning.question}</h2>
      {faithful === "mismatch" ? (
        <Problem text={M.approval.mismatch} />
      ) : (
        <>
          <Terms meaning={view.meaning} terms={faithful.terms} personal={faithful.personal} />
          {before !== undefined && isJsonObject(before) ? (
            <Changes meaning={view.meaning} before={before} now={faithful.terms} />
          ) : null}
        </>
      )}
      <dl>
        <div>
          <dt>{M.approval.account}</dt>
          <dd>
            <Text text={`${view.account.name} · ${view.account.destination_title}`} />{" "}
            <code>{view.account.origin}</code>
          </dd>
        </div>
      </dl>
      <p className="quiet">
        <Text text={M.approval.asks(view.agent)} />
      </p>
      {view.status === "pending" ? <Decide view={view} faithful={faithful} reload={reload} /> : <Settled view={view} />}
      <p className="quiet fingerprint">
        {M.approval.digest}: <code>{view.action_digest}</code>
      </p>
    </section>
  );
}

function Decide(props: {
  readonly view: ApprovalView;
  readonly faithful: Faithful | "mismatch";
  readonly reload: () => Promise<void>;
}) {
  const { view, faithful, reload } = props;
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const decide = (decision: "approved" | "denied") => () => {
    const displayDigest = faithful === "mismatch" ? privateDisplay(view) : faithful.displayDigest;
    const surface = { version: CONSOLE_VERSION, display_digest: displayDigest };
    const why = reason.trim() === "" ? {} : { reason };
    return send(`/approvals/${view.action_id}/decision`, {
      decision,
      action_digest: view.action_digest,
      surface,
      ...why,
    });
  };
  const outcome = {
    onDone: () => void reload(),
    onProblem: (p: Parameters<typeof problemText>[0]) => {
      setProblem(p === "conflict" ? M.approval.conflict : problemText(p));
      void reload();
    },
  };
  return (
    <>
      <p>
        {M.approval.expires} <Countdown to={String(view.action["expires_at"])} />
      </p>
      {problem === undefined ? null : <Problem text={problem} />}
      <div className="actions">
        {faithful === "mismatch" ? null : (
          <Act label={view.meaning.affirm} kind="primary" act={decide("approved")} {...outcome} />
        )}
        <Act label={M.approval.deny} act={decide("denied")} {...outcome} />
      </div>
      <div className="field">
        <label htmlFor="deny-reason">{M.approval.denyReason}</label>
        <input id="deny-reason" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    </>
  );
}

function Settled({ view }: { readonly view: ApprovalView }) {
  const { status } = view;
  const text = M.approval[status];
  const reason = view.task_reason;
  return (
    <div role="status">
      <p className={`settled ${status}`}>{text}</p>
      <p className={`state ${view.task_state}`}>{M.states[view.task_state]}</p>
      {reason !== undefined && isReason(reason) ? <p>{REASONS[reason].title}</p> : null}
      <Go to={`/tasks/${view.task_id}`}>{M.approval.follow}</Go>
    </div>
  );
}

function privateDisplay(view: ApprovalView): string {
  const hidden = view.action["private"];
  const digest = hidden !== undefined && isJsonObject(hidden) ? hidden["display_text"] : undefined;
  return typeof digest === "string" ? digest : "";
}
