import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { httpbis } from "http-message-signatures";

/** A request as it was seen by whoever got it. */
export interface Signed {
  readonly method: string;
  readonly url: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body?: Uint8Array;
}

/** Verifies a request by an implementation that shares no code with ours, and its body by its digest. */
export async function foreignVerifies(request: Signed, keys: ReadonlyMap<string, object>): Promise<boolean> {
  const headers = Object.fromEntries([...request.headers].map(([name, value]) => [name.toLowerCase(), value]));
  const signed = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) => {
        const jwk = keys.get(String(keyid));
        if (jwk === undefined) return null;
        const key = createPublicKey({ key: { ...jwk } as JsonWebKey, format: "jwk" });
        return {
          id: String(keyid),
          algs: ["ed25519"],
          verify: async (data, signature) => verify(null, data, key, signature),
        };
      },
      requiredFields: ["@method", "@authority", "@path"],
      requiredParams: ["keyid", "tag", "expires", "nonce"],
      // The clock of a test may be hours ahead.
      tolerance: Number.MAX_SAFE_INTEGER / 1e6,
    },
    { method: request.method, url: request.url, headers },
  );
  if (signed !== true || request.body === undefined || request.body.length === 0) return signed === true;
  const digest = createHash("sha256").update(request.body).digest("base64");
  return (
    headers["content-digest"] === `sha-256=:${digest}:` &&
    headers["signature-input"]?.includes('"content-digest"') === true
  );
}
