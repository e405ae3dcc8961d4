import { type ProblemView, REASONS, type Reason } from "@countersign/profile/agent-api";
import type { JsonObject } from "@countersign/wire";

/** What can go wrong on this side of the wire, in a sentence each. */
export const LOCAL_REASONS = {
  unreachable: "The gateway did not answer. What was sent may have arrived: repeat it with the same idempotency key.",
  unexpected_answer: "What answered does not speak this contract. Is this the gateway's address?",
  no_token: "There is no access token: the agent was not let in, or no longer is.",
  timed_out: "It has not come to that in the time you gave. Nothing was cancelled; wait again.",
  aborted: "You aborted the call. What was sent may have arrived.",
} as const;
export type LocalReason = keyof typeof LOCAL_REASONS;
export type ProblemReason = Reason | LocalReason;

/** Why a call has no value. Holds nothing that was sent, and never a token. */
export interface Problem {
  readonly reason: ProblemReason;
  /** A sentence for people. */
  readonly title: string;
  /** The HTTP status of a refusal. */
  readonly status?: number;
  /** Where in the request a rule was broken (RFC 6901), and which. */
  readonly problems?: NonNullable<ProblemView["problems"]>;
  /** The task that the refusal is about. */
  readonly taskId?: string;
  /** How long to wait before another try, as the gateway said. */
  readonly retryAfterMs?: number;
}

export function localProblem(reason: LocalReason): Problem {
  return { reason, title: LOCAL_REASONS[reason] };
}

/** Reads a problem document (RFC 9457); what is none is an unexpected answer. */
export function problemOf(status: number, json: JsonObject, retryAfterMs: number | undefined): Problem {
  const given = json["reason"];
  if (typeof given !== "string" || !Object.hasOwn(REASONS, given)) return localProblem("unexpected_answer");
  const reason = given as Reason;
  const { problems, task_id: taskId } = json as Partial<ProblemView>;
  return {
    reason,
    title: REASONS[reason].title,
    status,
    ...(Array.isArray(problems) ? { problems } : {}),
    ...(typeof taskId === "string" ? { taskId } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Worth another try of the very same request by itself. */
export function isPassing({ reason, status }: Problem): boolean {
  if (reason === "unreachable" || reason === "busy" || reason === "rate_limited" || reason === "internal") return true;
  return reason === "unexpected_answer" && status !== undefined && status >= 500;
}
