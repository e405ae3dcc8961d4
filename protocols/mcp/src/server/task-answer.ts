import type { JsonObject } from "@countersign/wire";
import { type CallToolResult, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { type Call, clientCan } from "./call.ts";
import { ANSWER_KEY, personPage } from "./person-page.ts";
import { ROUNDS_MAX, sealState } from "./request-state.ts";
import { resultForCaller } from "./task-result.ts";
import { taskShape } from "./tasks-extension.ts";
import type { ToolAnswer } from "./tools/tool.ts";
import { isSettled, waitsForPerson } from "./wait.ts";

/** How long a call waits: for a read's result, for an action's terms, and for a person who was asked just now. */
export const READ_WAIT_MS = 20_000;
export const TERMS_WAIT_MS = 10_000;
export const RETRY_WAIT_MS = 20_000;

/**
 * How a call of an operation is answered, by the best of three ways that the client said it can follow: a task of the
 * tasks extension, a page for its user to open, and always the task's reference.
 */
export async function answerTask(
  call: Call,
  task: JsonObject,
  asked: { readonly round: number; readonly responses: Record<string, unknown> | undefined },
): Promise<ToolAnswer> {
  if (isSettled(task)) return resultForCaller(call, task);
  const can = clientCan(call);
  if (can.tasks) return taskShape(call, task) as unknown as CallToolResult;
  const page = personPage(call.host.issuer, task);
  if (
    can.openUrl &&
    waitsForPerson(task) &&
    page !== undefined &&
    asked.round < ROUNDS_MAX &&
    !declined(asked.responses)
  ) {
    return inputRequired({
      inputRequests: { [ANSWER_KEY]: inputRequired.elicitUrl(page) },
      requestState: sealState(call, { taskId: String(task["task_id"]), round: asked.round + 1 }),
    });
  }
  return resultForCaller(call, task);
}

/** "accept" means that somebody agreed to open a page, and decides nothing; a refusal to open it is respected. */
function declined(responses: Record<string, unknown> | undefined): boolean {
  const view = inputResponse(responses, ANSWER_KEY);
  return view.kind === "elicit" && view.action !== "accept";
}
