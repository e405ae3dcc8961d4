import { freshNonce, type HttpRequest, type SigningKey } from "@countersign/web-bot-auth";
import { type Component, fieldOf, parseSignatures, signMessage } from "@countersign/web-bot-auth/signatures";
import { assert, err, ok, type Result } from "@countersign/wire";
import { SIGNED_FOR_S, WINDOW_MAX_S } from "../limits.ts";
import { type Kind, TAGS } from "./kinds.ts";

/**
 * That the account holder approved this very payment. Whoever signs a paying request hands it over; what the protocol
 * signs says nothing about consent, so nothing is signed without.
 */
export interface RecordedApproval {
  /** The approval record's digest. */
  readonly recordDigest: string;
  /** Where it may be paid: method, authority and path of the one request. */
  readonly method: string;
  readonly authority: string;
  readonly path: string;
  /** Unix milliseconds. */
  readonly validUntilMs: number;
}

export interface TapSignOptions {
  /** A key of its own, apart from the one of plain Web Bot Auth. */
  readonly key: SigningKey;
  /** Random unless it is given: objects in the body carry the same. */
  readonly nonce?: string;
  readonly lifetimeS?: number;
  /** More than the two components, for a merchant that is known to read them; some verifiers break on it. */
  readonly alsoCover?: readonly ("@method" | "@query" | "content-digest")[];
  readonly now?: () => number;
}

export type TapSignProblem =
  | "plain_http"
  | "bad_target"
  | "signed_otherwise"
  | "not_approved"
  | "approval_over"
  | "missing_component"
  | "unsupported";

export interface TapSigned {
  readonly nonce: string;
  readonly keyId: string;
  /** The whole new values of `signature-input` and `signature`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function signBrowsing(
  request: HttpRequest,
  options: TapSignOptions,
): Promise<Result<TapSigned, TapSignProblem>> {
  return sign("browsing", request, options);
}

/** Signs a payment that was approved: for the target that was approved, and while the approval lives. */
export async function signPaying(
  request: HttpRequest,
  approval: RecordedApproval,
  options: TapSignOptions,
): Promise<Result<TapSigned, TapSignProblem>> {
  if (!URL.canParse(request.url)) return err("bad_target");
  const { host, pathname, href } = new URL(request.url);
  // What is compared is what is signed: a path that is written in another way could be read in another way.
  if (href !== request.url) return err("bad_target");
  const { method, authority, path, validUntilMs } = approval;
  if (method !== request.method || authority !== host || path !== pathname) return err("not_approved");
  if ((options.now ?? Date.now)() >= validUntilMs) return err("approval_over");
  return sign("paying", request, options);
}

async function sign(
  kind: Kind,
  request: HttpRequest,
  options: TapSignOptions,
): Promise<Result<TapSigned, TapSignProblem>> {
  if (!URL.canParse(request.url)) return err("bad_target");
  if (new URL(request.url).protocol !== "https:") return err("plain_http");
  const { key, lifetimeS = SIGNED_FOR_S, nonce = freshNonce(), alsoCover = [], now = Date.now } = options;
  assert(lifetimeS > 0 && lifetimeS <= WINDOW_MAX_S, "a TAP signature lives 1 to 480 seconds");
  const label = freeLabel(request);
  if (label === undefined) return err("signed_otherwise");
  const created = Math.floor(now() / 1000);
  const components: readonly Component[] = [
    { name: "@authority" },
    { name: "@path" },
    ...alsoCover.map((name) => ({ name })),
  ];
  const signed = await signMessage(request, {
    label,
    components,
    parameters: {
      created,
      expires: created + lifetimeS,
      keyid: key.keyId,
      alg: key.algorithm,
      nonce,
      tag: TAGS[kind],
    },
    signer: key,
  });
  if (!signed.ok) return err(signed.reason === "missing_component" ? "missing_component" : "unsupported");
  const beside = (name: string, value: string) => {
    const before = fieldOf(request.headers, name);
    return [name, before === undefined ? value : `${before}, ${value}`] as const;
  };
  return ok({
    nonce,
    keyId: key.keyId,
    headers: [beside("signature-input", signed.value.signatureInput), beside("signature", signed.value.signature)],
  });
}

/** `sig2` by custom; any other will do, for nobody may go by it. */
function freeLabel(request: HttpRequest): string | undefined {
  const input = fieldOf(request.headers, "signature-input");
  const signature = fieldOf(request.headers, "signature");
  if (input === undefined && signature === undefined) return "sig2";
  const parsed = input === undefined || signature === undefined ? undefined : parseSignatures(input, signature);
  if (parsed === undefined || !parsed.ok) return undefined;
  for (let n = 2; ; n += 1) if (!parsed.value.inputs.has(`sig${n}`)) return `sig${n}`;
}
