import { identifier, timestamp } from "@countersign/profile";
import { err, isJsonObject, type Json, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";
import { z } from "zod";
import {
  CREDENTIALS_CHARS_MAX,
  EXTENSIONS_ASKED_MAX,
  ID_CHARS_MAX,
  PAGE_DEFAULT,
  PAGE_MAX,
  PARTS_MAX,
  TOKEN_CHARS_MAX,
} from "../limits.ts";
import { type A2aError, broken, failure } from "./errors.ts";
import { isTaskStateName, type TaskStateName } from "./states.ts";

// Reads what comes from outside in the protocol's own JSON: camelCase, enums by name. Members that the protocol does not
// have are ignored, as it says; those that it has must be what it says (a2a.md §9, row 6).

const id = z.string().min(1).max(ID_CHARS_MAX);
const object = z.record(z.string(), z.json());
const count = z.int().min(0).max(2_147_483_647);
const visible = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, "visible ASCII characters only");
/** No CR, no LF: it becomes a header. */
const credentials = z
  .string()
  .min(1)
  .max(CREDENTIALS_CHARS_MAX)
  .regex(/^[\x20-\x7e]+$/, "printable ASCII only");

const part = z.object({
  text: z.string().exactOptional(),
  raw: z.string().exactOptional(),
  url: z.string().exactOptional(),
  data: z.json().exactOptional(),
  mediaType: z.string().max(255).exactOptional(),
  filename: z.string().max(255).exactOptional(),
  metadata: object.exactOptional(),
});

const message = z.object({
  messageId: id,
  contextId: z.string().max(ID_CHARS_MAX).exactOptional(),
  taskId: z.string().max(ID_CHARS_MAX).exactOptional(),
  role: z.literal("ROLE_USER"),
  parts: z.array(part).min(1).max(PARTS_MAX),
  metadata: object.exactOptional(),
  extensions: z.array(z.string().max(512)).max(EXTENSIONS_ASKED_MAX).exactOptional(),
  referenceTaskIds: z.array(z.string().max(ID_CHARS_MAX)).max(PARTS_MAX).exactOptional(),
});

const pushConfig = z.object({
  id: identifier.exactOptional(),
  url: z.string().min(1).max(2_048),
  token: visible(TOKEN_CHARS_MAX).exactOptional(),
  authentication: z
    .object({
      scheme: z
        .string()
        .max(64)
        .regex(/^[A-Za-z][A-Za-z0-9._-]*$/, "a scheme of HTTP authentication"),
      credentials: credentials.exactOptional(),
    })
    .exactOptional(),
});

const send = z.object({
  message,
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string().max(255)).max(PARTS_MAX).exactOptional(),
      historyLength: count.exactOptional(),
      returnImmediately: z.boolean().exactOptional(),
      taskPushNotificationConfig: pushConfig.exactOptional(),
    })
    .exactOptional(),
  metadata: object.exactOptional(),
});

export type SentMessage = z.output<typeof message>;
export type SentPart = z.output<typeof part>;
export type SentPushConfig = z.output<typeof pushConfig>;

export interface SendRequest {
  readonly message: SentMessage;
  /** The message as it came, for the history and its digest. */
  readonly raw: JsonObject;
  readonly historyLength: number | undefined;
  readonly mode: "block" | "at_once";
  readonly push: SentPushConfig | undefined;
}

const JSON_MODES = new Set(["application/json", "application/*", "*/*"]);

export function readSend(params: JsonObject): Result<SendRequest, A2aError> {
  const read = parse(send, params);
  if (!read.ok) return read;
  const { message: sent, configuration } = read.value;
  for (const [at, one] of sent.parts.entries()) {
    const contents = (["text", "raw", "url", "data"] as const).filter((name) => one[name] !== undefined);
    if (contents.length !== 1) return err(broken(`message.parts[${at}]`, "exactly one of text, raw, url and data"));
    if (!isTaken(one)) return err(failure("CONTENT_TYPE_NOT_SUPPORTED"));
  }
  const modes = configuration?.acceptedOutputModes ?? [];
  if (modes.length > 0 && !modes.some((mode) => JSON_MODES.has(bare(mode))))
    return err(failure("CONTENT_TYPE_NOT_SUPPORTED"));
  const raw = params["message"];
  return ok({
    message: sent,
    raw: raw !== undefined && isJsonObject(raw) ? raw : {},
    historyLength: configuration?.historyLength,
    mode: configuration?.returnImmediately === true ? "at_once" : "block",
    push: configuration?.taskPushNotificationConfig,
  });
}

/** Data is JSON and text is plain; files and addresses of files are nothing that is taken here. */
function isTaken({ text, data, mediaType }: SentPart): boolean {
  const type = mediaType === undefined || mediaType === "" ? undefined : bare(mediaType);
  if (data !== undefined) return type === undefined || type === "application/json";
  return text !== undefined && (type === undefined || type === "text/plain");
}

function bare(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

const taskNamed = z.object({ id, historyLength: count.exactOptional() });
const list = z.object({
  contextId: z.string().max(ID_CHARS_MAX).exactOptional(),
  status: z.string().max(64).exactOptional(),
  pageSize: z.int().min(1).max(PAGE_MAX).exactOptional(),
  pageToken: z.string().max(512).exactOptional(),
  historyLength: count.exactOptional(),
  statusTimestampAfter: timestamp.exactOptional(),
  includeArtifacts: z.boolean().exactOptional(),
});

export interface ListRequest {
  readonly contextId: string | undefined;
  readonly status: TaskStateName | undefined;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
  readonly historyLength: number;
  readonly movedSince: number | undefined;
  readonly artifacts: "included" | "left_out";
}

export function readTaskNamed(
  params: JsonObject,
): Result<{ readonly id: string; readonly historyLength?: number }, A2aError> {
  return parse(taskNamed, params);
}

export function readList(params: JsonObject): Result<ListRequest, A2aError> {
  const read = parse(list, params);
  if (!read.ok) return read;
  const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter, includeArtifacts } = read.value;
  if (status !== undefined && status !== "TASK_STATE_UNSPECIFIED" && !isTaskStateName(status))
    return err(broken("status", "the name of a task state"));
  const since = statusTimestampAfter === undefined ? undefined : parseInstant(statusTimestampAfter);
  return ok({
    // An empty text is what the other encoding of the protocol has for nothing.
    contextId: contextId === "" ? undefined : contextId,
    status: status !== undefined && isTaskStateName(status) ? status : undefined,
    pageSize: pageSize ?? PAGE_DEFAULT,
    pageToken: pageToken === "" ? undefined : pageToken,
    historyLength: historyLength ?? 0,
    movedSince: since?.ok === true ? since.value : undefined,
    artifacts: includeArtifacts === true ? "included" : "left_out",
  });
}

const pushNamed = z.object({ taskId: id, id });
const pushesNamed = z.object({ taskId: id, pageSize: z.int().min(0).exactOptional() });
const pushCreated = pushConfig.extend({ taskId: id });

export function readPushNamed(params: JsonObject): Result<{ readonly taskId: string; readonly id: string }, A2aError> {
  return parse(pushNamed, params);
}

export function readPushesNamed(params: JsonObject): Result<{ readonly taskId: string }, A2aError> {
  return parse(pushesNamed, params);
}

export function readPushCreated(params: JsonObject): Result<SentPushConfig & { readonly taskId: string }, A2aError> {
  return parse(pushCreated, params);
}

/** What was asked, without the word for the tenant: that would be the client's claim (a2a.md §9, row 11). */
function parse<T extends z.ZodType>(schema: T, params: Json): Result<z.output<T>, A2aError> {
  const read = schema.safeParse(params);
  return read.success ? ok(read.data) : err(failure("INVALID_PARAMS", fieldsOf(read.error)));
}

const FIELDS_MAX = 20;
const FIELD_CHARS_MAX = 200;

/** Paths and rules; never what was sent. */
export function fieldsOf(error: z.ZodError, base = ""): NonNullable<A2aError["fields"]> {
  return error.issues.slice(0, FIELDS_MAX).map((issue) => {
    const steps = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
    const unknown = issue.code === "unrecognized_keys" ? `.${issue.keys[0] ?? ""}` : "";
    const field = `${base}${steps}${unknown}`.replace(/^\./, "").slice(0, FIELD_CHARS_MAX);
    return { field, description: ruleOf(issue) };
  });
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${issue.expected}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    case "too_small":
      return `at least ${issue.minimum}`;
    case "invalid_value":
      return "not one of the allowed values";
    case "unrecognized_keys":
      return "not a member of this";
    case "invalid_format":
      return issue.pattern === undefined ? `must be ${issue.format}` : "wrong form";
    case "custom":
      return issue.message;
    default:
      return "invalid";
  }
}
