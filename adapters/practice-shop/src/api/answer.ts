import type { Answer } from "@countersign/plugin";
import { type Json, parseJson } from "@countersign/wire";
import { ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX } from "../shared/limits.ts";

/** The JSON of an answer to a commitment; undefined when it is no strict JSON, which confirms and refuses nothing. */
export function answerJson(answer: Answer): Json | undefined {
  const parsed = parseJson(answer.body, { maxBytes: ANSWER_BYTES_MAX, maxDepth: ANSWER_DEPTH_MAX });
  return parsed.ok ? parsed.value : undefined;
}
