import {
  createVerifier,
  generateSigningKey,
  type HttpRequest,
  type SigningKey,
  type Verifier,
} from "@countersign/web-bot-auth";
import { assert } from "@countersign/wire";
import fc from "fast-check";
import {
  AGENT,
  DIRECTORY,
  GET,
  header,
  NOON_S,
  POST,
  publicKeyOf,
  published,
  withHeaders,
  world,
} from "../support/world.ts";

// Requests that were signed, then bent: letters of the headers, whole members, other requests' headers, method, address,
// body. The verifier answers every one of them. Everything that an original says is covered by its signature, so whatever
// is verified must still say exactly what one of the originals said.

interface Original {
  readonly request: HttpRequest;
  readonly says: string;
}

interface Bench {
  readonly verifier: Verifier;
  readonly originals: readonly Original[];
}

const FIELDS = ["signature-input", "signature", "signature-agent", "content-digest"] as const;
const PIECES = [
  '"',
  "\\",
  "(",
  ")",
  ";",
  ",",
  ":",
  "=",
  " ",
  "\t",
  "?1",
  "@1",
  "1.0",
  "-1",
  "sig1",
  "sig2",
  '"@authority"',
  '"@method"',
  '"@path"',
  '"@query"',
  '"signature-agent";key="sig1"',
  '"content-digest"',
  ";req",
  ";sf",
  ";bs",
  ";tr",
  ';key="sig1"',
  ';tag="web-bot-auth"',
  ';alg="hmac-sha256"',
  ";created=1",
  ";expires=4102444800",
  `"${AGENT}"`,
  '"https://evil.example"',
  ";type=jwks_uri",
  ";type=cimd",
  "é",
  "\u0000",
  "\r\n ",
  "__proto__",
  "constructor",
  "*",
  "a".repeat(300),
] as const;

type Bend =
  | { readonly kind: "put"; readonly field: string; readonly at: number; readonly piece: string }
  | { readonly kind: "over"; readonly field: string; readonly at: number; readonly piece: string }
  | { readonly kind: "cut"; readonly field: string; readonly at: number; readonly length: number }
  | { readonly kind: "flip"; readonly field: string; readonly at: number; readonly to: number }
  | { readonly kind: "other"; readonly field: string; readonly from: number }
  | { readonly kind: "twice" | "drop"; readonly field: string }
  | { readonly kind: "method" | "url"; readonly to: string }
  | { readonly kind: "body"; readonly to: Uint8Array };

const field = fc.constantFrom(...FIELDS);
const at = fc.nat(600);
const bend: fc.Arbitrary<Bend> = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), field, at, piece: fc.constantFrom(...PIECES) }),
  fc.record({ kind: fc.constant("over" as const), field, at, piece: fc.constantFrom(...PIECES) }),
  fc.record({ kind: fc.constant("cut" as const), field, at, length: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant("flip" as const), field, at, to: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant("other" as const), field, from: fc.nat(7) }),
  fc.record({ kind: fc.constantFrom("twice" as const, "drop" as const), field }),
  fc.record({ kind: fc.constant("method" as const), to: fc.constantFrom("POST", "GET", "get", "PUT", "") }),
  fc.record({
    kind: fc.constant("url" as const),
    to: fc.constantFrom(
      "https://evil.example/orders",
      "https://SHOP.example:443/orders",
      "https://shop.example/catalogue?page=2#x",
      "https://shop.example/catalogue?page=2&x",
      "https://shop.example//orders",
      "https://shop.example/%6frders",
      "http://shop.example/orders",
      "nonsense",
    ),
  }),
  fc.record({ kind: fc.constant("body" as const), to: fc.uint8Array({ maxLength: 40 }) }),
);

export async function fuzzBench(): Promise<Bench> {
  const here = await world();
  const { key: stranger } = await generateSigningKey();
  const keys = published({ [DIRECTORY]: [here.publicKey, await publicKeyOf(stranger)] });
  // Every copy is new to it: what is looked for is a false signature, not a replay.
  const nonces = { record: async () => "recorded" as const };
  const signedBy = (request: HttpRequest, key: SigningKey) => here.sign(request, { key });
  const requests = [
    await signedBy(GET, here.key),
    await signedBy(POST, here.key),
    await signedBy({ ...GET, url: "https://shop.example/" }, stranger),
    await signedBy({ ...POST, method: "PUT", body: new TextEncoder().encode("other") }, stranger),
    await signedBy(await signedBy(GET, stranger), here.key),
    await here.sign(GET, { profiles: ["ietf-00", "ietf-01-direct"] }),
    await here.sign(POST, { alsoCover: ["content-type"] }),
    await here.sign(GET, { lifetimeS: 300 }),
  ];
  return {
    verifier: createVerifier({ keys, nonces, now: () => NOON_S * 1000, legacyString: "read", wellKnownUrl: "read" }),
    originals: requests.map((request) => ({ request, says: sayingOf(request) })),
  };
}

/** Throws, with fast-check's shortest example, when a verdict is wrong or does not come. */
export async function fuzzVerifier({ verifier, originals }: Bench, runs: number, seed?: number): Promise<FuzzCount> {
  const count: FuzzCount = { verified: 0, unverified: 0, invalid: 0, unsigned: 0 };
  const sayings = new Set(originals.map(({ says }) => says));
  const targets = new Set(originals.map(({ request }) => sayingOf({ ...request, body: new Uint8Array() })));
  const property = fc.asyncProperty(
    fc.nat(originals.length - 1),
    fc.array(bend, { minLength: 0, maxLength: 4 }),
    async (which, bends) => {
      const original = originals[which];
      assert(original !== undefined, "one of them");
      const request = bends.reduce((bent, one) => applied(bent, one, originals), original.request);
      const { outcome, results } = await verifier.verify(request);
      count[outcome] += 1;
      assert(bends.length > 0 || outcome === "verified", "an original verifies");
      assert(results.length > 0 === (outcome !== "unsigned"), "every signature has its result");
      for (const result of results) {
        if (result.outcome !== "verified") continue;
        // Content that nobody signed is told as such, and then counts for nothing; of anything else it is the signer's.
        const signed = result.body === "not_covered" ? { ...request, body: new Uint8Array() } : request;
        const known = result.body === "not_covered" ? targets : sayings;
        assert(known.has(sayingOf(signed)), "what is verified is what was signed");
      }
    },
  );
  await fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
  return count;
}

export interface FuzzCount {
  verified: number;
  unverified: number;
  invalid: number;
  unsigned: number;
}

/** All that every original's signature covers: target, method, content. Its headers may be spelled in other ways. */
function sayingOf(request: HttpRequest): string {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const body = Buffer.from(request.body ?? []).toString("hex");
  return JSON.stringify([request.method, url?.host, url?.pathname, url?.search, body]);
}

function applied(request: HttpRequest, one: Bend, originals: readonly Original[]): HttpRequest {
  switch (one.kind) {
    case "method":
      return { ...request, method: one.to };
    case "url":
      return { ...request, url: one.to };
    case "body":
      return { ...request, body: one.to };
    case "drop":
      return { ...request, headers: [...request.headers].filter(([name]) => name !== one.field) };
    case "twice":
      return { ...request, headers: [...request.headers, ...[...request.headers].filter(([n]) => n === one.field)] };
    case "other": {
      const from = originals[one.from]?.request;
      const value = from === undefined ? undefined : fieldIn(from, one.field);
      return value === undefined ? request : withHeaders(request, [[one.field, value]]);
    }
    default: {
      const value = fieldIn(request, one.field);
      return value === undefined ? request : withHeaders(request, [[one.field, edited(value, one)]]);
    }
  }
}

function edited(value: string, one: Extract<Bend, { readonly field: string; readonly at: number }>): string {
  const place = one.at % (value.length + 1);
  const [before, after] = [value.slice(0, place), value.slice(place)];
  if (one.kind === "put") return `${before}${one.piece}${after}`;
  if (one.kind === "over") return `${before}${one.piece}${after.slice(one.piece.length)}`;
  if (one.kind === "cut") return `${before}${after.slice(one.length)}`;
  return `${before}${String.fromCharCode(one.to)}${after.slice(1)}`;
}

function fieldIn(request: HttpRequest, name: string): string | undefined {
  return [...request.headers].some(([given]) => given === name) ? header(request, name) : undefined;
}
