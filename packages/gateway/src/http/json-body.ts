import { REQUEST_DEPTH_MAX } from "@countersign/profile";
import { err, type Json, ok, parseJson, type Result } from "@countersign/wire";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { jsonRefusal, type Refusal, schemaRefusal } from "../admission/refusal.ts";

/** Bodies arrive as bytes: `JSON.parse` would keep the last of two equal names and round large integers (U55). */
export function acceptJsonBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

export function bodyBytes(request: FastifyRequest): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : new Uint8Array();
}

export function readBody<T>(request: FastifyRequest, schema: z.ZodType<T>): Result<T, Refusal> {
  const json = readJson(request);
  if (!json.ok) return json;
  const parsed = schema.safeParse(json.value);
  return parsed.success ? ok(parsed.data) : err(schemaRefusal(parsed.error));
}

export function readJson(request: FastifyRequest): Result<Json, Refusal> {
  const json = parseJson(bodyBytes(request), { maxDepth: REQUEST_DEPTH_MAX });
  return json.ok ? json : err(jsonRefusal(json.reason));
}
