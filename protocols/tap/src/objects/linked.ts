import type { SigningKey } from "@countersign/web-bot-auth";
import { err, isJsonObject, type JsonObject, ok, type Result } from "@countersign/wire";
import { TAP_ALGORITHMS, type TapAlgorithm } from "../keys/agent-key.ts";
import type { TapVerified } from "../message/verify.ts";
import { ASSUMED_LINES, type ObjectForm } from "./canonical.ts";

export type LinkProblem =
  /** A member that every such object has is missing or of another type. */
  | "incomplete"
  /** Its nonce is not the message's. */
  | "other_nonce"
  /** Its `kid` is not the message's key. */
  | "other_key"
  /** Its algorithm is not the message's. */
  | "other_algorithm"
  | "bad_signature";

/** An object that is linked to the message and signed by its key. */
export interface LinkedObject {
  readonly object: JsonObject;
  /**
   * The form it was verified under. Until the publisher says which one it is, an object is no ground for a payment unless
   * the merchant's operator configured that form.
   */
  readonly form: string;
  readonly canonicalForm: "unspecified";
}

/** Nonce, key and algorithm equal the verified message's, and the signature holds. */
export async function verifyLinked(
  object: JsonObject,
  message: TapVerified,
  form: ObjectForm = ASSUMED_LINES,
): Promise<Result<LinkedObject, LinkProblem>> {
  const { nonce, kid, alg, signature } = object;
  if (typeof nonce !== "string" || typeof kid !== "string") return err("incomplete");
  if (typeof alg !== "string" || typeof signature !== "string") return err("incomplete");
  if (nonce !== message.nonce) return err("other_nonce");
  if (kid !== message.keyId) return err("other_key");
  const algorithm = TAP_ALGORITHMS.find((one) => one === alg);
  if (algorithm === undefined || !isSame(algorithm, message.algorithm)) return err("other_algorithm");
  const verifier = message.key.verifierFor(algorithm);
  const bytes = base64Bytes(signature);
  if (verifier === undefined || bytes === undefined) return err("bad_signature");
  const held = await verifier.verify(new TextEncoder().encode(form.write(object)), bytes);
  return held ? ok({ object, form: form.name, canonicalForm: "unspecified" }) : err("bad_signature");
}

/** An object for a message that is about to be signed with the same key and nonce. Its members stay in their order. */
export async function signLinked(
  members: JsonObject,
  message: { readonly key: SigningKey; readonly nonce: string },
  form: ObjectForm = ASSUMED_LINES,
): Promise<JsonObject> {
  const { key, nonce } = message;
  const object: JsonObject = { nonce, ...members, kid: key.keyId, alg: key.algorithm };
  const signature = await key.sign(new TextEncoder().encode(form.write(object)));
  return { ...object, signature: btoa(String.fromCharCode(...signature)) };
}

/** Two spellings of one algorithm are the same one. */
function isSame(a: TapAlgorithm, b: TapAlgorithm): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function base64Bytes(text: string): Uint8Array | undefined {
  return text.length <= 1024 && BASE64.test(text) ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : undefined;
}

/** A member that is an object. */
export function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const member = object[name];
  return member !== undefined && isJsonObject(member) ? member : undefined;
}
