import { err, isJsonObject, type Json, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { BODY_MAX_BYTES } from "../limits.ts";

// The signature of an object is over its members in the order they came. JavaScript keeps that order for every name but
// those that look like numbers, and a parser may keep the last of two: so both are refused, and the order is the sender's.

const NUMBER_LIKE = /^(0|[1-9][0-9]*)$/;

export interface Objects {
  readonly agenticConsumer?: JsonObject;
  readonly agenticPaymentContainer?: JsonObject;
}

export type BodyProblem = "malformed" | "number_like_member";

/** The two objects out of a request's body; members twice, anywhere, make it unreadable. */
export function readObjects(body: Uint8Array): Result<Objects, BodyProblem> {
  const parsed = parseJson(body, { maxBytes: BODY_MAX_BYTES });
  if (!parsed.ok || !isJsonObject(parsed.value)) return err("malformed");
  const { agenticConsumer: consumer, agenticPaymentContainer: container } = parsed.value;
  for (const one of [consumer, container]) {
    if (one === undefined) continue;
    if (!isJsonObject(one)) return err("malformed");
    if (hasNumberLike(one)) return err("number_like_member");
  }
  return ok({
    ...(consumer !== undefined && isJsonObject(consumer) ? { agenticConsumer: consumer } : {}),
    ...(container !== undefined && isJsonObject(container) ? { agenticPaymentContainer: container } : {}),
  });
}

function hasNumberLike(value: Json): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasNumberLike);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => NUMBER_LIKE.test(name) || hasNumberLike(member));
}
