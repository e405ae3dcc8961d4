import type { InboxView, TaskView } from "@countersign/gateway/trusted-contract";
import { isReason } from "@countersign/profile";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Fact } from "../parts/facts.tsx";
import { Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago, When } from "../parts/when.tsx";
import { send } from "../server/api.ts";
import { useLoad } from "../server/use-load.ts";
import { Looked } from "./looked.tsx";
import { SentBy } from "./sent-by.tsx";
import { mayWithdraw } from "./states.ts";
import { Timeline } from "./timeline.tsx";
import { isWatching, Watched } from "./watched.tsx";

const BACK = { to: "/tasks", label: M.tasks.title };

/** One task's whole story: where it stands and why, what to do, and what happened when. */
export function TaskPage({ id }: { readonly id: string }) {
  const loaded = useLoad<TaskView>(`/tasks/${id}`);
  return (
    <Page title={loaded.value?.operation_title ?? M.tasks.title} back={BACK}>
      <Show loaded={loaded}>
        {(task) => (
          <>
            {task.asks_what_was_seen ? <Looked taskId={id} reload={loaded.reload} /> : null}
            <Standing task={task} reload={loaded.reload} />
            <section className="card" aria-labelledby="timeline">
              <h2 id="timeline">{M.tasks.timeline}</h2>
              <Timeline events={task.events ?? []} />
            </section>
          </>
        )}
      </Show>
    </Page>
  );
}

function leadOf(task: TaskView): string {
  if (task.asks_what_was_seen) return M.tasks.lookedWaits;
  return isWatching(task) ? M.tasks.watching : M.next[task.state];
}

function Standing({ task, reload }: { readonly task: TaskView; readonly reload: () => Promise<void> }) {
  const remedy = task.reason !== undefined && isReason(task.reason) ? M.remedies[task.reason] : undefined;
  return (
    <section className="card">
      <p role="status" className="standing">
        <StateBadge state={task.state} />
      </p>
      <p className="lead">{leadOf(task)}</p>
      {task.needs_review && !task.asks_what_was_seen ? <p className="notice">{M.tasks.reviewMore}</p> : null}
      <dl className="facts">
        {task.reason_title === undefined ? null : (
          <Fact label={M.tasks.why}>
            <Text text={task.reason_title} />
          </Fact>
        )}
        {remedy === undefined ? null : <Fact label={M.tasks.whatNow}>{remedy}</Fact>}
        <Fact label={M.tasks.by}>
          <Text text={task.agent} />
        </Fact>
        <SentBy calledBy={task.called_by} />
        <Watched watch={task.watch} />
        <Fact label={M.tasks.account}>
          <Text text={task.account} />
        </Fact>
        <Fact label={M.tasks.asked}>
          <When at={task.created_at} />
        </Fact>
        <Fact label={M.tasks.moved}>
          <Ago at={task.updated_at} />
        </Fact>
      </dl>
      <div className="actions">
        <WaitsAt task={task} />
        {task.reason === "account_disconnected" ? (
          <Go to="/accounts" className="button primary">
            {M.tasks.toAccounts}
          </Go>
        ) : null}
        {task.receipt === undefined ? null : (
          <Go to={`/receipts/${task.task_id}`} className="button plain">
            {M.tasks.toReceipt}
          </Go>
        )}
        {mayWithdraw(task.state) ? (
          <Confirm
            label={M.tasks.withdraw}
            kind="plain"
            title={M.tasks.withdrawTitle}
            act={() => send(`/tasks/${task.task_id}/withdraw`)}
            onDone={reload}
            onProblem={reload}
          >
            <p>{task.state === "executing" && !isWatching(task) ? M.tasks.withdrawRunning : M.tasks.withdrawExplain}</p>
          </Confirm>
        ) : null}
      </div>
    </section>
  );
}

/** The way to what the task waits for, straight from the inbox where that names it. */
function WaitsAt({ task }: { readonly task: TaskView }) {
  const inbox = useLoad<InboxView>("/inbox");
  if (task.state !== "authentication_required" && task.state !== "approval_required") return null;
  const item = inbox.value?.items.find((i) => i.task_id === task.task_id && i.kind !== "review");
  if (item === undefined)
    return (
      <Go to="/" className="button primary">
        {M.tasks.toInbox}
      </Go>
    );
  return (
    <Go to={item.href} className="button primary">
      {task.state === "approval_required" ? M.tasks.toApproval : M.tasks.toSignIn}
    </Go>
  );
}
