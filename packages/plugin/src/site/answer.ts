import { type Json, parseJson } from "@countersign/wire";
import type { Answer } from "../seams/session.ts";

const ANSWER_BYTES_MAX = 256 * 1024;
const ANSWER_DEPTH_MAX = 16;

/** The JSON of an answer to a commitment; undefined when it is no strict JSON, which confirms and refuses nothing. */
export function answerJson(answer: Answer): Json | undefined {
  const parsed = parseJson(answer.body, { maxBytes: ANSWER_BYTES_MAX, maxDepth: ANSWER_DEPTH_MAX });
  return parsed.ok ? parsed.value : undefined;
}
