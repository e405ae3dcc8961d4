import { isJsonObject, type JsonObject } from "@countersign/wire";
import { isIdentifier } from "./wire/task.ts";

/**
 * One turn with an agent. Two members of a bound call's arguments are not the skill's input: `a2a:task` goes on with a
 * task of the agent's, `a2a:context` stays in a context. Both are the agent's own names, kept from an earlier answer.
 */
export interface Turn {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly input: JsonObject;
}

const TASK = "a2a:task";
const CONTEXT = "a2a:context";

/** Undefined when one of the two is no identifier. */
export function turnOf(args: JsonObject): Turn | undefined {
  const { [TASK]: taskId, [CONTEXT]: contextId, ...input } = args;
  if (!isJsonObject(input)) return undefined;
  if (taskId !== undefined && !isIdentifier(taskId)) return undefined;
  if (contextId !== undefined && !isIdentifier(contextId)) return undefined;
  return { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }), input };
}
