import type { Answer, ReadCallAnswer } from "@countersign/plugin";
import { taskValue } from "./call-answer.ts";
import { type Expected, type Raw, readAnswer } from "./wire/answer.ts";

/** What each answer to a held message has to be about, told when it is handed over. */
const expectations = new WeakMap<Answer, Expected>();

/** The answer to a held message has come: here is what it has to be about. */
export function expectAnswer(answer: Answer, expected: Expected): void {
  expectations.set(answer, expected);
}

/**
 * What a commit's answer says (STA-4). Only a task that is over says anything: completed with its result, or failed or
 * rejected in words that the binding may recognise. An agent that is still at work, wants the person, speaks of another
 * task or request, or has not been heard out has proven nothing, and is read back.
 */
export const readCommitAnswer: ReadCallAnswer = (answer) => {
  const expected = expectations.get(answer);
  if (expected === undefined) return { kind: "unknown" };
  const heard = readAnswer(rawOf(answer), expected);
  switch (heard.kind) {
    case "message":
      return heard.data === undefined ? { kind: "unknown" } : { kind: "answer", value: { data: heard.data } };
    case "task":
      if (heard.task.state === "TASK_STATE_COMPLETED") return { kind: "answer", value: taskValue(heard.task) };
      if (heard.task.state === "TASK_STATE_FAILED" || heard.task.state === "TASK_STATE_REJECTED")
        return { kind: "error", value: taskValue(heard.task) };
      return { kind: "unknown" };
    case "refused":
      return { kind: "error", value: { error: heard.reason } };
    case "signed_out":
    case "unactivated":
    case "unreadable":
      return { kind: "unknown" };
  }
};

function rawOf({ status, headers, body }: Answer): Raw {
  return {
    status,
    header: (wanted) => {
      const found = headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
      return found.length === 0 ? undefined : found.join(", ");
    },
    body,
  };
}
