import {
  accountsView,
  capabilitiesView,
  catalogueView,
  consentsView,
  consentView,
  newWebhookView,
  PROFILE_ID,
  problemView,
  receiptView,
  requestEnvelope,
  resultView,
  taskChanged,
  taskEventView,
  tasksView,
  taskView,
  webhookRequest,
  webhooksView,
  withdrawnView,
} from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";
import { z } from "zod";
import { evidenceInput } from "../../approval/evidence.ts";
import { consentRequest } from "../../consent/consents.ts";
import { protocolsSchema } from "./protocols.ts";

const REF = { type: "string", maxLength: 128 };

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
        ...get("The caller's own tasks.", ref("Tasks"), [{ name: "state", in: "query", schema: { enum: ["open"] } }]),
      },
      "/v1/tasks/{id}": get("One task.", ref("Task")),
      "/v1/tasks/{id}/result": get("The data of a read, or the result of a commit, for a while.", ref("Result")),
      "/v1/tasks/{id}/receipt": get("The newest signed receipt.", ref("Receipt")),
      "/v1/tasks/{id}/events": {
        get: {
          summary: "Numbered events as server-sent events; resumes after Last-Event-ID.",
          parameters: [pathId],
          responses: {
            200: { description: "A stream.", content: { "text/event-stream": { schema: ref("TaskEvent") } } },
            default: problem,
          },
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
          responses: responses(200, ref("Withdrawn")),
        },
      },
      "/v1/accounts": get("The accounts that a grant of this agent names.", ref("Accounts"), []),
      "/v1/accounts/{id}/capabilities": get("Operations with their schemas and routes.", ref("Capabilities")),
      "/v1/consents": {
        post: {
          summary: "Ask for a grant. Only the account holder decides.",
          requestBody: body(ref("ConsentRequest")),
          responses: responses(201, ref("Consent")),
        },
        ...get("The grants of this agent that stand now.", ref("Consents"), []),
      },
      "/v1/consents/{id}": get("How a grant stands.", ref("Consent")),
      "/.well-known/agentic-web-execution/catalogue": {
        get: {
          summary:
            "Every operation that can be described here: schemas, what each term means and how it is compared, who decides. What an account offers, its capabilities say.",
          // For everybody: it is about operations, and says nothing of accounts or destinations (REQ-7).
          security: [],
          responses: responses(200, ref("Catalogue")),
        },
      },
      "/api/v1/protocols": {
        get: {
          summary: "The protocols that plugins of this gateway speak, and the catalogue of those there are.",
          // For everybody: ids, versions, roles and states, and nothing else (PLG-5).
          security: [],
          responses: responses(200, ref("Protocols")),
        },
      },
      "/v1/webhooks": {
        post: {
          summary:
            "Name a receiver for what becomes of this agent's tasks. The secret is in this answer alone; a known address gets a new one, and the one before signs beside it for a day.",
          requestBody: body(ref("WebhookRequest")),
          responses: responses(201, ref("NewWebhook")),
        },
        ...get("This agent's receivers.", ref("Webhooks"), []),
      },
      "/v1/webhooks/{id}": {
        delete: {
          summary: "End a receiver, with what is on its way to it.",
          parameters: [pathId],
          responses: { 204: { description: "Done." }, default: problem },
        },
      },
    },
    webhooks: {
      taskChanged: {
        post: {
          summary: "A task has moved (Standard Webhooks 1.0). It is evidence and no command: read the task.",
          requestBody: body(ref("TaskChanged")),
          responses: { 204: { description: "Heard; any 2xx. 410 ends the receiver." } },
        },
      },
    },
    components: {
      securitySchemes: { oauth: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: {
        RequestEnvelope: jsonSchema(requestEnvelope),
        ConsentRequest: jsonSchema(consentRequest),
        Evidence: jsonSchema(evidenceInput),
        Task: jsonSchema(taskView),
        Tasks: jsonSchema(tasksView),
        Withdrawn: jsonSchema(withdrawnView),
        TaskEvent: jsonSchema(taskEventView),
        Result: jsonSchema(resultView),
        Receipt: jsonSchema(receiptView),
        Accounts: jsonSchema(accountsView),
        Capabilities: jsonSchema(capabilitiesView),
        Consent: jsonSchema(consentView),
        Consents: jsonSchema(consentsView),
        WebhookRequest: jsonSchema(webhookRequest),
        Webhooks: jsonSchema(webhooksView),
        NewWebhook: jsonSchema(newWebhookView),
        TaskChanged: jsonSchema(taskChanged),
        Catalogue: jsonSchema(catalogueView),
        Problem: jsonSchema(problemView),
        Protocols: protocolsSchema,
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

/** What is sent, as a caller writes it; what we answer may gain members, so a reader lets unknown ones be. */
function jsonSchema(schema: z.ZodType): JsonObject {
  return published(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/**
 * Any JSON is `{}` here: the library would point to a definition at the root of the schema, and in this document that is
 * another place.
 */
function published({ $schema: _, $defs: __, ...schema }: Readonly<Record<string, unknown>>): JsonObject {
  const text = JSON.stringify(schema, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    const pointsTo: unknown = Object.getOwnPropertyDescriptor(value, "$ref")?.value;
    return typeof pointsTo === "string" && pointsTo.startsWith("#/$defs/") ? {} : value;
  });
  return JSON.parse(text) as JsonObject;
}
