import { M } from "../messages.ts";
import { Confirm } from "../parts/confirm.tsx";
import { send } from "../server/api.ts";

/** After a restore only the person can tell whether this was done (STA-8): they look, and say so. */
export function Looked(props: { readonly taskId: string; readonly reload: () => Promise<void> }) {
  const { taskId, reload } = props;
  const answer = (found: "done" | "not_done") => ({
    act: () => send(`/tasks/${taskId}/looked`, { found }),
    onDone: reload,
    onProblem: reload,
    kind: "plain" as const,
  });
  return (
    <section className="card question" aria-labelledby="looked">
      <h2 id="looked">{M.tasks.looked}</h2>
      <p>{M.tasks.lookedExplain}</p>
      <div className="actions">
        <Confirm label={M.tasks.lookedDone} title={M.tasks.lookedDoneTitle} {...answer("done")}>
          <p>{M.tasks.lookedDoneExplain}</p>
        </Confirm>
        <Confirm label={M.tasks.lookedNotDone} title={M.tasks.lookedNotDoneTitle} {...answer("not_done")}>
          <p>{M.tasks.lookedNotDoneExplain}</p>
        </Confirm>
      </div>
    </section>
  );
}
