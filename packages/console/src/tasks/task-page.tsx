import type { TaskEventView, TaskView } from "@countersign/gateway/trusted-contract";
import { isReason, REASONS } from "@countersign/profile";
import { useState } from "react";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { StateBadge } from "../parts/badge.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { problemText, send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { ReceiptCard } from "./receipt-card.tsx";

const WITHDRAWABLE: readonly string[] = [
  "received",
  "validating",
  "authentication_required",
  "approval_required",
  "executing",
];
const WAITS: readonly string[] = ["authentication_required", "approval_required"];

/** One task's whole story: where it stands, what to do, its receipt, and what happened when. */
export function TaskPage({ id }: { readonly id: string }) {
  const loaded = useLoad<TaskView>(`/tasks/${id}`);
  const [problem, setProblem] = useState<string>();
  return (
    <Page title={M.tasks.title}>
      <Show loaded={loaded}>
        {(task) => (
          <>
            <section className="card">
              <h2>{task.operation_title}</h2>
              <p role="status">
                <StateBadge state={task.state} />
              </p>
              {task.reason_title === undefined ? null : <p>{task.reason_title}</p>}
              <p>{M.next[task.state]}</p>
              {task.needs_review ? <p className="notice">{M.tasks.reviewMore}</p> : null}
              <p className="quiet">
                <Text text={`${task.agent} · ${task.account}`} />
              </p>
              {problem === undefined ? null : <Problem text={problem} />}
              <div className="actions">
                {WAITS.includes(task.state) ? (
                  <Go to="/" className="button primary">
                    {M.tasks.toInbox}
                  </Go>
                ) : null}
                {WITHDRAWABLE.includes(task.state) ? (
                  <Act
                    label={M.tasks.withdraw}
                    act={() => send(`/tasks/${id}/withdraw`)}
                    onDone={loaded.reload}
                    onProblem={(reason) => {
                      setProblem(problemText(reason));
                      return loaded.reload();
                    }}
                  />
                ) : null}
              </div>
            </section>
            {task.receipt === undefined ? null : <ReceiptCard receipt={task.receipt} taskId={id} />}
            <section className="card">
              <h2>{M.tasks.timeline}</h2>
              {(task.events ?? []).length === 0 ? <p>{M.tasks.noEvents}</p> : null}
              <ol className="timeline">
                {(task.events ?? []).map((event) => (
                  <li key={event.seq}>
                    <When at={event.at} />
                    <Happened event={event} />
                  </li>
                ))}
              </ol>
            </section>
          </>
        )}
      </Show>
    </Page>
  );
}

function Happened({ event }: { readonly event: TaskEventView }) {
  const { reason } = event;
  return (
    <span>
      {event.label === undefined ? M.states[event.state] : <Text text={event.label} />}
      {reason !== undefined && isReason(reason) ? <span className="quiet">: {REASONS[reason].title}</span> : null}
    </span>
  );
}
