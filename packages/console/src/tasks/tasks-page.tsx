import type { TaskView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Go, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";

/** Everything that agents have proposed, newest first. */
export function TasksPage() {
  const loaded = useLoad<{ readonly tasks: readonly TaskView[] }>("/tasks");
  return (
    <Page title={M.tasks.title}>
      <Show loaded={loaded}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <section className="card empty">
              <p role="status">{M.tasks.empty}</p>
              <p className="quiet">{M.tasks.emptyMore}</p>
            </section>
          ) : (
            <ul className="cards">
              {tasks.map((task) => (
                <li key={task.task_id} className={task.needs_review ? "card review" : "card"}>
                  <Go to={`/tasks/${task.task_id}`}>
                    <strong>{task.operation_title}</strong>
                    <StateBadge state={task.state} />
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
