import type { IdentitySigner, PluginCtx } from "@countersign/plugin";
import { assert } from "@countersign/wire";

/** Headers of RFC 9421 that hold a list: a second signature stands behind the first. */
const LISTS: ReadonlySet<string> = new Set(["signature", "signature-input"]);

/**
 * The request with what each signer adds, one after the other by their ids. A signer proves who is calling and decides
 * nothing else: only headers that were not there count, and method, address and body stay as they were.
 */
export async function signedBy(
  signers: ReadonlyMap<string, IdentitySigner>,
  ctxFor: (id: string) => PluginCtx,
  request: Request,
): Promise<Request> {
  let signed = request;
  for (const [id, signer] of [...signers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const answer = await signer.sign(ctxFor(id), signed.clone());
    assert(answer.method === request.method && answer.url === request.url, "a signer leaves method and address alone");
    const headers = new Headers(signed.headers);
    for (const [name, value] of answer.headers) {
      const before = headers.get(name);
      if (before === null || (LISTS.has(name) && value.startsWith(`${before}, `))) headers.set(name, value);
    }
    signed = new Request(signed, { headers });
  }
  return signed;
}
