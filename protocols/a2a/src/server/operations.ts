import { err, type JsonObject, ok, type Result } from "@countersign/wire";
import { type A2aError, broken, failure, refusedByGateway } from "../wire/errors.ts";
import { readList, readPushCreated, readPushesNamed, readPushNamed, readSend, readTaskNamed } from "../wire/read.ts";
import { statesOf } from "../wire/states.ts";
import { artifactsOf } from "./artifacts.ts";
import type { Call } from "./call.ts";
import { extendedCard } from "./extended-card.ts";
import { historyOf } from "./messages.ts";
import { listPushes, pushProblem, removePush, storePush } from "./pushes.ts";
import { answerSend, shownTo, wholeTask } from "./send.ts";
import { type StreamResponses, streamSend, streamTask } from "./stream.ts";
import { taskIdOf, taskOf } from "./task-view.ts";

// The operations by their names in JSON-RPC. Both bindings come through here, so that neither can do what the other
// cannot (BIND-EQUIV).

export type Answered = Promise<Result<JsonObject, A2aError>>;
export type Operation = (call: Call, params: JsonObject) => Answered;
export type StreamOperation = (call: Call, params: JsonObject) => Promise<Result<StreamResponses, A2aError>>;

const notFound = err(failure("TASK_NOT_FOUND"));

async function sendMessage(call: Call, params: JsonObject): Answered {
  const request = readSend(params);
  return request.ok ? answerSend(call, request.value) : request;
}

async function getTask(call: Call, params: JsonObject): Answered {
  const asked = readTaskNamed(params);
  if (!asked.ok) return asked;
  const task = await call.host.port.task(call.caller, asked.value.id);
  return task.ok ? ok(await wholeTask(call, task.value, asked.value.historyLength)) : notFound;
}

async function listTasks(call: Call, params: JsonObject): Answered {
  const asked = readList(params);
  if (!asked.ok) return asked;
  const { contextId, status, pageSize, pageToken, movedSince, historyLength, artifacts } = asked.value;
  const page = await call.host.port.taskPage(call.caller, {
    limit: pageSize,
    ...(status === undefined ? {} : { states: statesOf(status) }),
    ...(contextId === undefined ? {} : { requestId: contextId }),
    ...(movedSince === undefined ? {} : { movedSince }),
    ...(pageToken === undefined ? {} : { cursor: pageToken }),
  });
  if (!page.ok)
    return err(pageToken === undefined ? refusedByGateway(page.reason) : broken("pageToken", "is no page's"));
  const tasks = await Promise.all(
    page.value.tasks.map(async (task) =>
      taskOf(task, shownTo(call), {
        artifacts: artifacts === "included" ? await artifactsOf(call, task) : [],
        history: await historyOf(call, taskIdOf(task), historyLength),
      }),
    ),
  );
  return ok({ tasks, nextPageToken: page.value.next ?? "", pageSize, totalSize: page.value.total });
}

/** What was submitted is not taken back: the task goes on to its real outcome (STA-5). */
async function cancelTask(call: Call, params: JsonObject): Answered {
  const asked = readTaskNamed(params);
  if (!asked.ok) return asked;
  const done = await call.host.port.cancel(call.caller, asked.value.id);
  if (!done.ok) return notFound;
  const { withdrawal, ...task } = done.value;
  const isWithdrawn = withdrawal === "withdrawn" || task["state"] === "cancelled";
  return isWithdrawn ? ok(await wholeTask(call, task, undefined)) : err(failure("TASK_NOT_CANCELABLE"));
}

async function createPush(call: Call, params: JsonObject): Answered {
  const asked = readPushCreated(params);
  if (!asked.ok) return asked;
  const { taskId, ...config } = asked.value;
  // Whose task it is comes first: an address is judged for those alone who have something to hear of.
  const task = await call.host.port.task(call.caller, taskId);
  if (!task.ok) return notFound;
  const problem = await pushProblem(call, config);
  return problem === undefined ? storePush(call, task.value, config) : err(problem);
}

async function getPush(call: Call, params: JsonObject): Answered {
  const asked = readPushNamed(params);
  if (!asked.ok) return asked;
  const found = await listPushes(call, asked.value.taskId);
  if (!found.ok) return found;
  const one = found.value.find((config) => config["id"] === asked.value.id);
  return one === undefined ? notFound : ok(one);
}

async function listPushConfigs(call: Call, params: JsonObject): Answered {
  const asked = readPushesNamed(params);
  if (!asked.ok) return asked;
  const found = await listPushes(call, asked.value.taskId);
  return found.ok ? ok({ configs: found.value, nextPageToken: "" }) : found;
}

async function deletePush(call: Call, params: JsonObject): Answered {
  const asked = readPushNamed(params);
  if (!asked.ok) return asked;
  const removed = await removePush(call, asked.value.taskId, asked.value.id);
  return removed.ok ? ok({}) : removed;
}

async function sendStreaming(call: Call, params: JsonObject): Promise<Result<StreamResponses, A2aError>> {
  const request = readSend(params);
  return request.ok ? streamSend(call, request.value) : request;
}

async function subscribe(call: Call, params: JsonObject): Promise<Result<StreamResponses, A2aError>> {
  const asked = readTaskNamed(params);
  return asked.ok ? streamTask(call, asked.value.id) : asked;
}

export const OPERATIONS = {
  SendMessage: sendMessage,
  GetTask: getTask,
  ListTasks: listTasks,
  CancelTask: cancelTask,
  CreateTaskPushNotificationConfig: createPush,
  GetTaskPushNotificationConfig: getPush,
  ListTaskPushNotificationConfigs: listPushConfigs,
  DeleteTaskPushNotificationConfig: deletePush,
  GetExtendedAgentCard: (call) => extendedCard(call),
} as const satisfies Readonly<Record<string, Operation>>;

export const STREAMS = {
  SendStreamingMessage: sendStreaming,
  SubscribeToTask: subscribe,
} as const satisfies Readonly<Record<string, StreamOperation>>;

export type OperationName = keyof typeof OPERATIONS | keyof typeof STREAMS;

export function isOperationName(name: unknown): name is OperationName {
  return typeof name === "string" && (Object.hasOwn(OPERATIONS, name) || Object.hasOwn(STREAMS, name));
}
