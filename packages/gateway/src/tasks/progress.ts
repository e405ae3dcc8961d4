import type { Core } from "../core.ts";
import type { Tx } from "../store/store.ts";
import { appendEvent, readTask, type TaskRow } from "./tasks.ts";

/** What is being done, in a few words for the person and the agent. */
export interface Note {
  readonly at: number;
  readonly step: string;
  readonly label: string;
}

/**
 * The notes of one step of a task. They are written with the transition that follows, or by themselves once nothing has
 * followed for `waitMs`: a note is no reason for a commit of its own. One that is lost is missed by nobody.
 */
export interface Progress {
  note(step: string, label: string): void;
  /** The notes that wait to be written; whoever takes them writes them. */
  take(): readonly Note[];
}

export function createProgress(core: Core, taskId: string, waitMs: number): Progress {
  let waiting: Note[] = [];
  let timer: NodeJS.Timeout | undefined;
  const take = (): readonly Note[] => {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    return taken;
  };
  const writeAlone = (): void => {
    const notes = take();
    core.store
      .transaction(async (tx) => writeNotes(tx, await readTask(tx, taskId), notes))
      .catch(() => core.log.warn("task.progress_not_noted", { task: taskId }));
  };
  return {
    note(step, label) {
      waiting.push({ at: core.now(), step, label });
      timer ??= setTimeout(writeAlone, waitMs);
    },
    take,
  };
}

/** Of a step whose progress is told to nobody. */
export const UNTOLD_PROGRESS: Progress = { note: () => {}, take: () => [] };

/** Numbered like every event of the task, in the state in which it stands. */
export async function writeNotes(tx: Tx, task: TaskRow, notes: readonly Note[]): Promise<void> {
  for (const note of notes) await appendEvent(tx, { ...note, taskId: task.task_id, state: task.state });
}
