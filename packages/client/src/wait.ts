import { isTerminal, type TaskView } from "@countersign/profile/agent-api";
import { err, type Result } from "@countersign/wire";
import { type CallOptions, type Http, pauseAfter } from "./http.ts";
import { WAIT_MS, WAIT_MS_MAX } from "./limits.ts";
import { openNews } from "./news.ts";
import { isPassing, localProblem, type Problem } from "./problem.ts";

export interface WaitOptions extends CallOptions {
  /** When to stop waiting; unless said, once the task is at its end. */
  readonly until?: (task: TaskView) => boolean;
  /** Hears each revision, the first one too: the place to ask the person when it is their turn. */
  readonly onChange?: (task: TaskView) => void;
  /** The longest that this call takes; a minute unless said. Ending it cancels nothing. */
  readonly timeoutMs?: number;
}

/**
 * Waits for a task by its event stream, and by reading it again where there is none. The stream only says when to look:
 * a dropped connection loses nothing, sends nothing, and submits nothing.
 */
export async function waitForTask(
  http: Http,
  read: (signal: AbortSignal) => Promise<Result<TaskView, Problem>>,
  path: string,
  options: WaitOptions,
): Promise<Result<TaskView, Problem>> {
  const { until = (task: TaskView) => isTerminal(task.state), onChange } = options;
  const { clock } = http;
  const end = clock.now() + Math.min(options.timeoutMs ?? WAIT_MS, WAIT_MS_MAX);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const aborted = () => options.signal?.aborted === true;
  const news = openNews(http, path);
  let revision = 0;
  let inVain = 0;
  void clock.pause(end - clock.now(), signal).then(() => over.abort());
  try {
    for (;;) {
      const task = await read(signal);
      if (aborted()) return err(localProblem("aborted"));
      if (task.ok) {
        if (task.value.revision !== revision) {
          revision = task.value.revision;
          onChange?.(task.value);
        }
        if (until(task.value)) return task;
      } else if (!isPassing(task.reason) && task.reason.reason !== "aborted") return task;
      if (over.signal.aborted || clock.now() >= end) return err(localProblem("timed_out"));
      const heard = await news.next(signal);
      if (aborted()) return err(localProblem("aborted"));
      inVain = heard === "moved" ? 0 : inVain + 1;
      // Without a stream the gateway says how often to look.
      const look = task.ok ? Math.max(task.value.poll_after_ms, pauseAfter(1)) : pauseAfter(inVain);
      if (heard === "ended") await clock.pause(Math.max(0, Math.min(look, end - clock.now())), signal);
    }
  } finally {
    news.close();
    over.abort();
  }
}
