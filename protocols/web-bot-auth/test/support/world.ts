import {
  type AgentPlace,
  createVerifier,
  generateSigningKey,
  type HttpRequest,
  type KeyAnswer,
  type KeySource,
  type PublicKey,
  readPublicKey,
  type SigningKey,
  type SignOptions,
  signatureHeaders,
  type Verification,
  type Verifier,
  type VerifierOptions,
} from "@countersign/web-bot-auth";
import { assert } from "@countersign/wire";

export const AGENT = "https://agent.example";
export const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;
/** Noon of a day in 2026, in Unix seconds. */
export const NOON_S = 1_796_040_000;

/** Keys by the URL that they are published at. Whoever looks elsewhere finds nothing. */
export function published(
  at: Readonly<Record<string, readonly PublicKey[]>>,
): KeySource & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async find(place: AgentPlace, keyId: string): Promise<KeyAnswer> {
      asked.push(place.url);
      const keys = at[place.url];
      if (keys === undefined) return { kind: "unavailable" };
      const key = keys.find((one) => one.keyId === keyId);
      return key === undefined ? { kind: "absent" } : { kind: "found", key, age: "fresh" };
    },
  };
}

export interface World {
  readonly key: SigningKey;
  readonly publicKey: PublicKey;
  readonly keys: KeySource & { readonly asked: string[] };
  readonly verifier: Verifier;
  sign(request: HttpRequest, options?: Partial<SignOptions>): Promise<HttpRequest>;
  verify(request: HttpRequest): Promise<Verification>;
}

/** One agent with one key, and whoever verifies it, at noon. */
export async function world(options: Partial<VerifierOptions> = {}): Promise<World> {
  const { key } = await generateSigningKey();
  const publicKey = await publicKeyOf(key);
  const keys = published({ [DIRECTORY]: [publicKey] });
  const now = () => NOON_S * 1000;
  const verifier = createVerifier({ keys, now, ...options });
  return {
    key,
    publicKey,
    keys,
    verifier,
    async sign(request, more = {}) {
      const agent = { type: "directory", origin: AGENT } as const;
      const added = await signatureHeaders(request, { key, agent, now, ...more });
      assert(added.ok, "it is signed");
      return withHeaders(request, added.value);
    },
    verify: (request) => verifier.verify(request),
  };
}

export async function publicKeyOf(key: SigningKey): Promise<PublicKey> {
  const read = await readPublicKey({ ...key.publicJwk });
  assert(read.ok, "a signing key's public half is usable");
  return read.value;
}

export const GET: HttpRequest = {
  method: "GET",
  url: "https://shop.example/catalogue?page=2",
  headers: [["accept", "text/html"]],
  body: new Uint8Array(),
};

export const POST: HttpRequest = {
  method: "POST",
  url: "https://shop.example/orders",
  headers: [["content-type", "application/json"]],
  body: new TextEncoder().encode('{"sku":"tea","quantity":2}'),
};

/** The request with headers set: those of the same name go. */
export function withHeaders(request: HttpRequest, added: Iterable<readonly [string, string]>): HttpRequest {
  const set = [...added];
  const kept = [...request.headers].filter(([name]) => !set.some(([other]) => other === name.toLowerCase()));
  return { ...request, headers: [...kept, ...set] };
}

export function header(request: HttpRequest, name: string): string {
  const found = [...request.headers].find(([given]) => given.toLowerCase() === name);
  assert(found !== undefined, "the header is there");
  return found[1];
}
