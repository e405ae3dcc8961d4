import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import {
  createVerifier,
  generateSigningKey,
  type HttpRequest,
  readPublicKey,
  type SigningKey,
  signatureHeaders,
} from "@countersign/web-bot-auth";
import { assert } from "@countersign/wire";
import { signatureHeaders as theirHeaders, verify as theirVerify } from "web-bot-auth";
import { signerFromJWK, verifierFromJWK } from "web-bot-auth/crypto";

/** A batch is made ready outside the time, and `run` is what is timed. Each item is used once: a replay is no work. */
export interface Contender {
  prepare(count: number): Promise<() => Promise<void>>;
}

export interface Contenders {
  readonly verify: Readonly<Record<"bare" | "ours" | "theirs", Contender>>;
  readonly sign: Readonly<Record<"bare" | "ours" | "theirs", Contender>>;
}

const AGENT = "https://agent.example";
/** The longest, so that a slow machine does not outlive its own batch. */
const LIFETIME_S = 300;
const REQUEST: HttpRequest = {
  method: "GET",
  url: "https://shop.example/catalogue",
  headers: [
    ["accept", "text/html"],
    ["user-agent", "bench"],
    ["accept-language", "en"],
  ],
  body: new Uint8Array(),
};
/** Each goes to an address of its own: what is kept from one request is of no use to the next. */
let pages = 0;
function nextUrl(): string {
  pages += 1;
  return `${REQUEST.url}?page=${pages}`;
}

/** What we cover, as the other package can: it knows `Signature-Agent` as the single String of early drafts alone. */
const THEIR_COMPONENTS = ["@method", "@authority", "@path", "@query", "signature-agent"];
const THEIR_HEADERS = { ...Object.fromEntries(REQUEST.headers), "signature-agent": `"${AGENT}"` };
const theirRequest = () => ({ method: REQUEST.method, url: nextUrl(), headers: THEIR_HEADERS });

/**
 * The same key and the same request for all. Bare: Node's own Ed25519 over the very bytes that ours signs and verifies,
 * with the key ready. Ours: from the headers as they came to the verdict, with its nonce store; from the request to the
 * headers. Theirs: the npm package `web-bot-auth`, with its key ready too.
 */
export async function contenders(): Promise<Contenders> {
  const { key, privateJwk } = await generateSigningKey();
  const jwk = privateJwk.reveal();
  const privateKey = createPrivateKey({ key: { ...jwk }, format: "jwk" });
  const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: "jwk" });
  const published = await readPublicKey({ ...key.publicJwk });
  assert(published.ok, "the key can be published");
  const found = { kind: "found", key: published.value, age: "fresh" } as const;
  const theirSigner = await signerFromJWK(jwk);
  const theirVerifier = await verifierFromJWK({ ...key.publicJwk });
  return {
    verify: {
      bare: {
        async prepare(count) {
          const signed = await many(count, () => signedBase(key));
          return async () => {
            for (const { base, signature } of signed) assert(verify(null, base, publicKey, signature), "it verifies");
          };
        },
      },
      ours: {
        async prepare(count) {
          const signed = await many(count, () => signedRequest(key));
          const verifier = createVerifier({ keys: { find: async () => found } });
          return async () => {
            for (const request of signed)
              assert((await verifier.verify(request)).outcome === "verified", "it is verified");
          };
        },
      },
      theirs: {
        async prepare(count) {
          const signed = await many(count, async () => {
            const request = theirRequest();
            const added = await theirHeaders(request, theirSigner, theirParameters());
            const signature = { signature: added.Signature, "signature-input": added["Signature-Input"] };
            return { ...request, headers: { ...request.headers, ...signature } };
          });
          return async () => {
            for (const request of signed) await theirVerify(request, theirVerifier);
          };
        },
      },
    },
    sign: {
      bare: {
        async prepare(count) {
          const signed = await many(count, () => signedBase(key));
          return async () => {
            for (const { base } of signed) sign(null, base, privateKey);
          };
        },
      },
      ours: {
        prepare: async (count) => async () => {
          for (let n = 0; n < count; n += 1) await headersFor(key);
        },
      },
      theirs: {
        prepare: async (count) => async () => {
          for (let n = 0; n < count; n += 1) await theirHeaders(theirRequest(), theirSigner, theirParameters());
        },
      },
    },
  };
}

function theirParameters() {
  const created = new Date();
  return { created, expires: new Date(created.getTime() + LIFETIME_S * 1_000), components: THEIR_COMPONENTS };
}

async function headersFor(key: SigningKey, url = nextUrl()) {
  const agent = { type: "directory", origin: AGENT } as const;
  const added = await signatureHeaders({ ...REQUEST, url }, { key, agent, lifetimeS: LIFETIME_S });
  assert(added.ok, "it is signed");
  return added.value;
}

async function signedRequest(key: SigningKey): Promise<HttpRequest> {
  const url = nextUrl();
  return { ...REQUEST, url, headers: [...REQUEST.headers, ...(await headersFor(key, url))] };
}

/** The bytes that a request of ours is signed over, and their signature. */
async function signedBase(key: SigningKey): Promise<{ readonly base: Uint8Array; readonly signature: Uint8Array }> {
  let base: Uint8Array | undefined;
  let signature: Uint8Array | undefined;
  await headersFor({
    ...key,
    async sign(bytes) {
      base = bytes;
      signature = await key.sign(bytes);
      return signature;
    },
  });
  assert(base !== undefined && signature !== undefined, "it was signed");
  return { base, signature };
}

async function many<T>(count: number, make: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let n = 0; n < count; n += 1) all.push(await make());
  return all;
}
