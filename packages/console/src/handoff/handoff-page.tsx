import type { CompletionView, ContinuationView } from "@countersign/gateway/trusted-contract";
import { useEffect, useRef, useState } from "react";
import { takeReturn } from "../accounts/connect.ts";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Countdown } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { LiveView, LostView } from "./live-view.tsx";
import { SiteForm } from "./site-form.tsx";

/** The hand-off: the person signs in at the site itself, where no agent can look (MFA-1, MFA-2). */
export function HandoffPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ContinuationView>(`/continuations/${id}`);
  const [begun, setBegun] = useState<ContinuationView>();
  const [done, setDone] = useState<string>();
  const [problem, setProblem] = useState<CallProblem>();
  const asked = useRef(false);
  const state = loaded.value?.state;
  const begin = async () => {
    const answer = await send<ContinuationView>(`/continuations/${id}/begin`);
    setBegun(answer.ok ? answer.value : undefined);
    setProblem(answer.ok ? undefined : answer.reason);
    return answer;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once, when the page knows that it may
  useEffect(() => {
    if (asked.current || (state !== "waiting" && state !== "begun")) return;
    asked.current = true;
    void begin();
  }, [state]);
  const finished = (name: string | undefined) => {
    setDone(name ?? "");
    const next = takeReturn(id);
    if (next !== undefined) go(next);
  };
  return (
    <Page title={M.handoff.title(loaded.value?.destination_title ?? "…")}>
      <Show loaded={loaded}>
        {(view) => (
          <section className="card">
            <p className="site">
              {M.handoff.site}: <strong>{view.destination_title}</strong> <code>{view.origin}</code>
            </p>
            {view.task === undefined ? null : (
              <p>
                <Text text={M.handoff.forTask(view.task.operation_title, view.task.agent)} />
              </p>
            )}
            {done !== undefined || view.state === "completed" ? (
              <Finished name={done ?? ""} taskId={view.task?.task_id} />
            ) : view.state === "expired" ? (
              <p role="status">{M.handoff.expired}</p>
            ) : problem !== undefined ? (
              <>
                <Problem text={problemText(problem)} />
                <Act label={M.handoff.again} act={begin} />
              </>
            ) : begun?.mode === "live" ? (
              <Live id={id} expiresAt={view.expires_at} begin={begin} onDone={finished} />
            ) : begun?.mode === "form" ? (
              <SiteForm id={id} first={begun.fields ?? []} onDone={finished} />
            ) : (
              <p role="status">{M.loading}</p>
            )}
          </section>
        )}
      </Show>
    </Page>
  );
}

function Finished({ name, taskId }: { readonly name: string; readonly taskId: string | undefined }) {
  return (
    <>
      <p role="status" className="settled good">
        <Text text={name === "" ? M.handoff.completed : M.handoff.connectedAs(name)} />
      </p>
      <div className="actions">
        <Go to={taskId === undefined ? "/" : `/tasks/${taskId}`} className="button plain">
          {taskId === undefined ? M.approval.inbox : M.handoff.toTask}
        </Go>
      </div>
    </>
  );
}

function Live(props: {
  readonly id: string;
  readonly expiresAt: string;
  readonly begin: () => Promise<unknown>;
  readonly onDone: (name: string | undefined) => void;
}) {
  const { id, onDone } = props;
  const [message, setMessage] = useState<string>();
  const [lost, setLost] = useState<"lost" | "taken">();
  const complete = async () => {
    setMessage(undefined);
    const answer = await send<CompletionView>(`/continuations/${id}/complete`);
    if (!answer.ok) setMessage(problemText(answer.reason));
    else if (answer.value.outcome === "connected") onDone(answer.value.account_name);
    else setMessage(answer.value.outcome === "not_signed_in" ? M.handoff.notYet : M.handoff.unavailable);
    return answer;
  };
  if (lost !== undefined) {
    return <LostView why={lost} onAgain={() => void props.begin().then(() => setLost(undefined))} />;
  }
  return (
    <>
      <p>{M.handoff.explain}</p>
      <LiveView continuationRef={id} onLost={setLost} />
      {message === undefined ? null : <Problem text={message} />}
      <div className="actions">
        <Act label={M.handoff.done} kind="primary" act={complete} />
        <span className="quiet">
          {M.inbox.left} <Countdown to={props.expiresAt} />
        </span>
      </div>
    </>
  );
}
