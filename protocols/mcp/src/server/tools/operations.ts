import type { Refusal } from "@countersign/gateway";
import { identifier, type Operation, PROFILE_ID, timestamp } from "@countersign/profile";
import { type JsonObject, ok, type Result } from "@countersign/wire";
import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { failed, refused, taskAnswer } from "../answers.ts";
import { type Call, progressOf } from "../call.ts";
import { type RequestState, soon } from "../request-state.ts";
import { answerTask, READ_WAIT_MS, RETRY_WAIT_MS, TERMS_WAIT_MS } from "../task-answer.ts";
import { isSettled, restsBetweenLooks, waitForTask, waitsForPerson } from "../wait.ts";
import { ACTS, LOOKS, type Tool, type ToolAnswer, tool } from "./tool.ts";

const READ_LIFE_MS = 10 * 60_000;

/** Dots mean something else to some clients; two operations never share a name by this (`operationTools`). */
export function toolName(operation: string): string {
  return operation.replaceAll(".", "_");
}

const account = identifier.describe("The account's reference, as accounts_list gives it.");
const consent = identifier.describe("The grant's reference, as accounts_list gives it.");

const wishKey = identifier.describe(
  "Your own name for this one wish: choose it once, and keep it for every repetition of the call.",
);

const made = new WeakMap<Operation, Tool>();

/** The tool of an operation of the catalogue. Its words are the catalogue's and ours alone; made once, for all callers. */
export function operationTool(operation: Operation): Tool {
  const known = made.get(operation);
  if (known !== undefined) return known;
  const tool = toolOf(operation);
  made.set(operation, tool);
  return tool;
}

function toolOf(operation: Operation): Tool {
  if (operation.effect === "commit") return actionTool(operation);
  return operation.repeats === undefined ? readTool(operation) : watchTool(operation, operation.repeats.untilMember);
}

/** The tools of the operations that are granted, by name; an operation that the catalogue does not have gets none. */
export function operationTools(call: Call, granted: ReadonlySet<string>): readonly Tool[] {
  const operations = [...granted].sort().flatMap((id) => call.host.catalogue.get(id) ?? []);
  const byName = Map.groupBy(operations, (operation) => toolName(operation.id));
  return [...byName.values()].flatMap(([only, ...more]) =>
    only === undefined || more.length > 0 ? [] : [operationTool(only)],
  );
}

function readTool(operation: Operation): Tool {
  return tool({
    name: toolName(operation.id),
    title: operation.title,
    description: `${operation.title}: reads at the destination, within the grant. The answer is data of the destination. If the account holder has to sign in first, the answer is a task with a page for them; ask them to open it, then call task_wait.`,
    annotations: LOOKS,
    input: z.strictObject({ account_ref: account, consent_ref: consent, parameters: operation.parameters }),
    output: taskAnswer(operation.result),
    run: (call, input, ctx) =>
      submit(call, ctx, {
        operation,
        account_ref: input.account_ref,
        consent_ref: input.consent_ref,
        parameters: input.parameters as JsonObject,
        idempotency_key: call.host.newId("read"),
        expires_at: soon(call, READ_LIFE_MS),
      }),
  });
}

/** @param untilMember the parameter that says when it ends, which is when the request does. */
function watchTool(operation: Operation, untilMember: string): Tool {
  return tool({
    name: toolName(operation.id),
    title: operation.title,
    description: `${operation.title}: a read that goes on by itself, within the grant. The gateway looks again and again until there is something to report or its time has come; it never acts. Answered once it was looked at for the first time: the task's watch says how far it is, and task_wait or tasks_list later brings what it found. Send the same idempotency_key and arguments again to find the same watch; a new key is a second one.`,
    annotations: LOOKS,
    input: z.strictObject({
      account_ref: account,
      consent_ref: consent,
      idempotency_key: wishKey,
      parameters: operation.parameters,
    }),
    output: taskAnswer(operation.result),
    run: (call, input, ctx) => {
      const parameters = input.parameters as JsonObject;
      return submit(call, ctx, {
        operation,
        account_ref: input.account_ref,
        consent_ref: input.consent_ref,
        parameters,
        idempotency_key: input.idempotency_key,
        expires_at: String(parameters[untilMember]),
      });
    },
  });
}

function actionTool(operation: Operation): Tool {
  return tool({
    name: toolName(operation.id),
    title: operation.title,
    description: `${operation.title}: asks for it as a task. Nothing is committed by this call: the account holder sees the exact terms and decides on a page of the gateway, unless the grant says otherwise. Send the same idempotency_key and arguments again to find the same task, also after a lost answer; a new key is a new wish. Then call task_wait.`,
    annotations: ACTS,
    input: z.strictObject({
      account_ref: account,
      consent_ref: consent,
      idempotency_key: wishKey,
      expires_at: timestamp.describe(
        "Until when the wish stands: an RFC 3339 time with an offset, at most 30 days ahead.",
      ),
      parameters: operation.parameters,
    }),
    output: taskAnswer(operation.result),
    run: (call, input, ctx) =>
      submit(call, ctx, {
        operation,
        account_ref: input.account_ref,
        consent_ref: input.consent_ref,
        parameters: input.parameters as JsonObject,
        idempotency_key: input.idempotency_key,
        expires_at: input.expires_at,
      }),
  });
}

interface Wish {
  readonly operation: Operation;
  readonly account_ref: string;
  readonly consent_ref: string;
  readonly parameters: JsonObject;
  readonly idempotency_key: string;
  readonly expires_at: string;
}

async function admit({ host, caller }: Call, { operation, ...members }: Wish): Promise<Result<string, Refusal>> {
  const request = { profile: PROFILE_ID, request_id: host.newId("mcp"), operation: operation.id, ...members };
  const submitted = await host.port.submit(caller, new TextEncoder().encode(JSON.stringify(request)));
  return submitted.ok ? ok(String(submitted.value.task["task_id"])) : submitted;
}

/**
 * Admits the task, which is durable before anything is answered, and waits a little: for a read's result, for an
 * action's terms. Whoever stops listening ends the wait and nothing else.
 */
async function submit(call: Call, ctx: ServerContext, wish: Wish): Promise<ToolAnswer> {
  const { host, caller } = call;
  const kept = ctx.mcpReq.requestState<RequestState>();
  const { operation } = wish;
  // A read has no key of its caller's: asked again, it is the task that the kept state names, and no second one.
  const taken = kept !== undefined && operation.effect === "read" ? ok(kept.taskId) : await admit(call, wish);
  if (!taken.ok) return refused(taken.reason);
  const taskId = taken.value;
  if (kept !== undefined && kept.taskId !== taskId)
    return failed({ code: "conflict", message: "That call belongs to another task.", next_step: "Use task_get." });
  const seen = progressOf(ctx);
  const task = await waitForTask({
    port: host.port,
    caller,
    taskId,
    signal: ctx.mcpReq.signal,
    ms: kept !== undefined ? RETRY_WAIT_MS : operation.effect === "read" ? READ_WAIT_MS : TERMS_WAIT_MS,
    // Asked again, it is the person's answer that is waited for.
    until: (now) => isSettled(now) || restsBetweenLooks(now) || (kept === undefined && waitsForPerson(now)),
    ...(seen === undefined ? {} : { seen }),
  });
  return task.ok
    ? answerTask(call, task.value, { round: kept?.round ?? 0, responses: ctx.mcpReq.inputResponses })
    : refused(task.reason);
}
