import type { TaskView } from "@countersign/profile";
import { formatInstant, type Instant } from "@countersign/wire";
import type { TaskRow } from "../tasks/tasks.ts";

const at = (ms: number) => formatInstant(ms as Instant);

/** How far a watch is, as its agent and its person see it; undefined for whatever is none. */
export function watchView(task: TaskRow): TaskView["watch"] {
  if (task.watch_ends_at === null) return undefined;
  const { watch_looked_at: lookedAt, watch_look_at: lookAt } = task;
  return {
    ends_at: at(task.watch_ends_at),
    looks: task.watch_looks,
    ...(lookedAt === null ? {} : { looked_at: at(lookedAt) }),
    ...(lookAt === null || task.state !== "executing" ? {} : { next_look_at: at(lookAt) }),
    ...(task.watch_troubles === 0 ? {} : { unanswered: task.watch_troubles }),
  };
}

/** Between two looks nothing runs; whoever waits is told when there is something to report. */
export function restsBetweenLooks(task: TaskRow): boolean {
  return task.state === "executing" && task.watch_look_at !== null;
}
