import type { MachineEvent } from "../machine/step.ts";
import type { Tx } from "../store/store.ts";
import { moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { approvedRecord } from "./boundary.ts";
import type { Work } from "./work.ts";

/** received -> validating, and on to executing for a read or for a commit whose approval is still live. */
export async function begin(work: Work): Promise<Work> {
  const { core, operation } = work;
  if (work.task.state === "executing") return work;
  const goesOn = operation.effect === "read" || (await approvedRecord(work)) !== undefined;
  const task = await core.store.transaction((tx) => beginIn(tx, work, goesOn ? "executing" : "validating"));
  return { ...work, task };
}

/** The same inside a transaction that stores more. */
export async function beginIn(tx: Tx, work: Work, to: "validating" | "executing"): Promise<TaskRow> {
  const { core, task, operation } = work;
  let row = await readTask(tx, task.task_id);
  if (row.version !== task.version || row.fence !== task.fence) throw new Error("the task moved meanwhile");
  const go = async (event: MachineEvent): Promise<void> => {
    const moved = await moveTask(tx, row, operation.effect, event, core.now());
    if (!moved.ok) throw new Error("a task that was just read can go on");
    row = moved.value;
  };
  if (row.state === "received") await go({ type: "checks_begun" });
  if (row.state === "validating" && to === "executing") await go({ type: "work_begun" });
  return row;
}
