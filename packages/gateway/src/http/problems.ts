import { REASONS, type Reason } from "@countersign/profile";
import type { FastifyReply } from "fastify";
import type { Refusal } from "../admission/refusal.ts";
import { passingTrouble } from "../store/postgres/errors.ts";

/**
 * RFC 9457 problem documents from the one reason table. They hold no stack, nothing that the caller sent, and no
 * reference: an unknown thing and somebody else's answer byte for byte alike (REQ-2).
 */
export function sendProblem(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { http: status, title } = REASONS[refusal.reason];
  return reply
    .code(status)
    .header("content-type", "application/problem+json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(
      JSON.stringify({
        type: `urn:countersign:reason:${refusal.reason}`,
        title,
        status,
        reason: refusal.reason,
        ...(refusal.problems === undefined ? {} : { problems: refusal.problems }),
        ...(refusal.taskId === undefined ? {} : { task_id: refusal.taskId }),
      }),
    );
}

const FASTIFY_REASONS: ReadonlyMap<string, Reason> = new Map([
  ["FST_ERR_CTP_BODY_TOO_LARGE", "body_too_large"],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", "unsupported_media_type"],
  ["FST_ERR_CTP_INVALID_CONTENT_LENGTH", "malformed_body"],
  ["FST_ERR_CTP_EMPTY_JSON_BODY", "malformed_body"],
  ["FST_ERR_BAD_URL", "not_found"],
]);

/** The reason for an error that the framework or the store raised; undefined for our own failures. */
export function frameworkReason(error: { readonly code?: unknown; readonly statusCode?: unknown }): Reason | undefined {
  if (typeof error.code === "string" && FASTIFY_REASONS.has(error.code)) return FASTIFY_REASONS.get(error.code);
  // A folder of static files, and a path out of it.
  if (error.statusCode === 403 || error.statusCode === 404) return "not_found";
  if (error.statusCode === 429) return "rate_limited";
  if (error.statusCode === 400) return "malformed_body";
  const trouble = passingTrouble(error);
  if (trouble === "unstorable") return "invalid_request";
  return trouble === "unavailable" ? "busy" : undefined;
}
