import type { JsonObject } from "@countersign/wire";
import { taskBodyForAgents } from "./answers.ts";

/** The key of the one thing that is ever asked of a client's user: to open a page of ours. */
export const ANSWER_KEY = "account_holder";

/** The page where the account holder does what the task waits for. Its address carries no authority and nothing personal. */
export function personPage(
  issuer: string,
  task: JsonObject,
): { readonly url: string; readonly message: string } | undefined {
  const { approval_url: approval, continuation_url: continuation } = taskBodyForAgents(issuer, task);
  if (typeof continuation === "string")
    return { url: continuation, message: "Open Countersign to sign in or confirm at the destination." };
  if (typeof approval === "string")
    return { url: approval, message: "Open Countersign to look at the terms and decide." };
  return undefined;
}
