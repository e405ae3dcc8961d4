import type { HeldRequest, IdentitySigner, PluginCtx } from "@countersign/plugin";
import { secret } from "@countersign/wire";
import { IDENTITY_SIGN_MS } from "../limits.ts";
import { within } from "../time/within.ts";

// Who is calling is said beside a request and is no part of it. A signer that throws, takes too long or answers another
// request is left out and named in the log: the request goes as it was, once, whatever became of its signature.

/** Headers of RFC 9421 and of Web Bot Auth that hold a list: a second signature stands behind the first. */
const LISTS: ReadonlySet<string> = new Set(["signature", "signature-input", "signature-agent"]);
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export type Unsigned = "failed" | "too_slow" | "astray" | "unreadable";

export interface Signing {
  readonly signers: ReadonlyMap<string, IdentitySigner>;
  /** What a signer is given of the gateway: its own corner of the store and vault. */
  ctxFor(id: string): PluginCtx;
  /** A signer has added nothing, and why. */
  onUnsigned(id: string, why: Unsigned): void;
}

/**
 * The request with what each signer adds, one after the other by their ids. A signer proves who is calling and decides
 * nothing else: only headers that were not there count, and method, address and body stay as they were.
 */
export async function signedBy(signing: Signing, request: Request): Promise<Request> {
  let signed = request;
  for (const [id, signer] of [...signing.signers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const answer = await tried(signer, signing.ctxFor(id), signed.clone());
    if (typeof answer === "string") {
      signing.onUnsigned(id, answer);
      continue;
    }
    if (answer.method !== request.method || answer.url !== request.url) {
      signing.onUnsigned(id, "astray");
      continue;
    }
    const headers = new Headers(signed.headers);
    for (const [name, value] of answer.headers) {
      const before = headers.get(name);
      if (before === null || (LISTS.has(name) && value.startsWith(`${before}, `))) headers.set(name, value);
    }
    signed = new Request(signed, { headers });
  }
  return signed;
}

/** A held request with what the signers add; its own headers keep their order and spelling, and its body its bytes. */
export async function heldSignedBy(signing: Signing, held: HeldRequest): Promise<HeldRequest> {
  if (signing.signers.size === 0 || held.unsigned === true) return held;
  let request: Request;
  try {
    request = asRequest(held);
  } catch {
    for (const id of signing.signers.keys()) signing.onUnsigned(id, "unreadable");
    return held;
  }
  const before = new Headers(request.headers);
  const signed = await signedBy(signing, request);
  const added = [...signed.headers].filter(([name, value]) => before.get(name) !== value);
  const names = new Set(added.map(([name]) => name));
  return {
    ...held,
    headers: [
      ...held.headers.filter(([name]) => !names.has(name.toLowerCase())),
      ...added.map(([name, value]) => [name, secret(value)] as const),
    ],
  };
}

async function tried(signer: IdentitySigner, ctx: PluginCtx, request: Request): Promise<Request | Unsigned> {
  let done = false;
  try {
    // The async function turns a synchronous throw into a rejection like any other.
    const signing = (async () => signer.sign(ctx, request))().finally(() => {
      done = true;
    });
    return await within(IDENTITY_SIGN_MS, signing);
  } catch {
    // What a signer throws could quote what it signs with, so it is not kept.
    return done ? "failed" : "too_slow";
  }
}

function asRequest(held: HeldRequest): Request {
  const headers = new Headers();
  for (const [name, value] of held.headers) headers.append(name, value.reveal());
  const body = BODILESS.has(held.method) ? {} : { body: Uint8Array.from(held.body.reveal()) };
  return new Request(held.url, { method: held.method, headers, ...body });
}
