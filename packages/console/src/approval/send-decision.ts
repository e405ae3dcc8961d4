import type { ApprovalDecision, ApprovalView } from "@countersign/gateway/trusted-contract";
import type { Result } from "@countersign/wire";
import { type CallProblem, load, send } from "../server/api.ts";

/** An answer that takes longer is asked for instead. */
const ANSWER_MS = 15_000;
const ASK_FIRST_MS = 500;
const ASK_CAP_MS = 5_000;

/** Posts a decision; `unreachable` says that nobody knows what became of it. */
export async function sendDecision(
  view: ApprovalView,
  decision: ApprovalDecision,
): Promise<Result<ApprovalView, CallProblem>> {
  const late = pause(ANSWER_MS).then((): Result<ApprovalView, CallProblem> => ({ ok: false, reason: "unreachable" }));
  return Promise.race([send<ApprovalView>(`/approvals/${view.action_id}/decision`, decision), late]);
}

/**
 * What became of a decision whose answer was lost: read back until the gateway answers, never guessed. Whoever still
 * listens is asked before each turn. Undefined when nobody does.
 */
export async function readBack(
  actionId: string,
  stillWanted: () => boolean,
): Promise<Result<ApprovalView, CallProblem> | undefined> {
  for (let wait = ASK_FIRST_MS; stillWanted(); wait = Math.min(wait * 2, ASK_CAP_MS)) {
    await pause(wait);
    if (!stillWanted()) return undefined;
    const answer = await load<ApprovalView>(`/approvals/${actionId}`);
    if (answer.ok || !LATER.has(answer.reason)) return answer;
  }
  return undefined;
}

/** Answers of a gateway that is away, starting or stopping: the row is the truth, and it can be read in a moment. */
const LATER: ReadonlySet<CallProblem> = new Set(["unreachable", "busy", "internal", "rate_limited"]);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
