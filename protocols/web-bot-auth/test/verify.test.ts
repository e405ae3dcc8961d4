import { constants, generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, sign } from "node:crypto";
import {
  createVerifier,
  DISCOVERIES,
  generateSigningKey,
  importSigningKey,
  mayActOn,
  memoryNonces,
  nonceKey,
  readPublicKey,
  type SignatureResult,
  secret,
  signatureHeaders,
} from "@countersign/web-bot-auth";
import {
  contentDigest,
  parseSignatures,
  readCandidate,
  signMessage,
  verifyMessage,
} from "@countersign/web-bot-auth/signatures";
import { assert, type Json, ok } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { webVerifier } from "../src/keys/verifier.ts";
import { AGENT, DIRECTORY, GET, header, NOON_S, POST, published, withHeaders, world } from "./support/world.ts";

const now = () => NOON_S * 1000;

function only(results: readonly SignatureResult[]): SignatureResult {
  const [result, ...more] = results;
  assert(result !== undefined && more.length === 0, "one result");
  return result;
}

describe("PLG-7 what verifies, and what is said about it", () => {
  it("P17 what the signer covers of itself, and nothing more is claimed", async () => {
    const here = await world();
    expect((await here.verify(await here.sign(GET))).results).toEqual([
      {
        outcome: "verified",
        label: "sig1",
        keyId: here.key.keyId,
        algorithm: "ed25519",
        identifier: DIRECTORY,
        domain: "agent.example",
        covered: ['"@method"', '"@authority"', '"@path"', '"@query"', '"signature-agent";key="sig1"'],
        createdS: NOON_S,
        expiresS: NOON_S + 60,
        nonceState: "recorded",
        body: "none",
        labelMismatch: false,
        keys: "fresh",
      },
    ]);
  });

  it("P16 a body by its digest; without one, or with none read, that is said", async () => {
    const here = await world();
    const signed = await here.sign(POST);
    expect(only((await here.verify(signed)).results)).toMatchObject({ outcome: "verified", body: "covered" });
    const { body: _body, ...unread } = await here.sign(POST);
    expect(only((await here.verify(unread)).results)).toMatchObject({ body: "not_read" });
    const { body, ...bare } = POST;
    const uncovered = await here.sign(bare);
    expect(only((await here.verify({ ...uncovered, body: body ?? new Uint8Array() })).results)).toMatchObject({
      outcome: "verified",
      body: "not_covered",
    });
  });

  it("an unsigned request says nothing, and a signature of another protocol is not ours", async () => {
    const here = await world();
    expect(await here.verify(GET)).toEqual({ outcome: "unsigned", results: [] });
    const other = withHeaders(GET, [
      ["signature-input", 'x=("@authority");created=1;expires=2;keyid="k";tag="another"'],
      ["signature", "x=:AAAA:"],
    ]);
    expect(await here.verify(other)).toEqual({ outcome: "unsigned", results: [] });
  });

  it("P9 P8 ours beside another's, in lines of their own", async () => {
    const here = await world();
    const signed = await here.sign(GET);
    const headers = [
      ...signed.headers,
      ["Signature-Input", 'x=("@authority");created=1;keyid="k";tag="another"'] as const,
      ["Signature", "x=:AAAA:"] as const,
    ];
    expect(await here.verify({ ...signed, headers })).toMatchObject({
      outcome: "verified",
      results: [{ label: "sig1" }],
    });
  });

  it("P7 blanks where they are allowed", async () => {
    const here = await world();
    const signed = await here.sign(GET);
    const spaced = header(signed, "signature-input")
      .replaceAll(";", ";  ")
      .replace('("', '(  "')
      .replace('" "', '"   "');
    expect((await here.verify(withHeaders(signed, [["signature-input", spaced]]))).outcome).toBe("verified");
  });

  it("P11 relabelled on the way: the member keeps its key, and the mismatch is told", async () => {
    const here = await world();
    const signed = await here.sign(GET);
    const relabelled = withHeaders(
      signed,
      ["signature-input", "signature"].map((name) => [name, header(signed, name).replace(/^sig1=/, "proxy=")] as const),
    );
    expect(only((await here.verify(relabelled)).results)).toMatchObject({ outcome: "verified", labelMismatch: true });
  });

  it("P10 P6 without alg, and with the whole target instead of its parts", async () => {
    const here = await world();
    const request = withHeaders(GET, [["signature-agent", `a="${AGENT}"`]]);
    const signed = await signMessage(request, {
      label: "a",
      components: [{ name: "@target-uri" }, { name: "signature-agent", key: "a" }],
      parameters: { created: NOON_S, expires: NOON_S + 10, keyid: here.key.keyId, tag: "web-bot-auth" },
      signer: here.key,
    });
    assert(signed.ok, "it is signed");
    const sent = withHeaders(request, [
      ["signature-input", signed.value.signatureInput],
      ["signature", signed.value.signature],
    ]);
    expect(only((await here.verify(sent)).results)).toMatchObject({ outcome: "verified", nonceState: "absent" });
    // No nonce: an identical copy is still seen.
    expect(only((await here.verify(sent)).results)).toMatchObject({ outcome: "invalid", reason: "replayed" });
  });

  it("two signers in one message are judged each by itself", async () => {
    const here = await world();
    const { key: other } = await generateSigningKey();
    const signed = await here.sign(await here.sign(GET, { key: other }));
    const { outcome, results } = await here.verify(signed);
    expect(outcome).toBe("verified");
    expect(results).toEqual([
      expect.objectContaining({ label: "sig1", outcome: "unverified", reason: "key_not_in_directory" }),
      expect.objectContaining({ label: "sig2", outcome: "verified" }),
    ]);
  });

  it("a signer that serves both revisions sends a signature for each", async () => {
    const here = await world();
    const signed = await here.sign(GET, { profiles: ["ietf-00", "ietf-01-direct"] });
    expect(header(signed, "signature-agent")).toBe(`sig1="${AGENT}", sig2="${DIRECTORY}"`);
    const { results } = await here.verify(signed);
    expect(results.map(({ outcome }) => outcome)).toEqual(["verified", "unverified"]);
    const later = createVerifier({
      keys: published({ [DIRECTORY]: [here.publicKey] }),
      now,
      profile: "ietf-01-direct",
    });
    expect((await later.verify(signed)).results).toEqual([
      expect.objectContaining({ label: "sig1", outcome: "unverified" }),
      expect.objectContaining({ label: "sig2", outcome: "verified", identifier: DIRECTORY, domain: "agent.example" }),
    ]);
  });

  it("at most four signatures of ours are looked at", async () => {
    const here = await world();
    let signed = GET;
    for (let n = 0; n < 5; n += 1) signed = await here.sign(signed);
    expect(await here.verify(signed)).toEqual({
      outcome: "invalid",
      results: [{ outcome: "invalid", reason: "too_many_signatures" }],
    });
  });
});

describe("PLG-7 whose signature it is", () => {
  it("P13 P14 keys at a URL are attributed to it without its query; only the well-known path names a domain", async () => {
    const here = await world();
    const url = "https://agent.example/keys%2fa?tenant=7";
    for (const type of ["jwks_uri", "cimd"] as const) {
      const keys = published({ [url]: [here.publicKey] });
      const verifier = createVerifier({ keys, now });
      const result = only((await verifier.verify(await here.sign(GET, { agent: { type, url } }))).results);
      expect(result).toMatchObject({ outcome: "verified", identifier: "https://agent.example/keys%2Fa" });
      expect(result).not.toHaveProperty("domain");
      expect(keys.asked).toEqual([url]);
    }
  });

  it("N39 a discovery type that is switched off is no type: nobody is asked", async () => {
    const here = await world({ discoveries: DISCOVERIES.filter(({ type }) => type !== "jwks_uri") });
    const agent = { type: "jwks_uri", url: `${AGENT}/jwks` } as const;
    expect(only((await here.verify(await here.sign(GET, { agent }))).results)).toMatchObject({
      reason: "agent_ignored",
    });
    expect(here.keys.asked).toEqual([]);
  });

  it("N37 a member with parameters means nothing in the later revision", async () => {
    const here = await world({ profile: "ietf-01-direct" });
    const agent = { type: "jwks_uri", url: DIRECTORY } as const;
    expect(only((await here.verify(await here.sign(GET, { agent }))).results)).toMatchObject({
      reason: "agent_ignored",
    });
    expect(here.keys.asked).toEqual([]);
  });

  it("the well-known URL as a member is read by ietf-00 only where that is asked for", async () => {
    const later = { profiles: ["ietf-01-direct"] } as const;
    const strict = await world();
    expect(only((await strict.verify(await strict.sign(GET, later))).results)).toMatchObject({
      reason: "agent_ignored",
    });
    const lenient = await world({ wellKnownUrl: "read" });
    expect((await lenient.verify(await lenient.sign(GET, later))).outcome).toBe("verified");
  });

  it("N23 a key that is known under one URL is never attributed to another", async () => {
    const here = await world();
    const elsewhere = "https://evil.example";
    const { publicKey } = await world();
    const verifier = createVerifier({
      keys: published({
        [DIRECTORY]: [here.publicKey],
        [`${elsewhere}/.well-known/http-message-signatures-directory`]: [publicKey],
      }),
      now,
    });
    const signed = await here.sign(GET, { agent: { type: "directory", origin: elsewhere } });
    expect(only((await verifier.verify(signed)).results)).toMatchObject({
      outcome: "unverified",
      reason: "key_not_in_directory",
    });
  });

  it("what a source answers is held against what it was asked: the key by its name, and its own dates", async () => {
    const here = await world();
    const { publicKey: another } = await world();
    const answering = async (key: typeof another) => {
      const keys = { find: async () => ({ kind: "found", key, age: "fresh" }) as const };
      return only((await createVerifier({ keys, now }).verify(await here.sign(GET))).results);
    };
    expect(await answering(another)).toMatchObject({ outcome: "unverified", reason: "key_not_in_directory" });
    const late = { outcome: "unverified", reason: "key_not_in_force" };
    expect(await answering({ ...here.publicKey, notAfter: NOON_S - 31 })).toMatchObject(late);
    expect(await answering({ ...here.publicKey, notBefore: NOON_S + 31 })).toMatchObject(late);
    const inForce = { ...here.publicKey, notBefore: NOON_S + 30, notAfter: NOON_S - 30 };
    expect(await answering(inForce)).toMatchObject({ outcome: "verified" });
    // A platform that refuses a signature by throwing has refused it.
    const verify = () => Promise.reject(new Error("refused"));
    const throwing = { ...here.publicKey, verifier: { algorithm: "ed25519", verify } };
    expect(await answering(throwing)).toMatchObject({ outcome: "invalid", reason: "bad_signature" });
  });

  it("N15 a key that is held, by a signer that names no URL", async () => {
    const here = await world();
    const verifier = createVerifier({ held: [here.publicKey], now });
    const signed = await signMessage(GET, {
      label: "a",
      components: [{ name: "@authority" }],
      parameters: { created: NOON_S, expires: NOON_S + 10, keyid: here.key.keyId, nonce: "n", tag: "web-bot-auth" },
      signer: here.key,
    });
    assert(signed.ok, "it is signed");
    const sent = withHeaders(GET, [
      ["signature-input", signed.value.signatureInput],
      ["signature", signed.value.signature],
    ]);
    expect(only((await verifier.verify(sent)).results)).toMatchObject({
      outcome: "verified",
      identifier: `thumbprint:${here.key.keyId}`,
      keys: "held",
    });
    expect(only((await createVerifier({ now }).verify(sent)).results)).toMatchObject({ reason: "agent_absent" });
  });

  it.each([
    ["the whole field covered", [{ name: "signature-agent" }]],
    ["both covered, neither under the label", ["a", "b"].map((key) => ({ name: "signature-agent", key }))],
  ])("N20 two members, and %s: nobody is named", async (_how, agents) => {
    const here = await world({ legacyString: "read" });
    const request = withHeaders(GET, [["signature-agent", `a="${AGENT}", b="https://evil.example"`]]);
    const signed = await signMessage(request, {
      label: "c",
      components: [{ name: "@authority" }, ...agents],
      parameters: { created: NOON_S, expires: NOON_S + 10, keyid: here.key.keyId, tag: "web-bot-auth" },
      signer: here.key,
    });
    assert(signed.ok, "it is signed");
    const sent = withHeaders(request, [
      ["signature-input", signed.value.signatureInput],
      ["signature", signed.value.signature],
    ]);
    expect(only((await here.verify(sent)).results)).toMatchObject({ outcome: "invalid", reason: "agent_ambiguous" });
  });
});

describe("PLG-7 algorithms", () => {
  const base = new TextEncoder().encode("base");
  const holds = async (pair: KeyPairKeyObjectResult, how: (key: KeyObject) => Uint8Array) => {
    const read = await readPublicKey(pair.publicKey.export({ format: "jwk" }) as Json);
    assert(read.ok, "the key is usable");
    const web = await webVerifier(read.value.jwk, read.value.algorithm);
    const signature = how(pair.privateKey);
    return [await read.value.verifier.verify(base, signature), await web.verify(base, signature)];
  };

  it("one that is not wanted is none: by the name that is claimed, and by the key that is found", async () => {
    const here = await world({ algorithms: ["rsa-pss-sha512"] });
    const signed = await here.sign(GET);
    expect(only((await here.verify(signed)).results)).toMatchObject({ outcome: "unverified", reason: "unsupported" });
    const unnamed = withHeaders(signed, [
      ["signature-input", header(signed, "signature-input").replace(';alg="ed25519"', "")],
    ]);
    expect(only((await here.verify(unnamed)).results)).toMatchObject({ reason: "unsupported_algorithm" });
    // Whoever uses the signatures alone has the same rule, whatever its resolver finds.
    const parsed = parseSignatures(header(unnamed, "signature-input"), header(unnamed, "signature"));
    const input = parsed.ok ? parsed.value.inputs.get("sig1") : undefined;
    assert(parsed.ok && input !== undefined, "it can be read");
    const candidate = readCandidate("sig1", input);
    assert(candidate.ok, "it has the right form");
    const verified = await verifyMessage(unnamed, {
      candidate: candidate.value,
      signature: parsed.value.signatures.get("sig1"),
      algorithms: ["rsa-pss-sha512"],
      resolve: async () => ok({ algorithm: "ed25519", verify: () => true }),
    });
    expect(verified).toEqual({ ok: false, reason: "unsupported" });
  });

  it("N33 RSA-PSS with 64 bytes of salt and no others; by node:crypto and by WebCrypto alike", async () => {
    const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const salted = (saltLength: number) => (key: KeyObject) =>
      sign("sha512", base, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
    expect(await holds(pair, salted(64))).toEqual([true, true]);
    expect(await holds(pair, salted(32))).toEqual([false, false]);
    expect(await holds(pair, salted(constants.RSA_PSS_SALTLEN_MAX_SIGN))).toEqual([false, false]);
  });

  it("N33 ECDSA as two numbers side by side, not as DER", async () => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const written = (dsaEncoding: "der" | "ieee-p1363") => (key: KeyObject) =>
      sign("sha256", base, { key, dsaEncoding });
    expect(await holds(pair, written("ieee-p1363"))).toEqual([true, true]);
    expect(await holds(pair, written("der"))).toEqual([false, false]);
  });

  it("Ed25519 of 64 bytes and no others", async () => {
    const pair = generateKeyPairSync("ed25519");
    expect(await holds(pair, (key) => sign(null, base, key))).toEqual([true, true]);
    expect(await holds(pair, (key) => sign(null, base, key).subarray(0, 63))).toEqual([false, false]);
  });
});

describe("PLG-7 once", () => {
  it("N28 a nonce counts once for each agent, and junk uses none up", async () => {
    const nonces = memoryNonces({ now, max: 2 });
    const here = await world({ nonces });
    const signed = await here.sign(GET, { nonce: "same" });
    const junk = withHeaders(signed, [["signature", `sig1=:${btoa("x".repeat(64))}:`]]);
    for (let n = 0; n < 5; n += 1)
      expect(only((await here.verify(junk)).results)).toMatchObject({ reason: "bad_signature" });
    expect((await here.verify(signed)).outcome).toBe("verified");
    expect(only((await here.verify(signed)).results)).toMatchObject({ outcome: "invalid", reason: "replayed" });
    expect(only((await here.verify(await here.sign(POST, { nonce: "same" }))).results)).toMatchObject({
      reason: "replayed",
    });
  });

  it("no two uses share a key: another tag, signer or nonce, another cut between them, a signature's bytes", async () => {
    const bytes = new TextEncoder().encode("cd");
    const uses = [
      { tag: "ab", identifier: "ab", nonce: "cd" },
      { tag: "ac", identifier: "ab", nonce: "cd" },
      { tag: "ab", identifier: "ac", nonce: "cd" },
      { tag: "ab", identifier: "ab", nonce: "ce" },
      { tag: "a", identifier: "bab", nonce: "cd" },
      { tag: "ab", identifier: "abc", nonce: "d" },
      { tag: "ab", identifier: "ab", nonce: bytes },
      { tag: "ab", identifier: "ab", nonce: Uint8Array.from([...bytes, 0]) },
      { tag: "ab", identifier: "\u00e9", nonce: "cd" },
    ];
    const keys = await Promise.all(uses.map(nonceKey));
    expect(new Set(keys).size).toBe(uses.length);
  });

  it("of fifty copies at once, one is verified", async () => {
    const here = await world();
    const signed = await here.sign(GET);
    const outcomes = await Promise.all(Array.from({ length: 50 }, async () => (await here.verify(signed)).outcome));
    expect(outcomes.filter((outcome) => outcome === "verified")).toHaveLength(1);
  });

  it("N29 a record that is down or full is not taken for no replay; and nothing is acted on", async () => {
    for (const record of [() => Promise.reject(new Error("down")), async () => "full" as const]) {
      const here = await world({ nonces: { record } });
      const result = only((await here.verify(await here.sign(GET))).results);
      expect(result).toMatchObject({ outcome: "verified", nonceState: "store_unavailable" });
      assert(result.outcome === "verified", "it is");
      expect(mayActOn(result)).toEqual({ ok: false, reason: "replay_unknown" });
    }
  });

  it("what may be acted on covers what is done", async () => {
    const here = await world();
    const acting = async (of = GET) => {
      const result = only((await here.verify(await here.sign(of))).results);
      assert(result.outcome === "verified", "it is");
      return { result, may: mayActOn(result) };
    };
    const { result, may } = await acting();
    expect(may).toEqual({ ok: true, value: true });
    expect((await acting(POST)).may.ok).toBe(true);
    const without = (identifier: string) => ({
      ...result,
      covered: result.covered.filter((one) => one !== identifier),
    });
    expect(mayActOn(without('"@method"'))).toEqual({ ok: false, reason: "method_not_covered" });
    expect(mayActOn(without('"@path"'))).toEqual({ ok: false, reason: "path_not_covered" });
    expect(mayActOn({ ...result, body: "not_covered" })).toEqual({ ok: false, reason: "body_not_covered" });
    expect(mayActOn({ ...result, body: "not_read" })).toEqual({ ok: false, reason: "body_not_covered" });
    expect(mayActOn({ ...result, nonceState: "absent" })).toEqual({ ok: false, reason: "no_nonce" });
  });

  it("the memory is bounded, each agent in it too, and forgets what is over", async () => {
    let nowMs = 0;
    const nonces = memoryNonces({ now: () => nowMs, max: 4, maxPerIdentifier: 2 });
    const use = (key: string, identifier: string) => nonces.record({ key, identifier, expiresAtMs: nowMs + 1000 });
    expect([await use("1", "a"), await use("2", "a"), await use("3", "a")]).toEqual(["recorded", "recorded", "full"]);
    expect([await use("4", "b"), await use("5", "b"), await use("6", "c")]).toEqual(["recorded", "recorded", "full"]);
    expect(await use("1", "a")).toBe("seen");
    nowMs = 1001;
    expect([await use("1", "a"), await use("6", "c")]).toEqual(["recorded", "recorded"]);
  });
});

describe("PLG-7 signing", () => {
  it("is refused where it would be anybody's, or nobody could look the keys up", async () => {
    const { key } = await generateSigningKey();
    const directory = { type: "directory", origin: AGENT } as const;
    const signed = async (request: typeof GET, options: object = {}) => {
      const answer = await signatureHeaders(request, { key, agent: directory, now, ...options });
      return answer.ok ? "signed" : answer.reason;
    };
    expect(await signed({ ...GET, url: "http://shop.example/" })).toBe("plain_http");
    expect(await signed({ ...GET, url: "http://localhost:1/" })).toBe("plain_http");
    expect(await signed({ ...GET, url: "http://localhost:1/" }, { plainHttp: "loopback" })).toBe("signed");
    expect(await signed({ ...GET, url: "http://shop.example/" }, { plainHttp: "loopback" })).toBe("plain_http");
    expect(await signed({ ...GET, url: "shop" })).toBe("bad_target");
    expect(await signed(GET, { agent: { type: "directory", origin: "http://agent.example" } })).toBe("bad_agent");
    expect(await signed(GET, { agent: { type: "directory", origin: `${AGENT}/x` } })).toBe("bad_agent");
    expect(await signed(GET, { agent: { type: "jwks_uri", url: 'https://a.example/"' } })).toBe("bad_agent");
    expect(await signed(GET, { agent: { type: "cimd", url: AGENT }, profiles: ["ietf-01-direct"] })).toBe(
      "agent_not_in_profile",
    );
    expect(await signed(withHeaders(GET, [["signature", "x=:AAAA:"]]))).toBe("signed_otherwise");
    expect(await signed(withHeaders(GET, [["signature-agent", `"${AGENT}"`]]))).toBe("signed_otherwise");
    expect(await signed(withHeaders(GET, [["signature-agent", "sig1=,"]]))).toBe("signed_otherwise");
    expect(await signed(withHeaders(POST, [["content-digest", await contentDigest(new Uint8Array())]]))).toBe(
      "content_digest_mismatch",
    );
    await expect(signed(GET, { lifetimeS: 301 })).rejects.toThrow("300 seconds");
  });

  it("a member that is there already keeps its key, and a source that throws says nothing", async () => {
    const here = await world();
    const signed = await here.sign(withHeaders(GET, [["signature-agent", 'sig1="https://other.example"']]));
    expect(header(signed, "signature-agent")).toBe(`sig1="https://other.example", sig2="${AGENT}"`);
    expect((await here.verify(signed)).outcome).toBe("verified");
    const broken = createVerifier({ keys: { find: () => Promise.reject(new Error("broken")) }, now });
    expect(only((await broken.verify(await here.sign(GET))).results)).toMatchObject({
      reason: "directory_unavailable",
    });
  });

  it("nothing but the four fields is added, a nonce is 32 fresh bytes, and a fragment is nobody's business", async () => {
    const here = await world();
    const first = await here.sign({ ...POST, url: `${POST.url}#part` });
    const second = await here.sign(POST);
    const names = [...first.headers].map(([name]) => name);
    expect(names).toEqual(["content-type", "content-digest", "signature-agent", "signature-input", "signature"]);
    const nonceOf = (of: typeof first) => /nonce="([^"]*)"/.exec(header(of, "signature-input"))?.[1] ?? "";
    expect(atob(nonceOf(first))).toHaveLength(32);
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    expect((await here.verify({ ...first, url: POST.url })).outcome).toBe("verified");
  });

  it("only Ed25519 of halves that belong together is a signing key", async () => {
    const one = (await generateSigningKey()).privateJwk.reveal();
    const other = (await generateSigningKey()).privateJwk.reveal();
    const imported = async (jwk: object) => (await importSigningKey(secret(jwk))).ok;
    expect(await imported(one)).toBe(true);
    expect(await imported({ ...one, x: other.x })).toBe(false);
    expect(await imported({ ...one, d: "AAAA" })).toBe(false);
    expect(await imported({ ...one, kty: "EC" })).toBe(false);
    expect(await imported({})).toBe(false);
  });
});
