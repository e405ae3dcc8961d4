import { type CallAnswer, SiteTrouble } from "@countersign/plugin";
import type { Json } from "@countersign/wire";
import type { Heard } from "./wire/answer.ts";
import { shortState } from "./wire/state.ts";
import type { HeardTask } from "./wire/task.ts";

/**
 * What an answer is worth to a bound call. Its value has two members: `data` is what the agent answered, `task` names its
 * task (`id`, `context_id`, `state`), so that a binding can keep and look at it.
 * @param how `call`: a skill was called. `look`: a task was looked at, and one that is not over proves nothing yet.
 * @throws SiteTrouble when nothing can be learnt from it.
 */
export function callAnswer(heard: Heard, how: "call" | "look"): CallAnswer {
  switch (heard.kind) {
    case "signed_out":
      return { kind: "sign_in" };
    case "unactivated":
      return { kind: "gap", why: "the agent has not activated an extension that its own card requires" };
    case "unreadable":
      throw new SiteTrouble(heard.why);
    case "message":
      if (heard.data === undefined) throw new SiteTrouble("the agent answered without data");
      return { kind: "answer", value: { data: heard.data } };
    case "refused":
      return { kind: "error", value: { error: heard.reason } };
    case "task":
      return ofTask(heard.task, how);
  }
}

function ofTask(task: HeardTask, how: "call" | "look"): CallAnswer {
  switch (task.state) {
    case "TASK_STATE_COMPLETED":
      return { kind: "answer", value: taskValue(task) };
    case "TASK_STATE_INPUT_REQUIRED":
      // Its data is what the next turn is asked about: terms that wait for a word.
      if (task.data === undefined && how === "call")
        return { kind: "gap", why: "the agent asks for something that is not bound" };
      return { kind: "answer", value: taskValue(task) };
    case "TASK_STATE_FAILED":
    case "TASK_STATE_REJECTED":
    case "TASK_STATE_CANCELED":
      return how === "look" ? { kind: "answer", value: taskValue(task) } : { kind: "error", value: taskValue(task) };
    case "TASK_STATE_AUTH_REQUIRED":
      // The state is passed on; where the agent would send the person is said on the hand-off's page (a2a.md section 5).
      return how === "look" ? { kind: "error", value: taskValue(task) } : { kind: "sign_in" };
    case "TASK_STATE_SUBMITTED":
    case "TASK_STATE_WORKING":
      if (how === "look") return { kind: "error", value: taskValue(task) };
      throw new SiteTrouble("the agent is still at work");
  }
}

export function taskValue({ id, contextId, state, data }: HeardTask): Json {
  return {
    task: { id, context_id: contextId, state: shortState(state) },
    ...(data === undefined ? {} : { data }),
  };
}
