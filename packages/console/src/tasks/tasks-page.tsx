import type { TaskView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { StateBadge } from "../parts/badge.tsx";
import { CardLink } from "../parts/card-link.tsx";
import { Empty, Page, Show } from "../parts/page.tsx";
import { Text } from "../parts/value.tsx";
import { Ago } from "../parts/when.tsx";
import { useLoad } from "../server/use-load.ts";
import { isOpen } from "./states.ts";

/** Everything that agents have proposed, newest first; what is under way before what is settled. */
export function TasksPage() {
  const loaded = useLoad<{ readonly tasks: readonly TaskView[] }>("/tasks");
  return (
    <Page title={M.tasks.title}>
      <Show loaded={loaded}>
        {({ tasks }) => {
          if (tasks.length === 0) return <Empty title={M.tasks.empty}>{M.tasks.emptyMore}</Empty>;
          const open = tasks.filter((task) => isOpen(task.state) || task.needs_review);
          const settled = tasks.filter((task) => !open.includes(task));
          return (
            <>
              <Group title={M.tasks.open} tasks={open} />
              <Group title={M.tasks.settled} tasks={settled} />
            </>
          );
        }}
      </Show>
    </Page>
  );
}

function Group({ title, tasks }: { readonly title: string; readonly tasks: readonly TaskView[] }) {
  if (tasks.length === 0) return null;
  return (
    <section>
      <h2 className="group-title">{title}</h2>
      <ul className="cards">
        {tasks.map((task) => (
          <CardLink
            key={task.task_id}
            to={`/tasks/${task.task_id}`}
            title={task.operation_title}
            badge={<StateBadge state={task.state} />}
            mark={task.needs_review ? "review" : undefined}
          >
            {task.needs_review ? <strong className="warning">{M.tasks.review}</strong> : null}
            <span>
              <Text text={`${task.agent} · ${task.account}`} />
            </span>
            <span className="quiet">
              <Ago at={task.created_at} />
            </span>
          </CardLink>
        ))}
      </ul>
    </section>
  );
}
