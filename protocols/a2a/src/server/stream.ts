import { isTerminal, type TaskState } from "@countersign/profile";
import { err, type JsonObject, ok, type Result } from "@countersign/wire";
import { type A2aError, failure } from "../wire/errors.ts";
import type { SendRequest } from "../wire/read.ts";
import { artifactsOf } from "./artifacts.ts";
import type { Call } from "./call.ts";
import { shownTo, takeMessage, wholeTask, withReceipt } from "./send.ts";
import {
  factsOf,
  type GatewayTask,
  isOver,
  metadataOf,
  type StatusFacts,
  shownState,
  statusOf,
  taskIdOf,
} from "./task-view.ts";
import { Pace } from "./wait.ts";

// A stream reads the task's own numbered events from the store, so every stream of a task, at whatever gateway and
// whenever it was opened, tells the same states in the same order (STREAM-ORDER). Closing one touches nothing.

export type StreamResponses = AsyncGenerator<JsonObject, void, undefined>;

/** The message's stream: its task and what becomes of it, or the one message that answers it. */
export async function streamSend(call: Call, request: SendRequest): Promise<Result<StreamResponses, A2aError>> {
  const sent = await takeMessage(call, request);
  if (!sent.ok) return sent;
  if (sent.value.kind === "message") return ok(only({ message: sent.value.message }));
  return ok(follow(call, taskIdOf(sent.value.task), request.historyLength));
}

export async function streamTask(call: Call, taskId: string): Promise<Result<StreamResponses, A2aError>> {
  const task = await call.host.port.task(call.caller, taskId);
  if (!task.ok) return err(failure("TASK_NOT_FOUND"));
  if (isOver(task.value)) return err(failure("UNSUPPORTED_OPERATION"));
  return ok(follow(call, taskId, undefined));
}

async function* only(response: JsonObject): StreamResponses {
  yield response;
}

interface Seen {
  readonly seq: number;
  readonly task: GatewayTask;
}

/** The task as it is, then each later state; the artifacts before the end. */
async function* follow(call: Call, taskId: string, historyLength: number | undefined): StreamResponses {
  const first = await look(call, taskId);
  if (first === undefined) return;
  const start = isOver(first.task) ? await withReceipt(call, first.task) : first.task;
  yield { task: await wholeTask(call, start, historyLength) };
  if (isOver(first.task)) return;
  let { seq } = first;
  let told = shownState(first.task);
  const pace = new Pace();
  while (!call.signal.aborted) {
    const page = await call.host.port.events(call.caller, taskId, seq);
    if (!page.ok) return;
    const moves = page.value.events.filter((event) => event["step"] === undefined);
    seq = Number(page.value.events.at(-1)?.["seq"] ?? seq);
    // Asked after the events, so it is not older than they are.
    const now = await call.host.port.task(call.caller, taskId);
    if (!now.ok) return;
    for (const [at, event] of moves.entries()) {
      const facts = factsOfEvent(now.value, event, at === moves.length - 1);
      if (isTerminal(facts.state as TaskState)) {
        yield* end(call, now.value, facts);
        return;
      }
      told = facts.state;
      yield statusUpdate(call, facts, now.value);
    }
    // What the site asks of the person moves no state (MFA-6).
    if (moves.length === 0 && shownState(now.value) !== told && !isOver(now.value)) {
      told = shownState(now.value);
      yield statusUpdate(call, factsOf(now.value), now.value);
    }
    if (moves.length > 0) pace.restart();
    await pace.next(call.signal);
  }
}

async function* end(call: Call, task: GatewayTask, facts: StatusFacts): StreamResponses {
  const settled = await withReceipt(call, task);
  const artifacts = await artifactsOf(call, settled);
  const { taskId, contextId } = facts;
  for (const artifact of artifacts) yield { artifactUpdate: { taskId, contextId, artifact, lastChunk: true } };
  yield statusUpdate(call, factsOf(settled), settled);
}

function statusUpdate(call: Call, facts: StatusFacts, task: GatewayTask): JsonObject {
  const isNow = facts.state === shownState(task);
  const metadata = metadataOf(facts, isNow ? task : undefined, shownTo(call));
  const { taskId, contextId } = facts;
  return { statusUpdate: { taskId, contextId, status: statusOf(facts, metadata), metadata } };
}

/** The newest event tells what the task shows now; one that has passed tells its state and reason alone. */
function factsOfEvent(task: GatewayTask, event: JsonObject, isNewest: boolean): StatusFacts {
  const { state, reason, at } = event;
  if (isNewest && task["state"] === state) return factsOf(task);
  return {
    taskId: taskIdOf(task),
    contextId: factsOf(task).contextId,
    state: state as TaskState,
    at: String(at),
    ...(typeof reason === "string" ? { reason } : {}),
  };
}

const EVENT_PAGES_MAX = 100;

/** The task with the number of the last event that it shows: the events are read first, and again if it moved meanwhile. */
async function look(call: Call, taskId: string): Promise<Seen | undefined> {
  let seq = 0;
  for (let pages = 0; pages < EVENT_PAGES_MAX; pages += 1) {
    const page = await call.host.port.events(call.caller, taskId, seq);
    if (!page.ok) return undefined;
    const { events } = page.value;
    seq = Number(events.at(-1)?.["seq"] ?? seq);
    if (events.length > 0) continue;
    const task = await call.host.port.task(call.caller, taskId);
    if (!task.ok) return undefined;
    const more = await call.host.port.events(call.caller, taskId, seq);
    if (!more.ok) return undefined;
    if (more.value.events.length === 0) return { seq, task: task.value };
  }
  const task = await call.host.port.task(call.caller, taskId);
  return task.ok ? { seq, task: task.value } : undefined;
}
