import { createHash } from "node:crypto";
import { canonicalJson, err, isJsonObject, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { HISTORY_MAX } from "../limits.ts";
import type { Call } from "./call.ts";

// What is remembered of messages: which task a message id named, so that one that is sent again begins nothing new, and
// the messages of a task, sealed. Keys are hashes: a message id is the client's own text.

interface Claim {
  readonly digest: string;
  /** The task, or the question to the account holder; absent while it is made, or where a process died doing so. */
  readonly madeRef?: string;
}

/** A message by its id, with what it said. */
export interface Named {
  readonly messageId: string;
  readonly raw: JsonObject;
}

export type Claimed =
  | { readonly kind: "first"; readonly version: number }
  | { readonly kind: "again"; readonly version: number; readonly madeRef?: string };

const TRIES = 5;

/** Claims a message id of this caller for one content. The same id with another content is refused. */
export async function claimMessage(call: Call, messageId: string, raw: JsonObject): Promise<Result<Claimed, "reused">> {
  const key = messageKey(call, messageId);
  const digest = digestOfMessage(raw);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const present = await call.store.get(key);
    const claim = present === undefined ? undefined : readClaim(present.value as JsonObject);
    if (claim !== undefined && claim.digest !== "") {
      if (claim.digest !== digest) return err("reused");
      return ok({
        kind: "again",
        version: present?.version ?? 0,
        ...(claim.madeRef === undefined ? {} : { madeRef: claim.madeRef }),
      });
    }
    const put = await call.store.put(key, { digest }, present?.version ?? 0);
    if (put.ok) return ok({ kind: "first", version: put.value.version });
  }
  return err("reused");
}

/** Says what the message made. A later sending that was faster has said the same. */
export async function settleMessage(call: Call, named: Named, claimed: Claimed, madeRef: string): Promise<void> {
  const value = { digest: digestOfMessage(named.raw), made_ref: madeRef };
  await call.store.put(messageKey(call, named.messageId), value, claimed.version);
}

/** Nothing was made of it: the id may be used again, with whatever content. */
export async function releaseMessage(call: Call, messageId: string, claimed: Claimed): Promise<void> {
  await call.store.put(messageKey(call, messageId), { digest: "" }, claimed.version);
}

function readClaim(value: JsonObject): Claim {
  const { digest, made_ref: madeRef } = value;
  return { digest: String(digest), ...(typeof madeRef === "string" ? { madeRef } : {}) };
}

function messageKey({ caller }: Call, messageId: string): string {
  return `message:${hash(JSON.stringify([caller.personId, caller.clientId, messageId]))}`;
}

function digestOfMessage(raw: JsonObject): string {
  return hash(canonicalJson(raw));
}

export function hash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url");
}

const PURPOSE = "history";

/** Adds a message to its task's history, once however often it comes; a full history takes no more. */
export async function remember(call: Call, taskId: string, raw: JsonObject): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const present = await call.store.get(historyKey(taskId));
    const kept = present === undefined ? [] : sealedOf(present.value);
    const messages = kept.flatMap((sealed) => openMessage(call, taskId, sealed));
    if (kept.length >= HISTORY_MAX || messages.some((one) => one["messageId"] === raw["messageId"])) return;
    const sealed = call.host.seal(PURPOSE, taskId, JSON.stringify(raw));
    const put = await call.store.put(historyKey(taskId), [...kept, sealed], present?.version ?? 0);
    if (put.ok) return;
  }
}

/** The messages of a task in the order in which they came: all of them, or the newest `length`. */
export async function historyOf(
  call: Call,
  taskId: string,
  length: number | undefined,
): Promise<readonly JsonObject[]> {
  if (length === 0) return [];
  const present = await call.store.get(historyKey(taskId));
  if (present === undefined) return [];
  const messages = sealedOf(present.value).flatMap((sealed) => openMessage(call, taskId, sealed));
  return length === undefined ? messages : messages.slice(-length);
}

function historyKey(taskId: string): string {
  return `history:${taskId}`;
}

function sealedOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function openMessage(call: Call, taskId: string, sealed: string): readonly JsonObject[] {
  const text = call.host.unseal(PURPOSE, taskId, sealed);
  const read = text === undefined ? undefined : parseJson(text);
  return read?.ok === true && isJsonObject(read.value) ? [read.value] : [];
}
