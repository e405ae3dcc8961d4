import { identifier } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { refused, taskAnswer, taskBodyForAgents, told } from "../answers.ts";
import { progressOf } from "../call.ts";
import { bodyOf } from "../task-result.ts";
import { isSettled, stateOf, WAIT_MS_MAX, waitForTask } from "../wait.ts";
import { ASKS, LOOKS, type Tool, tool } from "./tool.ts";

const WAIT_SECONDS_DEFAULT = 20;
const RECEIPT_WAIT_MS = 5_000;
const json = z.json();
const task = identifier.describe("The task's reference.");

const taskGet = tool({
  name: "task_get",
  title: "Look at a task",
  description: "Says where a task stands, what should happen next, and the result once there is one.",
  annotations: LOOKS,
  input: z.strictObject({ task_id: task }),
  output: taskAnswer(json),
  async run(call, { task_id }) {
    const found = await call.host.port.task(call.caller, task_id);
    return found.ok ? told(await bodyOf(call, found.value)) : refused(found.reason);
  },
});

const taskWait = tool({
  name: "task_wait",
  title: "Wait for a task",
  description: `Waits until the task changes its state or is settled, at most ${WAIT_MS_MAX / 1000} seconds, and says where it stands. Call it again while the account holder has not decided. Ending the wait ends nothing else.`,
  annotations: LOOKS,
  input: z.strictObject({
    task_id: task,
    seconds: z
      .int()
      .min(1)
      .max(WAIT_MS_MAX / 1000)
      .default(WAIT_SECONDS_DEFAULT),
  }),
  output: taskAnswer(json),
  async run(call, { task_id, seconds }, ctx) {
    const first = await call.host.port.task(call.caller, task_id);
    if (!first.ok) return refused(first.reason);
    const seen = progressOf(ctx);
    const waited = await waitForTask({
      port: call.host.port,
      caller: call.caller,
      taskId: task_id,
      signal: ctx.mcpReq.signal,
      ms: seconds * 1000,
      until: (now) => isSettled(now) || stateOf(now) !== stateOf(first.value),
      ...(seen === undefined ? {} : { seen }),
    });
    return waited.ok ? told(await bodyOf(call, waited.value)) : refused(waited.reason);
  },
});

const taskCancel = tool({
  name: "task_cancel",
  title: "Withdraw a task",
  description:
    "Withdraws a task that has not been submitted. The answer says which it was: withdrawn, or already submitted, which nothing takes back.",
  annotations: ASKS,
  input: z.strictObject({ task_id: task }),
  output: taskAnswer(json).extend({ withdrawal: z.string() }),
  async run(call, { task_id }) {
    const done = await call.host.port.cancel(call.caller, task_id);
    if (!done.ok) return refused(done.reason);
    return told({ ...(await bodyOf(call, done.value)), withdrawal: done.value["withdrawal"] ?? "" });
  },
});

const taskReceipt = tool({
  name: "task_receipt",
  title: "Fetch a task's receipt",
  description:
    "The gateway's signed receipt of a settled task, as a compact JWS with the key set that it is checked with. It proves what was done and gives no right to anything.",
  annotations: LOOKS,
  input: z.strictObject({ task_id: task }),
  output: z.strictObject({
    task_id: z.string(),
    receipt_id: z.string(),
    account_seq: z.int(),
    receipt: z.string(),
    keys: z.string(),
  }),
  async run(call, { task_id }, ctx) {
    const waited = await waitForTask({
      port: call.host.port,
      caller: call.caller,
      taskId: task_id,
      signal: ctx.mcpReq.signal,
      ms: RECEIPT_WAIT_MS,
      // Signed shortly after the end, in the order of the log.
      until: (now) => !isSettled(now) || now["receipt_ref"] !== undefined,
    });
    if (!waited.ok) return refused(waited.reason);
    const receipt = await call.host.port.receipt(call.caller, task_id);
    return receipt.ok ? told({ task_id, ...receipt.value }) : refused(receipt.reason);
  },
});

const tasksList = tool({
  name: "tasks_list",
  title: "List tasks",
  description: "Your own latest tasks, newest first; only those that are not settled if open is true.",
  annotations: LOOKS,
  input: z.strictObject({ open: z.boolean().default(true) }),
  output: z.strictObject({ tasks: z.array(taskAnswer(json)) }),
  async run(call, { open }) {
    const found = await call.host.port.tasks(call.caller, open ? { state: "open" } : {});
    if (!found.ok) return refused(found.reason);
    const tasks = found.value["tasks"] as readonly JsonObject[];
    // Results are fetched one at a time, where they are wanted.
    return told({ tasks: tasks.map((one) => taskBodyForAgents(call.host.issuer, one)) });
  },
});

export const TASK_TOOLS: readonly Tool[] = [taskCancel, taskGet, taskReceipt, taskWait, tasksList];
