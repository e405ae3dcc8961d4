import type { CompletionView, ContinuationView } from "@countersign/gateway/trusted-contract";
import { useEffect, useRef, useState } from "react";
import { takeReturn } from "../accounts/connect.ts";
import { go } from "../app/router.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Host, Text } from "../parts/value.tsx";
import { Countdown } from "../parts/when.tsx";
import { type CallProblem, problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import type { Lost } from "./connection.ts";
import { GoThere } from "./go-there.tsx";
import { LiveView, LostView } from "./live-view.tsx";
import { otherAccount, SiteForm } from "./site-form.tsx";
import { Tries } from "./tries.tsx";

/** The hand-off: the person signs in at the site itself, where no agent can look (MFA-1, MFA-2). */
export function HandoffPage({ id }: { readonly id: string }) {
  const loaded = useLoad<ContinuationView>(`/continuations/${id}`);
  const [begun, setBegun] = useState<ContinuationView>();
  const [done, setDone] = useState<Done>();
  const [over, setOver] = useState<string>();
  const [problem, setProblem] = useState<CallProblem>();
  const asked = useRef(false);
  const state = loaded.value?.state;
  const begin = async () => {
    const answer = await send<ContinuationView>(`/continuations/${id}/begin`);
    setOver(undefined);
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
  const finished = (answer: Done) => {
    setDone(answer);
    const next = takeReturn(id);
    if (next !== undefined) go(next);
  };
  return (
    <Page title={loaded.problem === "not_found" ? M.notFound : titleOf(loaded.value)}>
      <Show loaded={loaded}>
        {(view) => (
          <section className="card">
            <p className="site">
              {M.handoff.site}:{" "}
              <strong>
                <Text text={view.destination_title} />
              </strong>{" "}
              <code>
                <Host origin={view.origin} />
              </code>
            </p>
            {view.task === undefined ? null : (
              <p>
                <Text text={M.handoff.forTask(view.task.operation_title, view.task.agent)} />
              </p>
            )}
            {view.tried_elsewhere_at === undefined ? null : <Problem text={M.handoff.elsewhere} />}
            {view.tries === undefined || view.state === "completed" ? null : <Tries tries={view.tries} />}
            {done !== undefined || view.state === "completed" ? (
              <Finished done={done ?? {}} taskId={view.task?.task_id} />
            ) : view.state === "expired" ? (
              <p role="status">{view.kind === "verification" ? M.handoff.verifyExpired : M.handoff.expired}</p>
            ) : over !== undefined ? (
              <>
                <Problem text={over} />
                <Act label={M.handoff.again} act={begin} />
              </>
            ) : problem !== undefined ? (
              <>
                <Problem text={problemText(problem)} />
                <Act label={M.handoff.again} act={begin} />
              </>
            ) : begun?.mode === "live" ? (
              <Live id={id} kind={view.kind} expiresAt={view.expires_at} begin={begin} onDone={finished} />
            ) : begun?.mode === "redirect" ? (
              <GoThere url={begun.go_to ?? ""} />
            ) : begun?.mode === "form" ? (
              <SiteForm
                id={id}
                first={begun.fields ?? []}
                explain={
                  view.kind === "verification"
                    ? M.handoff.verifyExplain
                    : begun.fields?.length === 0
                      ? M.handoff.agree
                      : M.handoff.form
                }
                onDone={finished}
                onOver={setOver}
              />
            ) : (
              <p role="status">{M.loading}</p>
            )}
          </section>
        )}
      </Show>
    </Page>
  );
}

type Done = Pick<CompletionView, "account_name" | "task_state">;

function titleOf(view: ContinuationView | undefined): string {
  const place = view?.destination_title ?? "…";
  return view?.kind === "verification" ? M.handoff.verifyTitle(place) : M.handoff.title(place);
}

function doneText(done: Done): string {
  if (done.task_state !== undefined) return M.handoff.verified[done.task_state] ?? M.handoff.completed;
  return done.account_name === undefined ? M.handoff.completed : M.handoff.connectedAs(done.account_name);
}

function Finished({ done, taskId }: { readonly done: Done; readonly taskId: string | undefined }) {
  const good = done.task_state === undefined || done.task_state === "succeeded";
  return (
    <>
      <p role="status" className={good ? "settled good" : "settled"}>
        <Text text={doneText(done)} />
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
  readonly kind: ContinuationView["kind"];
  readonly expiresAt: string;
  readonly begin: () => Promise<unknown>;
  readonly onDone: (answer: CompletionView) => void;
}) {
  const { id, onDone } = props;
  const verifies = props.kind === "verification";
  const [message, setMessage] = useState<string>();
  const [lost, setLost] = useState<Lost>();
  const complete = async () => {
    setMessage(undefined);
    const answer = await send<CompletionView>(`/continuations/${id}/complete`);
    if (!answer.ok) setMessage(problemText(answer.reason));
    else if (answer.value.outcome === "connected" || answer.value.outcome === "verified") onDone(answer.value);
    else setMessage(openText(answer.value));
    return answer;
  };
  if (lost !== undefined) {
    return <LostView why={lost} onAgain={() => void props.begin().then(() => setLost(undefined))} />;
  }
  return (
    <>
      <p>{verifies ? M.handoff.verifyExplain : M.handoff.explain}</p>
      <LiveView continuationRef={id} onLost={setLost}>
        {message === undefined ? null : <Problem text={message} />}
        <div className="actions">
          <Act label={verifies ? M.handoff.verifyDone : M.handoff.done} kind="primary" act={complete} />
          <span className="quiet">
            {M.inbox.left} <Countdown to={props.expiresAt} />
          </span>
        </div>
      </LiveView>
    </>
  );
}

/** Why it is not over yet. */
function openText(answer: CompletionView): string {
  switch (answer.outcome) {
    case "not_signed_in":
      return M.handoff.notYet;
    case "not_verified":
      return answer.message ?? M.handoff.verifyNotYet;
    case "other_account":
      return otherAccount(answer);
    default:
      return M.handoff.unavailable;
  }
}
