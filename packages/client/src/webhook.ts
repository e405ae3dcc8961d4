import {
  TASK_CHANGED,
  TASK_STATES,
  type TaskChanged,
  WEBHOOK_LIFE_MS,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_TOLERANCE_MS,
} from "@countersign/profile/agent-api";
import { err, isJsonObject, type JsonObject, ok, parseJson, type Result, type Secret } from "@countersign/wire";
import { SEEN_IDS_MAX } from "./limits.ts";

/**
 * `replayed`: this message was taken before, as a second delivery or by somebody who kept it; answer 2xx and do nothing.
 * Every other is a message to refuse with 400 or 401.
 */
export type WebhookProblem =
  | "missing_header"
  | "too_old"
  | "too_new"
  | "wrong_signature"
  | "malformed_body"
  | "bad_secret"
  | "replayed";

/** Remembers which messages were taken. */
export interface SeenIds {
  /** True when the id was not there, and is now; both in one step. It may be forgotten at `until`. */
  add(id: string, until: number): boolean | Promise<boolean>;
}

export interface ReceivedWebhook {
  /** The request's headers: a `Headers`, or an object with names in lower case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came; a reserialised one has another signature. */
  readonly body: string | Uint8Array;
}

export interface VerifyWebhookOptions {
  /** `whsec_...`, as the registration answered. */
  readonly secret: Secret<string>;
  readonly seen: SeenIds;
  /** Milliseconds since 1970 UTC. */
  readonly now?: number;
}

const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
const SIGNATURES_MAX = 10;
const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/**
 * Judges a message by Standard Webhooks 1.0: its id, its time and its whole body are signed, its time is within five
 * minutes of ours, and its id was not taken before (U53). What comes out is evidence that a task has moved; read the
 * task for what to do.
 */
export async function verifyWebhook(
  { headers, body }: ReceivedWebhook,
  { secret, seen, now = Date.now() }: VerifyWebhookOptions,
): Promise<Result<TaskChanged, WebhookProblem>> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) return err("missing_header");
  if (!/^\d{1,12}$/.test(timestamp)) return err("missing_header");
  const ageMs = now - Number(timestamp) * 1000;
  if (ageMs > WEBHOOK_TOLERANCE_MS) return err("too_old");
  if (ageMs < -WEBHOOK_TOLERANCE_MS) return err("too_new");
  const key = keyOf(secret);
  if (key === undefined) return err("bad_secret");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (!(await isSigned(key, signatures, id, timestamp, bytes))) return err("wrong_signature");
  const message = messageOf(bytes);
  if (message === undefined) return err("malformed_body");
  // Last, and of what is signed: nobody can use up an id that they did not sign.
  return (await seen.add(id, now + WEBHOOK_LIFE_MS + 2 * WEBHOOK_TOLERANCE_MS)) ? ok(message) : err("replayed");
}

async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signatures: string,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["verify"]);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const one of signatures.split(" ").slice(0, SIGNATURES_MAX)) {
    const mac = one.startsWith("v1,") ? fromBase64(one.slice("v1,".length)) : undefined;
    // The platform compares in constant time.
    if (mac !== undefined && (await crypto.subtle.verify("HMAC", imported, mac, signed))) return true;
  }
  return false;
}

function messageOf(bytes: Uint8Array): TaskChanged | undefined {
  const json = parseJson(bytes);
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { type, timestamp, data } = json.value;
  if (type !== TASK_CHANGED || typeof timestamp !== "string" || data === undefined || !isJsonObject(data))
    return undefined;
  return isMove(data) ? (json.value as unknown as TaskChanged) : undefined;
}

function isMove({ task_id: taskId, state, revision }: JsonObject): boolean {
  return typeof taskId === "string" && typeof revision === "number" && TASK_STATES.some((known) => known === state);
}

function headerOf(headers: ReceivedWebhook["headers"], name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function keyOf(secret: Secret<string>): Uint8Array<ArrayBuffer> | undefined {
  const text = secret.reveal();
  const key = text.startsWith(WEBHOOK_SECRET_PREFIX) ? fromBase64(text.slice(WEBHOOK_SECRET_PREFIX.length)) : undefined;
  return key !== undefined && key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX ? key : undefined;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Remembers in this process alone: for one receiver that may hear a message twice after a restart. */
export function memoryOfIds(now: () => number = Date.now): SeenIds {
  const until = new Map<string, number>();
  return {
    add(id, forgetAt) {
      if ((until.get(id) ?? 0) > now()) return false;
      if (until.size >= SEEN_IDS_MAX) {
        for (const [old, at] of until) if (at <= now()) until.delete(old);
        // Rather a message too few than one twice: the task can be read at any time.
        if (until.size >= SEEN_IDS_MAX) return false;
      }
      until.set(id, forgetAt);
      return true;
    },
  };
}
