import { PROFILE_ID, REASONS, requestEnvelope, TASK_STATES } from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";
import { z } from "zod";
import { evidenceInput } from "../../approval/evidence.ts";
import { consentRequest } from "../../consent/consents.ts";

const REF = { type: "string", maxLength: 128 };
const TIME = { type: "string", format: "date-time" };

const taskSchema: JsonObject = {
  type: "object",
  required: ["task_id", "state", "operation", "account_ref", "next_step", "poll_after_ms", "created_at", "updated_at"],
  properties: {
    task_id: REF,
    request_id: REF,
    state: { enum: [...TASK_STATES] },
    operation: REF,
    account_ref: REF,
    reason: { enum: Object.keys(REASONS) },
    approval_ref: REF,
    continuation_ref: REF,
    next_step: { type: "string" },
    poll_after_ms: { type: "integer", minimum: 0 },
    created_at: TIME,
    updated_at: TIME,
    result_ref: { type: "string" },
    receipt_ref: { type: "string" },
  },
};

const problemSchema: JsonObject = {
  type: "object",
  required: ["type", "title", "status", "reason"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    reason: { enum: Object.keys(REASONS) },
    problems: {
      type: "array",
      items: { type: "object", properties: { pointer: { type: "string" }, rule: { type: "string" } } },
    },
    task_id: REF,
  },
};

/** The HTTP binding as OpenAPI 3.1, from the same schemas that judge requests (REQ-7). */
export function openApiDocument(issuer: string): JsonObject {
  const get = (summary: string, schema: Json = { type: "object" }, parameters: readonly JsonObject[] = [pathId]) => ({
    get: { summary, parameters, responses: responses(200, schema) },
  });
  return {
    openapi: "3.1.0",
    info: { title: "Countersign: the HTTP binding for agents", version: PROFILE_ID },
    servers: [{ url: issuer }],
    security: [{ oauth: [] }],
    paths: {
      "/v1/tasks": {
        post: {
          summary: "Submit a request. 201: a new task; 200 with Idempotency-Replayed: the existing one.",
          requestBody: body(ref("RequestEnvelope")),
          responses: {
            ...responses(201, ref("Task")),
            200: content("The task that this key already names.", ref("Task")),
          },
        },
        ...get(
          "The caller's own tasks.",
          { type: "object", properties: { tasks: { type: "array", items: ref("Task") } } },
          [{ name: "state", in: "query", schema: { enum: ["open"] } }],
        ),
      },
      "/v1/tasks/{id}": get("One task.", ref("Task")),
      "/v1/tasks/{id}/result": get("The data of a read, or the result of a commit, for a while."),
      "/v1/tasks/{id}/receipt": get("The newest signed receipt."),
      "/v1/tasks/{id}/events": {
        get: {
          summary: "Numbered events as server-sent events; resumes after Last-Event-ID.",
          parameters: [pathId],
          responses: { 200: { description: "A stream.", content: { "text/event-stream": {} } }, default: problem },
        },
      },
      "/v1/tasks/{id}/evidence": {
        post: {
          summary:
            "Evidence of an outside authority for the record that waits. It counts only where the account holder enrolled that authority for the operation; refused evidence leaves the record waiting.",
          parameters: [pathId],
          requestBody: body(ref("Evidence")),
          responses: responses(200, ref("Task")),
        },
      },
      "/v1/tasks/{id}/cancel": {
        post: {
          summary: "Withdraw a task that was not submitted; `withdrawal` says whether it was (STA-5).",
          parameters: [pathId],
          responses: responses(200, ref("Task")),
        },
      },
      "/v1/accounts": get("The accounts that a grant of this agent names.", { type: "object" }, []),
      "/v1/accounts/{id}/capabilities": get("Operations with their schemas and routes."),
      "/v1/consents": {
        post: {
          summary: "Ask for a grant. Only the account holder decides.",
          requestBody: body(ref("ConsentRequest")),
          responses: responses(201, { type: "object" }),
        },
      },
      "/v1/consents/{id}": get("How a grant stands."),
    },
    components: {
      securitySchemes: { oauth: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: {
        RequestEnvelope: jsonSchema(requestEnvelope),
        ConsentRequest: jsonSchema(consentRequest),
        Evidence: jsonSchema(evidenceInput),
        Task: taskSchema,
        Problem: problemSchema,
      },
    },
  };
}

const pathId: JsonObject = { name: "id", in: "path", required: true, schema: REF };
const problem: JsonObject = {
  description: "A problem document (RFC 9457).",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function body(schema: JsonObject): JsonObject {
  return { required: true, content: { "application/json": { schema } } };
}

function content(description: string, schema: Json): JsonObject {
  return { description, content: { "application/json": { schema } } };
}

function responses(status: number, schema: Json): JsonObject {
  return { [String(status)]: content("Done.", schema), default: problem };
}

/** Published as what a caller sends (`io: "input"`). */
function jsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}
