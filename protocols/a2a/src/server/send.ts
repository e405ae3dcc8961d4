import { identifier } from "@countersign/profile";
import { canonicalJson, err, type JsonObject, ok, type Result } from "@countersign/wire";
import { LATER_MESSAGE_BYTES_MAX, RECEIPT_WAIT_MS } from "../limits.ts";
import { type A2aError, broken, failure, refusedByGateway } from "../wire/errors.ts";
import type { SendRequest } from "../wire/read.ts";
import { artifactsOf } from "./artifacts.ts";
import type { Call } from "./call.ts";
import { claimMessage, historyOf, releaseMessage, remember, settleMessage } from "./messages.ts";
import { pushProblem, storePush } from "./pushes.ts";
import { askedBy, USAGE } from "./skills.ts";
import { contextIdOf, type GatewayTask, isOver, isParked, taskIdOf, taskOf } from "./task-view.ts";
import { hasReceipt, waitForTask } from "./wait.ts";

/** What a message came to: a task, or an answer that needs none. */
export type Sent =
  | { readonly kind: "task"; readonly task: GatewayTask }
  | { readonly kind: "message"; readonly message: JsonObject };

/**
 * Takes a message. One that names a task is recorded there and begins nothing (a2a.md §9, row 9): what a task waits for
 * is done by the account holder, and no message can stand in for that. Any other asks for something; what makes a task
 * is durable before anything is answered.
 */
export async function takeMessage(call: Call, request: SendRequest): Promise<Result<Sent, A2aError>> {
  const { message } = request;
  if (message.taskId !== undefined && message.taskId !== "") return takeLater(call, request, message.taskId);
  const contextId =
    message.contextId === undefined || message.contextId === "" ? call.host.newId("ctx") : message.contextId;
  if (!identifier.safeParse(contextId).success)
    return err(broken("message.contextId", "letters, digits and . _ : / @ + ~ - only"));
  const asked = askedBy(message, contextId);
  if (!asked.ok) return asked;
  switch (asked.value.kind) {
    case "words":
      return ok({ kind: "message", message: reply(call, contextId, [{ text: USAGE }]) });
    case "query": {
      const answer = await asked.value.answer(call, named(request));
      if (!answer.ok) return answer;
      const data = { data: answer.value, mediaType: "application/json" };
      return ok({ kind: "message", message: reply(call, contextId, [data]) });
    }
    case "act":
      return takeWish(call, request, asked.value.request);
  }
}

async function takeWish(call: Call, request: SendRequest, wish: JsonObject): Promise<Result<Sent, A2aError>> {
  const { host, caller } = call;
  const { messageId } = request.message;
  const badPush = request.push === undefined ? undefined : await pushProblem(call, request.push);
  if (badPush !== undefined) return err(badPush);
  const claimed = await claimMessage(call, messageId, request.raw);
  if (!claimed.ok) return err(broken("message.messageId", "was used for another message"));
  if (claimed.value.kind === "again" && claimed.value.madeRef !== undefined) {
    const task = await host.port.task(caller, claimed.value.madeRef);
    return task.ok ? ok({ kind: "task", task: task.value }) : err(failure("TASK_NOT_FOUND"));
  }
  const submitted = await host.port.submit(caller, new TextEncoder().encode(JSON.stringify(wish)));
  if (!submitted.ok) {
    await releaseMessage(call, messageId, claimed.value);
    return err(refusedByGateway(submitted.reason));
  }
  const { task } = submitted.value;
  await settleMessage(call, named(request), claimed.value, taskIdOf(task));
  await remember(call, taskIdOf(task), request.raw);
  if (request.push !== undefined) {
    const stored = await storePush(call, task, request.push);
    if (!stored.ok) return stored;
  }
  return ok({ kind: "task", task });
}

async function takeLater(call: Call, request: SendRequest, taskId: string): Promise<Result<Sent, A2aError>> {
  const { message } = request;
  const task = await call.host.port.task(call.caller, taskId);
  if (!task.ok) return err(failure("TASK_NOT_FOUND"));
  if (message.contextId !== undefined && message.contextId !== "" && message.contextId !== contextIdOf(task.value))
    return err(broken("message.contextId", "is not the task's"));
  if (isOver(task.value)) return err(failure("UNSUPPORTED_OPERATION"));
  if (canonicalJson(request.raw).length > LATER_MESSAGE_BYTES_MAX)
    return err(broken("message", `a message to a task is at most ${LATER_MESSAGE_BYTES_MAX} bytes`));
  const badPush = request.push === undefined ? undefined : await pushProblem(call, request.push);
  if (badPush !== undefined) return err(badPush);
  const claimed = await claimMessage(call, message.messageId, request.raw);
  if (!claimed.ok) return err(broken("message.messageId", "was used for another message"));
  await settleMessage(call, named(request), claimed.value, taskId);
  await remember(call, taskId, request.raw);
  if (request.push !== undefined) {
    const stored = await storePush(call, task.value, request.push);
    if (!stored.ok) return stored;
  }
  return ok({ kind: "task", task: task.value });
}

/**
 * Blocks until the task is over or waits for the account holder, and no longer than our bound: an unknown outcome may
 * stay so for hours, and the block must end (a2a.md §5).
 */
export async function answerSend(call: Call, request: SendRequest): Promise<Result<JsonObject, A2aError>> {
  const sent = await takeMessage(call, request);
  if (!sent.ok) return sent;
  if (sent.value.kind === "message") return ok({ message: sent.value.message });
  const taskId = taskIdOf(sent.value.task);
  const wait = { ms: call.door.blockMs, until: (task: GatewayTask) => isParked(task) || isOver(task) };
  const waited = request.mode === "at_once" ? ok(sent.value.task) : await waitForTask(call, taskId, wait);
  if (!waited.ok) return err(failure("TASK_NOT_FOUND"));
  const task = request.mode === "at_once" ? waited.value : await withReceipt(call, waited.value);
  return ok({ task: await wholeTask(call, task, request.historyLength) });
}

/** The task once its receipt stands, or as it is after a little while. */
export async function withReceipt(call: Call, task: GatewayTask): Promise<GatewayTask> {
  const waited = await waitForTask(call, taskIdOf(task), { ms: RECEIPT_WAIT_MS, until: hasReceipt });
  return waited.ok ? waited.value : task;
}

export async function wholeTask(call: Call, task: GatewayTask, historyLength: number | undefined): Promise<JsonObject> {
  return taskOf(task, shownTo(call), {
    artifacts: await artifactsOf(call, task),
    history: await historyOf(call, taskIdOf(task), historyLength),
  });
}

export function shownTo(call: Call) {
  return { issuer: call.host.issuer, published: call.door.extensions, active: call.active };
}

function reply(call: Call, contextId: string, parts: readonly JsonObject[]): JsonObject {
  return { messageId: call.host.newId("msg"), contextId, role: "ROLE_AGENT", parts };
}

function named({ message, raw }: SendRequest) {
  return { messageId: message.messageId, raw };
}
