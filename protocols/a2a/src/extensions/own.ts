import type { JsonObject } from "@countersign/wire";
import { FACE_URI, ORCHESTRATION_URI } from "../points.ts";
import type { A2aExtension, ShownTask } from "./extension.ts";

/** Told with every status, whoever asks: a client that knows it sees the exact state (a2a.md §5). */
export const ORCHESTRATION: A2aExtension = {
  uri: ORCHESTRATION_URI,
  description:
    "Metadata of tasks and statuses: the exact state of the gateway's task, why it waits, the opaque reference of what it waits for, and what to do next. An outcome that is unknown says that nothing may be sent again.",
  required: false,
};

/** For a client that can show its user a page: where the account holder does what a task waits for. */
export const FACE: A2aExtension = {
  uri: FACE_URI,
  description:
    "Metadata of tasks and statuses: the page of the gateway where the account holder decides, signs in or confirms. The address gives nobody any right; the page asks who opens it.",
  required: false,
  onTask: personPage,
};

function personPage({ task, issuer }: ShownTask): JsonObject | undefined {
  const { state, task_id: taskId, continuation_ref: continuation } = task;
  if (typeof continuation === "string") return { v: 1, continuation_url: `${issuer}/continuations/${continuation}` };
  return state === "approval_required" && typeof taskId === "string"
    ? { v: 1, approval_url: `${issuer}/tasks/${taskId}` }
    : undefined;
}
