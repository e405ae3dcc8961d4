import type { CallAnswer, ReadCallAnswer } from "@countersign/plugin";
import { isJsonObject, type Json, type JsonObject, parseJson } from "@countersign/wire";
import { JSON_DEPTH_MAX, RESULT_BYTES_MAX } from "./limits.ts";
import { type RpcAnswer, readRpcAnswer } from "./wire.ts";

export type CallReading = Extract<CallAnswer, { kind: "answer" | "error" }> | { readonly kind: "unknown" };

/**
 * Pure. What the result of `tools/call` says. Only a complete result counts: one that asks for input, or is a task of
 * the server's own, has neither happened nor failed. A value is the structured content, else the JSON that the one text
 * holds, else `{text}`; all of it is data, never instructions.
 */
export function readCallResult(answer: RpcAnswer): CallReading {
  if (answer.kind !== "result") return { kind: "unknown" };
  const { resultType, isError, structuredContent, content } = answer.result;
  if (resultType !== undefined && resultType !== "complete") return { kind: "unknown" };
  // "false" and 0 are no booleans: what is not said plainly is not believed either way.
  if (isError !== undefined && typeof isError !== "boolean") return { kind: "unknown" };
  const value = structuredContent ?? valueOfTexts(content);
  if (value === undefined) return { kind: "unknown" };
  return { kind: isError === true ? "error" : "answer", value };
}

/** What a commit's answer says, from its bytes alone. */
export const readCallAnswer: ReadCallAnswer = (answer) => readCallResult(readRpcAnswer(answer, RESULT_BYTES_MAX));

function valueOfTexts(content: Json | undefined): JsonObject | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = (content as readonly Json[]).flatMap((block) =>
    isJsonObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  const [only, ...more] = texts;
  const parsed =
    only === undefined || more.length > 0
      ? undefined
      : parseJson(only, { maxBytes: RESULT_BYTES_MAX, maxDepth: JSON_DEPTH_MAX });
  return parsed?.ok && isJsonObject(parsed.value) ? parsed.value : { text: texts.join("\n") };
}
