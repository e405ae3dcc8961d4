import type { TaskView } from "@countersign/gateway/trusted-contract";
import { formatMoney, isJsonObject, type Json } from "@countersign/wire";
import { useState } from "react";
import { problemText, send } from "../api.ts";
import { M } from "../messages.ts";
import { Act } from "../parts/act.tsx";
import { Go, Page, Problem, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";

const OPEN = ["received", "validating", "authentication_required", "approval_required", "executing"];

export function TasksPage() {
  const loaded = useLoad<{ readonly tasks: readonly TaskView[] }>("/tasks");
  return (
    <Page title={M.tasks.title}>
      <Show loaded={loaded}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <p role="status">{M.tasks.empty}</p>
          ) : (
            <ul className="cards">
              {tasks.map((task) => (
                <li key={task.task_id} className="card">
                  <Go to={`/tasks/${task.task_id}`}>
                    <strong>{task.operation_title}</strong>
                    <span className={`state ${task.state}`}>{M.states[task.state]}</span>
                    {task.needs_review ? <strong className="warning">{M.tasks.review}</strong> : null}
                    <Text text={`${task.agent} · ${task.account}`} />
                    <span className="quiet">
                      <When at={task.created_at} />
                    </span>
                  </Go>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  );
}

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
              <p className={`state ${task.state}`} role="status">
                {M.states[task.state]}
              </p>
              {task.reason_title === undefined ? null : <p>{task.reason_title}</p>}
              <p>
                <Text text={`${task.agent} · ${task.account}`} />
              </p>
              {problem === undefined ? null : <Problem text={problem} />}
              {OPEN.includes(task.state) ? (
                <Act
                  label={M.tasks.withdraw}
                  act={() => send(`/tasks/${id}/withdraw`)}
                  onDone={() => void loaded.reload()}
                  onProblem={(reason) => setProblem(problemText(reason))}
                />
              ) : null}
            </section>
            {task.receipt === undefined ? null : <Receipt receipt={task.receipt} id={id} />}
            <section className="card">
              <h2>{M.tasks.timeline}</h2>
              <ol className="timeline">
                {(task.events ?? []).map((event) => (
                  <li key={event.seq}>
                    <When at={event.at} />
                    <span>{event.label === undefined ? M.states[event.state] : <Text text={event.label} />}</span>
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

function Receipt(props: { readonly receipt: { readonly [member: string]: Json }; readonly id: string }) {
  const { destination, observed, account_seq: number } = props.receipt;
  const confirmation = isObject(destination) ? destination["confirmation"] : undefined;
  const amount = isObject(observed) ? amountOf(observed) : undefined;
  return (
    <section className="card">
      <h2>{M.tasks.receipt}</h2>
      <dl>
        {typeof confirmation === "string" ? (
          <div>
            <dt>{M.tasks.confirmation}</dt>
            <dd>
              <Text text={confirmation} />
            </dd>
          </div>
        ) : null}
        {amount === undefined ? null : (
          <div>
            <dt>{M.tasks.charged}</dt>
            <dd>{amount}</dd>
          </div>
        )}
        <div>
          <dt>{M.tasks.number}</dt>
          <dd>{String(number)}</dd>
        </div>
      </dl>
      <a className="button plain" href={`/trusted/v1/tasks/${props.id}/bundle`} download>
        {M.tasks.bundle}
      </a>
    </section>
  );
}

function isObject(value: Json | undefined): value is { readonly [member: string]: Json } {
  return value !== undefined && isJsonObject(value);
}

function amountOf(observed: { readonly [member: string]: Json }): string | undefined {
  const { total_minor: minor, currency } = observed;
  return typeof minor === "number" && typeof currency === "string" ? formatMoney({ minor, currency }) : undefined;
}
