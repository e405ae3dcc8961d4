import { err, type Json, ok, parseJson, type Result } from "@countersign/wire";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "../limits.ts";
import { type A2aError, failure, refusedByGateway } from "../wire/errors.ts";

/** Strict JSON: no two members of one name, since two readers in a row would read two requests (lessons U29). */
export async function readBody(request: Request): Promise<Result<Json, A2aError>> {
  const body = parseJson(new Uint8Array(await request.arrayBuffer()), {
    maxBytes: BODY_BYTES_MAX,
    maxDepth: BODY_DEPTH_MAX,
  });
  if (body.ok) return ok(body.value);
  return err(
    body.reason.code === "too_large" ? refusedByGateway({ reason: "body_too_large" }) : failure("PARSE_ERROR"),
  );
}
