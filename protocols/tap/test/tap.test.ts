import { readFileSync } from "node:fs";
import {
  type AgentKeySource,
  configuredKeys,
  createTapVerifier,
  fetchedKeys,
  mayPay,
  signBrowsing,
  signPaying,
  TAGS,
  type TapVerifierOptions,
} from "@countersign/tap";
import {
  createVerifier,
  generateSigningKey,
  type HttpRequest,
  importSigningKey,
  memoryNonces,
  readPublicKey,
  secret,
  signatureHeaders,
} from "@countersign/web-bot-auth";
import { signMessage } from "@countersign/web-bot-auth/signatures";
import { assert } from "@countersign/wire";
import { describe, expect, it } from "vitest";

interface Vector {
  readonly request: { readonly method: string; readonly url: string };
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly verifyAt: number;
  readonly derived: { readonly signatureInput: string; readonly signature: string };
  readonly derivedWithCapitalAlg?: { readonly signatureInput: string; readonly signature: string };
}
const VECTORS = JSON.parse(readFileSync(new URL("../fixtures/vectors.json", import.meta.url), "utf8")) as {
  readonly key: {
    readonly keyid: string;
    readonly jwkPublic: { readonly kty: string; readonly crv: string; readonly x: string };
  };
  readonly browsing: Vector;
  readonly paying: Vector;
  readonly negatives: readonly { readonly id: string }[];
};
const { browsing, paying } = VECTORS;
/** RFC 9421 B.1.4, which everybody has. */
const TEST_D = "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU";
const AT_MS = browsing.verifyAt * 1000;
const now = () => AT_MS;

async function testKey() {
  const key = await importSigningKey(secret({ ...VECTORS.key.jwkPublic, d: TEST_D }));
  assert(key.ok, "the published key is Ed25519");
  return key.value;
}

const source = () => configuredKeys("configured", { keys: [{ ...VECTORS.key.jwkPublic }] });

function received(of: Vector, derived: Vector["derived"] = of.derived, change: Partial<HttpRequest> = {}): HttpRequest {
  return {
    ...of.request,
    headers: [
      ["signature-input", derived.signatureInput],
      ["signature", derived.signature],
    ],
    ...change,
  };
}

async function verified(request: HttpRequest, options: Partial<TapVerifierOptions> = {}) {
  return createTapVerifier({ sources: [await source()], now, ...options }).verify(request);
}

async function outcome(request: HttpRequest, options: Partial<TapVerifierOptions> = {}) {
  const { outcome: overall, results } = await verified(request, options);
  const [first] = results;
  return first === undefined || first.outcome === "verified" ? overall : `${first.outcome}/${first.reason}`;
}

/** The browsing vector, signed anew with other parameters or components. */
async function resigned(change: {
  readonly drop?: string;
  readonly set?: Readonly<Record<string, string | number>>;
  readonly names?: readonly string[];
  readonly of?: Vector;
}): Promise<HttpRequest> {
  const { drop, set = {}, names = ["@authority", "@path"], of = browsing } = change;
  const parameters = Object.fromEntries(Object.entries({ ...of.parameters, ...set }).filter(([name]) => name !== drop));
  const key = await testKey();
  const algorithm = String(parameters["alg"] ?? "ed25519");
  const signed = await signMessage(
    { ...of.request, headers: [] },
    { label: "sig2", components: names.map((name) => ({ name })), parameters, signer: { algorithm, sign: key.sign } },
  );
  assert(signed.ok, "it is signed");
  return received(of, signed.value);
}

describe("PLG-7 TAP, the self-computed vectors", () => {
  it.each([["browsing", browsing] as const, ["paying", paying] as const])(
    "%s is signed byte for byte, and verifies as what it is",
    async (kind, of) => {
      const options = {
        key: await testKey(),
        nonce: String(of.parameters["nonce"]),
        lifetimeS: 480,
        now: () => Number(of.parameters["created"]) * 1000,
      };
      const request = { ...of.request, headers: [] };
      const { host, pathname } = new URL(of.request.url);
      const approval = {
        recordDigest: "d",
        method: of.request.method,
        authority: host,
        path: pathname,
        validUntilMs: AT_MS,
      };
      const signed =
        kind === "browsing" ? await signBrowsing(request, options) : await signPaying(request, approval, options);
      assert(signed.ok, "it is signed");
      expect(signed.value.headers).toEqual([
        ["signature-input", of.derived.signatureInput],
        ["signature", of.derived.signature],
      ]);
      const verification = await verified(received(of));
      expect(verification).toMatchObject({ outcome: "verified", kind, results: [{ keySource: "configured" }] });
      expect(mayPay(verification).ok).toBe(kind === "paying");
    },
  );

  it("the spelling of the algorithm is signed: each spelling by its own signature, and not by the other's", async () => {
    const capital = browsing.derivedWithCapitalAlg;
    assert(capital !== undefined, "the vector has it");
    expect(await outcome(received(browsing, capital))).toBe("verified");
    const swapped = { signatureInput: capital.signatureInput, signature: browsing.derived.signature };
    expect(await outcome(received(browsing, swapped))).toBe("invalid/bad_signature");
  });
});

const text = (change: (input: string) => string) => async () =>
  received(browsing, { ...browsing.derived, signatureInput: change(browsing.derived.signatureInput) });
const other = (change: Partial<HttpRequest>) => async () => received(browsing, browsing.derived, change);

const ROWS: readonly (readonly [string, () => Promise<HttpRequest>, string, Partial<TapVerifierOptions>?])[] = [
  ["TAP-N1 the tag of Web Bot Auth", () => resigned({ set: { tag: "web-bot-auth" } }), "none"],
  ["TAP-N2 no nonce", () => resigned({ drop: "nonce" }), "invalid/missing_fields"],
  ["TAP-N3 no algorithm", () => resigned({ drop: "alg" }), "invalid/missing_fields"],
  ["no created", () => resigned({ drop: "created" }), "invalid/missing_fields"],
  ["no expires", () => resigned({ drop: "expires" }), "invalid/missing_fields"],
  ["no keyid", () => resigned({ drop: "keyid" }), "invalid/missing_fields"],
  ["a window of 480 seconds", () => resigned({ set: { expires: 1_735_690_080 } }), "verified"],
  ["TAP-N4 a window of 481", () => resigned({ set: { expires: 1_735_690_081 } }), "invalid/window"],
  ["in its last second, and what clocks differ by", () => resigned({}), "verified", { now: () => 1_735_690_110_000 }],
  ["TAP-N5 a second after that", () => resigned({}), "invalid/expired", { now: () => 1_735_690_111_000 }],
  ["TAP-N6 a second before it may be", () => resigned({}), "invalid/clock_ahead", { now: () => 1_735_689_569_000 }],
  ["TAP-N8 no path", () => resigned({ names: ["@authority"] }), "invalid/not_covered"],
  ["no authority", () => resigned({ names: ["@path"] }), "invalid/not_covered"],
  ["TAP-N9 another host", other({ url: "https://other.example/products/42" }), "invalid/bad_signature"],
  ["another path", other({ url: "https://merchant.example/products/43" }), "invalid/bad_signature"],
  ["TAP-N11 another method: it is not signed", other({ method: "POST" }), "verified"],
  ["TAP-N11 another query: it is not signed", other({ url: "https://merchant.example/products/42?x" }), "verified"],
  ["TAP-N15 keyId with a capital", text((t) => t.replace("keyid", "keyId")), "invalid/malformed"],
  ["TAP-N16 a blank after nonce=", text((t) => t.replace("nonce=", "nonce= ")), "invalid/malformed"],
  ["TAP-N18 blanks after semicolons", text((t) => t.replaceAll(";", ";  ")), "verified"],
  ["TAP-N14 a key that no source lists", () => resigned({}), "unverified/unknown_agent", { sources: [] }],
  [
    "an algorithm of the sample code",
    () => resigned({ set: { alg: "rsa-pss-sha256" } }),
    "unverified/unsupported_algorithm",
  ],
  ["an algorithm of another key", () => resigned({ set: { alg: "PS256" } }), "invalid/algorithm_mismatch"],
];

describe("PLG-7 TAP, what is refused", () => {
  it.each(ROWS.map(([name, request, expected, options = {}]) => ({ name, request, expected, options })))(
    "$name",
    async ({ request, expected, options }) => {
      expect(await outcome(await request(), options)).toBe(expected);
    },
  );

  it("TAP-N17 relabelled on the way", async () => {
    const relabelled = {
      signatureInput: browsing.derived.signatureInput.replace("sig2=", "proxy1="),
      signature: browsing.derived.signature.replace("sig2=", "proxy1="),
    };
    expect(await outcome(received(browsing, relabelled))).toBe("verified");
  });

  it("TAP-N7 a nonce counts once for each tag; a record that is down opens no payment", async () => {
    const nonces = memoryNonces({ now });
    expect(await outcome(received(browsing), { nonces })).toBe("verified");
    expect(await outcome(received(browsing), { nonces })).toBe("invalid/replayed");
    const down = { record: () => Promise.reject(new Error("down")) };
    const browsed = await verified(received(browsing), { nonces: down });
    expect(browsed.results).toEqual([
      expect.objectContaining({ outcome: "verified", nonceState: "store_unavailable" }),
    ]);
    expect(mayPay(await verified(received(paying), { nonces: down }))).toEqual({ ok: false, reason: "replay_unknown" });
  });

  it("TAP-N10 a browsing signature opens no payment, and both kinds at once are no more than browsing", async () => {
    const checkout = await resigned({ of: { ...browsing, request: paying.request } });
    expect(mayPay(await verified(checkout))).toEqual({ ok: false, reason: "not_paying" });
    const key = await testKey();
    const first = await signBrowsing({ ...paying.request, headers: [] }, { key, now });
    assert(first.ok, "it is signed");
    const approval = {
      recordDigest: "d",
      method: "POST",
      authority: "merchant.example",
      path: "/checkout",
      validUntilMs: AT_MS + 1,
    };
    const both = await signPaying({ ...paying.request, headers: first.value.headers }, approval, { key, now });
    assert(both.ok, "it is signed");
    const verification = await verified({ ...paying.request, headers: both.value.headers });
    expect(verification.results.map((one) => one.outcome)).toEqual(["verified", "verified"]);
    expect(verification.kind).toBe("browsing");
    expect(mayPay(verification).ok).toBe(false);
  });

  it("beside a Web Bot Auth signature with the same nonce both hold, and neither is a replay of the other", async () => {
    const { key } = await generateSigningKey();
    const read = await readPublicKey({ ...key.publicJwk });
    assert(read.ok, "it is usable");
    const nonces = memoryNonces({ now });
    const tapped = await signBrowsing({ ...browsing.request, headers: [] }, { key: await testKey(), now });
    assert(tapped.ok, "it is signed");
    const request = { ...browsing.request, headers: tapped.value.headers };
    const agent = { type: "directory", origin: "https://agent.example" } as const;
    const added = await signatureHeaders(request, { key, agent, nonce: tapped.value.nonce, now });
    assert(added.ok, "it is signed");
    const sent = { ...request, headers: added.value, body: new Uint8Array() };
    const keys = { find: async () => ({ kind: "found", key: read.value, age: "fresh" }) as const };
    expect((await createVerifier({ keys, nonces, now }).verify(sent)).outcome).toBe("verified");
    expect(await outcome(sent, { nonces })).toBe("verified");
  });
});

describe("PLG-7 TAP, what is signed", () => {
  it("a payment only with its recorded approval, for its own target, while it lives; nothing over plain HTTP", async () => {
    const key = await testKey();
    const request = { ...paying.request, headers: [] };
    const approval = {
      recordDigest: "d",
      method: "POST",
      authority: "merchant.example",
      path: "/checkout",
      validUntilMs: AT_MS,
    };
    const signed = async (change: object, of: HttpRequest = request) => {
      const answer = await signPaying(of, { ...approval, ...change }, { key, now: () => AT_MS - 1 });
      return answer.ok ? "signed" : answer.reason;
    };
    expect(await signed({})).toBe("signed");
    expect(await signed({ path: "/other" })).toBe("not_approved");
    expect(await signed({ authority: "other.example" })).toBe("not_approved");
    expect(await signed({ method: "PUT" })).toBe("not_approved");
    expect(await signed({ validUntilMs: AT_MS - 1 })).toBe("approval_over");
    // A redirect is another target: what was approved does not cover it.
    expect(await signed({}, { ...request, url: "https://other.example/checkout" })).toBe("not_approved");
    expect(await signed({}, { ...request, url: "http://merchant.example/checkout" })).toBe("plain_http");
    expect(await signed({}, { ...request, url: "https://merchant.example/x/../checkout" })).toBe("bad_target");
    expect(TAGS.paying).toBe("agent-payer-auth");
  });
});

describe("PLG-7 TAP, keys", () => {
  it("a key that is gone from a fetched set is gone when the set is fetched again; an outage says nothing", async () => {
    let nowMs = AT_MS;
    let keys: readonly object[] = [{ ...VECTORS.key.jwkPublic }];
    let down = false;
    const fetched: AgentKeySource = fetchedKeys({
      name: "scheme",
      url: "https://scheme.example/jwks",
      now: () => nowMs,
      async fetch() {
        if (down) throw new Error("down");
        return Response.json({ keys }, { headers: { "cache-control": "max-age=7200" } });
      },
    });
    expect((await fetched.find(VECTORS.key.keyid)).kind).toBe("found");
    keys = [];
    nowMs += 3_599_999;
    expect((await fetched.find(VECTORS.key.keyid)).kind).toBe("found");
    nowMs += 1;
    expect((await fetched.find(VECTORS.key.keyid)).kind).toBe("absent");
    down = true;
    nowMs += 3_600_000;
    expect((await fetched.find(VECTORS.key.keyid)).kind).toBe("unavailable");
    expect(await outcome(received(browsing), { sources: [fetched] })).toBe("unverified/keys_unavailable");
  });
});
