import type { Refusal } from "@countersign/gateway";
import { REASONS } from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";

// One table of what can go wrong, with its words in both bindings. Messages are ours alone: nothing that a caller sent
// and nothing of an exception is in them.

interface Kind {
  readonly code: number;
  readonly http: number;
  readonly message: string;
}

export const ERRORS = {
  PARSE_ERROR: { code: -32700, http: 400, message: "The body is not JSON as it is taken here." },
  INVALID_REQUEST: { code: -32600, http: 400, message: "That is no JSON-RPC 2.0 request." },
  METHOD_NOT_FOUND: { code: -32601, http: 404, message: "There is no such method." },
  INVALID_PARAMS: { code: -32602, http: 400, message: "A member of the request breaks a rule." },
  INTERNAL: { code: -32603, http: 500, message: "The gateway failed; it has been logged." },
  TASK_NOT_FOUND: { code: -32001, http: 404, message: "There is no such task for you." },
  TASK_NOT_CANCELABLE: { code: -32002, http: 400, message: "The task can no longer be withdrawn." },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, http: 400, message: "Push notifications are off here." },
  UNSUPPORTED_OPERATION: { code: -32004, http: 400, message: "The task is over; that is not possible any more." },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32005, http: 400, message: "That media type is not taken or given here." },
  EXTENSION_SUPPORT_REQUIRED: {
    code: -32008,
    http: 400,
    message: "An extension that the card requires is not activated.",
  },
  VERSION_NOT_SUPPORTED: { code: -32009, http: 400, message: "This agent speaks A2A 1.0; send A2A-Version: 1.0." },
} as const satisfies Readonly<Record<string, Kind>>;

export type ErrorReason = keyof typeof ERRORS;

export interface A2aError {
  readonly reason: ErrorReason;
  /** Where in the request which rule was broken. */
  readonly fields?: readonly { readonly field: string; readonly description: string }[];
  /** The gateway's own reason, where it refused what was asked. */
  readonly gateway?: Refusal;
}

export function failure(reason: ErrorReason, fields?: A2aError["fields"]): A2aError {
  return fields === undefined ? { reason } : { reason, fields };
}

export function broken(field: string, description: string): A2aError {
  return failure("INVALID_PARAMS", [{ field, description }]);
}

/** A refusal of the port. What is unknown and what is another's read the same. */
export function refusedByGateway(refusal: Refusal): A2aError {
  const fields = refusal.problems?.map(({ pointer, rule }) => ({ field: pointer, description: rule }));
  return { reason: "INVALID_PARAMS", gateway: refusal, ...(fields === undefined ? {} : { fields }) };
}

export function messageOf(error: A2aError): string {
  return error.gateway === undefined ? ERRORS[error.reason].message : REASONS[error.gateway.reason].title;
}

const DOMAIN = "a2a-protocol.org";
/** Reasons of the gateway's own, which the protocol has no name for. */
const GATEWAY_DOMAIN = "urn:countersign:reason";
const TYPES = "type.googleapis.com/google.rpc";

export function detailsOf(error: A2aError): readonly JsonObject[] {
  const { gateway, fields } = error;
  const info: JsonObject =
    gateway === undefined
      ? { "@type": `${TYPES}.ErrorInfo`, reason: error.reason, domain: DOMAIN }
      : {
          "@type": `${TYPES}.ErrorInfo`,
          reason: gateway.reason.toUpperCase(),
          domain: GATEWAY_DOMAIN,
          ...(gateway.taskId === undefined ? {} : { metadata: { taskId: gateway.taskId } }),
        };
  if (fields === undefined || fields.length === 0) return [info];
  return [info, { "@type": `${TYPES}.BadRequest`, fieldViolations: fields.map((one): JsonObject => ({ ...one })) }];
}

export function rpcError(id: Json, error: A2aError): JsonObject {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: ERRORS[error.reason].code, message: messageOf(error), data: detailsOf(error) },
  };
}

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [400, "INVALID_ARGUMENT"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [409, "ABORTED"],
  [413, "INVALID_ARGUMENT"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
]);
const PRECONDITIONS: ReadonlySet<ErrorReason> = new Set(["TASK_NOT_CANCELABLE", "UNSUPPORTED_OPERATION"]);

/** `google.rpc.Status` as HTTP+JSON carries it. */
export function httpError(error: A2aError): { readonly status: number; readonly body: JsonObject } {
  const status = error.gateway === undefined ? ERRORS[error.reason].http : REASONS[error.gateway.reason].http;
  const name = PRECONDITIONS.has(error.reason) ? "FAILED_PRECONDITION" : (STATUS_NAMES.get(status) ?? "UNKNOWN");
  return {
    status,
    body: { error: { code: status, status: name, message: messageOf(error), details: detailsOf(error) } },
  };
}
