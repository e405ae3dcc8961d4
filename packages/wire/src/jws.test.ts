import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import example from "./fixtures/evidence-example.json" with { type: "json" };
import {
  canonicalJson,
  generateSigningKey,
  importPrivateKey,
  importPublicKey,
  type Json,
  type JsonObject,
  type JwkLike,
  type ParsedJws,
  type PublicJwk,
  parseJws,
  parsePublicJwk,
  secret,
  signerOf,
  signJws,
  thumbprint,
  toBase64Url,
  verifyJws,
} from "./index.ts";

const payload = { typ: "countersign.approval/1", uses: 1, note: "a\nb é" };
const encode = (text: string) => toBase64Url(new TextEncoder().encode(text));

let publicJwk: PublicJwk;
let kid: string;
let sign: (bytes: Uint8Array) => Promise<Uint8Array>;

beforeAll(async () => {
  const pair = await generateSigningKey();
  const key = await importPrivateKey(pair.privateJwk);
  if (!key.ok) throw new Error("no key");
  publicJwk = pair.publicJwk;
  kid = await thumbprint(publicJwk);
  sign = signerOf(key.value);
});

function parsed(text: string): ParsedJws {
  const result = parseJws(text);
  if (!result.ok) throw new Error(result.reason.code);
  return result.value;
}

const refusal = (text: string) => {
  const result = parseJws(text);
  return result.ok ? "accepted" : result.reason.code;
};

/** A JWS with a true signature over whatever header and payload texts are given. */
async function forge(header: string, body: string): Promise<string> {
  const input = `${encode(header)}.${encode(body)}`;
  return `${input}.${toBase64Url(await sign(new TextEncoder().encode(input)))}`;
}

const headerOf = (kind: string) => canonicalJson({ alg: "ES256", kid, typ: `countersign-${kind}+jws` });

describe("the worked example", () => {
  test("key set verifies under the pin, approval and receipt under their keys", async () => {
    const keys = parsed(example.keys);
    const listed = keys.payload["keys"] as readonly JsonObject[];
    const byKid = async (wanted: string): Promise<JwkLike> => {
      for (const jwk of listed) if ((await thumbprint(jwk)) === wanted) return jwk;
      throw new Error("not listed");
    };
    expect(keys.kind).toBe("keys");
    expect(await verifyJws(keys, await byKid(example.pin))).toBe(true);
    expect(await verifyJws(parsed(example.approval), await byKid(example.kids.approval))).toBe(true);
    expect(await verifyJws(parsed(example.receipt), await byKid(example.kids.receipt))).toBe(true);
    expect(await verifyJws(parsed(example.approval), await byKid(example.kids.receipt))).toBe(false);
  });
});

describe("signJws, parseJws, verifyJws", () => {
  test("round trip with exactly the header of the profile", async () => {
    const text = await signJws({ kind: "approval", payload, kid, sign });
    const jws = parsed(text);
    expect(jws.header).toEqual({ alg: "ES256", kid, typ: "countersign-approval+jws" });
    expect([jws.kind, jws.payload, jws.signature.length]).toEqual(["approval", payload, 64]);
    expect(await verifyJws(jws, publicJwk)).toBe(true);
  });

  test("one changed bit of payload or signature does not verify", async () => {
    const jws = parsed(await signJws({ kind: "approval", payload, kid, sign }));
    for (const part of ["signature", "signingInput"] as const) {
      const bytes = new Uint8Array(jws[part]);
      bytes[5] = (bytes[5] ?? 0) ^ 1;
      expect(await verifyJws({ ...jws, [part]: bytes }, publicJwk)).toBe(false);
    }
  });

  test("the key must be the one that kid names", async () => {
    const other = await generateSigningKey();
    const jws = parsed(await signJws({ kind: "approval", payload, kid, sign }));
    expect(await verifyJws(jws, other.publicJwk)).toBe(false);
    const foreignKid = await thumbprint(other.publicJwk);
    const claims = parsed(await signJws({ kind: "approval", payload, kid: foreignKid, sign }));
    expect(await verifyJws(claims, publicJwk)).toBe(false);
    expect(await verifyJws(jws, { kty: "oct" })).toBe(false);
    expect(await verifyJws(jws, {})).toBe(false);
  });

  test.each<[string, () => Promise<string>, string]>([
    ["another alg", () => forge(headerOf("approval").replace("ES256", "none"), canonicalJson(payload)), "bad_header"],
    [
      "one more header member",
      () =>
        forge(`{"alg":"ES256","crit":["x"],"kid":"${kid}","typ":"countersign-approval+jws"}`, canonicalJson(payload)),
      "bad_header",
    ],
    ["no kid", () => forge('{"alg":"ES256","typ":"countersign-approval+jws"}', canonicalJson(payload)), "bad_header"],
    ["a foreign typ", () => forge(`{"alg":"ES256","kid":"${kid}","typ":"JWT"}`, canonicalJson(payload)), "bad_header"],
    [
      "a header in another order",
      () => forge(`{"kid":"${kid}","alg":"ES256","typ":"countersign-approval+jws"}`, canonicalJson(payload)),
      "not_canonical",
    ],
    [
      "a payload in another order",
      () => forge(headerOf("approval"), '{"uses":1,"typ":"countersign.approval/1"}'),
      "not_canonical",
    ],
    [
      "white space in the payload",
      () => forge(headerOf("approval"), '{"typ":"countersign.approval/1" }'),
      "not_canonical",
    ],
    [
      "an escape that was not needed",
      () => forge(headerOf("approval"), '{"typ":"countersign.approval\\/1"}'),
      "not_canonical",
    ],
    [
      "a duplicate member",
      () => forge(headerOf("approval"), '{"typ":"countersign.approval/1","typ":"countersign.approval/1"}'),
      "bad_payload",
    ],
    ["a fraction", () => forge(headerOf("approval"), '{"a":1.0,"typ":"countersign.approval/1"}'), "bad_payload"],
    ["an array as payload", () => forge(headerOf("approval"), "[]"), "bad_payload"],
    [
      "a receipt in the approval slot",
      () => forge(headerOf("approval"), '{"typ":"countersign.receipt/1"}'),
      "kind_mismatch",
    ],
    ["a payload without typ", () => forge(headerOf("approval"), "{}"), "kind_mismatch"],
  ])("refuses %s, though truly signed", async (_title, make, code) => {
    expect(refusal(await make())).toBe(code);
  });

  test("refuses other forms", async () => {
    const text = await signJws({ kind: "approval", payload, kid, sign });
    const [header = "", body = "", signature = ""] = text.split(".");
    expect(refusal(`${header}.${body}`)).toBe("bad_signature");
    expect(refusal(`${text}.x`)).toBe("malformed");
    expect(refusal(`${header}.${body}.${signature}=`)).toBe("malformed");
    expect(refusal(`${header}.${body}.${signature.slice(0, -2)}`)).not.toBe("accepted");
    expect(refusal(`${text}\n`)).toBe("malformed");
    expect(refusal("")).not.toBe("accepted");
    expect(refusal("a".repeat(30_000))).toBe("too_large");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (soup) => void parseJws(soup)));
  });

  test("larger payloads pass only where the caller allows them", async () => {
    const large = { typ: "countersign.keys/1", text: "x".repeat(20_000) };
    await expect(signJws({ kind: "keys", payload: large, kid, sign })).rejects.toThrow("not a record");
    const text = await signJws({ kind: "keys", payload: large, kid, sign }, { maxPayloadBytes: 32_768 });
    expect(parseJws(text, { maxPayloadBytes: 32_768 }).ok).toBe(true);
    const refused = parseJws(text);
    expect(refused.ok).toBe(false);
  });

  test("does not sign what a verifier would refuse", async () => {
    const wrong: [string, Json][] = [
      ["receipt", payload],
      ["approval", { ...payload, half: 0.5 }],
      ["Approval", payload],
    ];
    for (const [kind, body] of wrong) {
      await expect(signJws({ kind, payload: body as JsonObject, kid, sign })).rejects.toThrow("signJws");
    }
    await expect(signJws({ kind: "approval", payload, kid: "short", sign })).rejects.toThrow("thumbprint");
    const der = async () => new Uint8Array(70);
    await expect(signJws({ kind: "approval", payload, kid, sign: der })).rejects.toThrow("64 bytes");
  });
});

describe("keys", () => {
  test("RFC 7638 section 3.1: the thumbprint of its RSA example", async () => {
    const n =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn" +
      "jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6q" +
      "MQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awa" +
      "pJzKnqDKgw";
    const jwk = { kty: "RSA", n, e: "AQAB", alg: "RS256", kid: "2011-04-29" };
    expect(await thumbprint(jwk)).toBe("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    await expect(thumbprint({ kty: "oct" })).rejects.toThrow("type of key");
    await expect(thumbprint({ kty: "EC", crv: "P-256" })).rejects.toThrow("missing");
  });

  test("parsePublicJwk drops what is not the key and refuses private ones", async () => {
    expect(parsePublicJwk({ ...publicJwk, role: "approval" } as JwkLike)).toEqual({ ok: true, value: publicJwk });
    const pair = await generateSigningKey();
    const bad: JwkLike[] = [
      { ...publicJwk, crv: "P-384" },
      { ...publicJwk, kty: "OKP" },
      { ...publicJwk, x: publicJwk.x.slice(1) },
      { ...publicJwk, y: 1 },
      pair.privateJwk.reveal(),
    ];
    for (const jwk of bad) expect(parsePublicJwk(jwk).ok).toBe(false);
  });

  test("a point off the curve is no key, and no crash", async () => {
    const off = { ...publicJwk, y: publicJwk.x };
    expect(await importPublicKey(off)).toEqual({ ok: false, reason: "not_es256_key" });
    expect((await importPrivateKey(secret({ ...publicJwk }))).ok).toBe(false);
    expect((await importPublicKey(publicJwk)).ok).toBe(true);
  });

  test("an imported private key cannot be exported again", async () => {
    const pair = await generateSigningKey();
    const key = await importPrivateKey(pair.privateJwk);
    expect(key.ok && key.value.extractable).toBe(false);
    expect(JSON.stringify(pair)).not.toContain(pair.privateJwk.reveal().d);
  });
});
