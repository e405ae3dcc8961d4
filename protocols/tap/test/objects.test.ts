import { constants, createPrivateKey, generateKeyPairSync, sign as nodeSign } from "node:crypto";
import {
  ASSUMED_LINES,
  configuredKeys,
  createTapVerifier,
  matchesCard,
  readAgentKey,
  readObjects,
  signBrowsing,
  signLinked,
  type TapVerified,
  verifyIdToken,
  verifyIou,
  verifyLinked,
} from "@countersign/tap";
import { generateSigningKey } from "@countersign/web-bot-auth";
import { assert, type JsonObject } from "@countersign/wire";
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";

const NOW_MS = 1_796_040_000_000;
const now = () => NOW_MS;

/** A verified message, and the key that signed it. */
async function message() {
  const { key } = await generateSigningKey();
  const sources = [await configuredKeys("configured", { keys: [{ ...key.publicJwk }] })];
  const request = { method: "GET", url: "https://merchant.example/reviews/42", headers: [] };
  const signed = await signBrowsing(request, { key, now });
  assert(signed.ok, "it is signed");
  const { results } = await createTapVerifier({ sources, now }).verify({ ...request, headers: signed.value.headers });
  const [verified] = results;
  assert(verified?.outcome === "verified", "it verifies");
  return { key, message: verified as TapVerified };
}

describe("PLG-7 TAP, objects in the body", () => {
  it("linked by nonce and key, signed by the message's key; the form is said to be a guess", async () => {
    const { key, message: of } = await message();
    const object = await signLinked(
      { idToken: "t", contextualData: { countryCode: "US", zip: "94105" } },
      { key, nonce: of.nonce },
    );
    expect(await verifyLinked(object, of)).toMatchObject({
      ok: true,
      value: { form: "assumed-lines", canonicalForm: "unspecified" },
    });
  });

  it("N12 N13 another nonce, key or algorithm; members added, taken away, changed or in another order", async () => {
    const { key, message: of } = await message();
    const object = await signLinked({ idToken: "t", contextualData: { zip: "94105" } }, { key, nonce: of.nonce });
    const reason = async (changed: JsonObject) => {
      const answer = await verifyLinked(changed, of);
      return answer.ok ? "usable" : answer.reason;
    };
    const { idToken, contextualData, signature, ...rest } = object;
    expect(await reason(object)).toBe("usable");
    expect(await reason({ ...object, nonce: "other" })).toBe("other_nonce");
    expect(await reason({ ...object, kid: "other" })).toBe("other_key");
    expect(await reason({ ...object, alg: "PS256" })).toBe("other_algorithm");
    expect(await reason({ ...object, alg: "none" })).toBe("other_algorithm");
    expect(await reason({ ...object, more: 1 })).toBe("bad_signature");
    expect(await reason({ ...object, idToken: "other" })).toBe("bad_signature");
    expect(await reason({ ...rest, idToken: idToken ?? "", signature: signature ?? "" })).toBe("bad_signature");
    const reordered = {
      contextualData: contextualData ?? {},
      idToken: idToken ?? "",
      ...rest,
      signature: signature ?? "",
    };
    expect(await reason(reordered)).toBe("bad_signature");
    expect(await reason({ ...rest })).toBe("incomplete");
    expect(await reason({ ...object, signature: "AAAA" })).toBe("bad_signature");
    expect(await reason({ ...object, signature: "not base64!" })).toBe("bad_signature");
  });

  it("members twice and names that JavaScript would put in another place make a body unreadable", () => {
    const read = (text: string) => {
      const answer = readObjects(new TextEncoder().encode(text));
      return answer.ok ? Object.keys(answer.value) : answer.reason;
    };
    expect(read('{"agenticConsumer":{"nonce":"n"},"other":1}')).toEqual(["agenticConsumer"]);
    expect(read('{"agenticConsumer":{"nonce":"n","nonce":"m"}}')).toBe("malformed");
    expect(read('{"agenticConsumer":{"b":1,"1":2}}')).toBe("number_like_member");
    expect(read('{"agenticPaymentContainer":{"payload":[{"0":1}]}}')).toBe("number_like_member");
    expect(read('{"agenticConsumer":[]}')).toBe("malformed");
    expect(read("[]")).toBe("malformed");
    expect(ASSUMED_LINES.write({ b: "x", a: { z: 1, y: [true] }, signature: "s" })).toBe(
      '"b": x\n"a": {"z":1,"y":[true]}',
    );
  });

  it("an IOU says what was asked, holds, and pays once", async () => {
    const { key, message: of } = await message();
    const invoice = {
      invoiceId: "inv_0001",
      amount: "0.50",
      cardAcceptorId: "CAID000000000001",
      acquirerId: "AID000001",
      uri: "https://merchant.example/reviews/42",
    };
    const members = { ...invoice, sequenceCounter: "1", kid: key.keyId, alg: key.algorithm };
    const bytes = await key.sign(new TextEncoder().encode(ASSUMED_LINES.write(members)));
    const browsingIOU = { ...members, signature: btoa(String.fromCharCode(...bytes)) };
    const used = new Set<string>();
    const use = async (id: string) => {
      if (used.has(id)) return false;
      used.add(id);
      return true;
    };
    const reason = async (container: JsonObject, asked = invoice) => {
      const answer = await verifyIou(container, asked, { message: of, use });
      return answer.ok ? "paid" : answer.reason;
    };
    expect(await reason({})).toBe("no_iou");
    expect(await reason({ browsingIOU }, { ...invoice, amount: "0.60" })).toBe("differs");
    expect(await reason({ browsingIOU }, { ...invoice, uri: "https://merchant.example/reviews/43" })).toBe("differs");
    expect(await reason({ browsingIOU: { ...browsingIOU, sequenceCounter: "2" } })).toBe("bad_signature");
    expect(await reason({ browsingIOU })).toBe("paid");
    expect(await reason({ browsingIOU })).toBe("already_used");
  });

  it("TAP-N21 a hash that is not of the card that was typed declines", async () => {
    const card = { number: "4111111111111111", expiryMonth: "07", expiryYear: "29", securityCode: "123" };
    const hash = Buffer.from(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode("41111111111111110729123")),
    );
    for (const encoding of ["hex", "base64", "base64url"] as const) {
      expect(await matchesCard(hash.toString(encoding), card, encoding)).toBe(true);
      expect(await matchesCard(hash.toString(encoding), { ...card, securityCode: "124" }, encoding)).toBe(false);
    }
  });
});

describe("PLG-7 TAP, the scheme's token", () => {
  it("TAP-N19 TAP-N20 verified with the scheme's key alone; none, expired, of another type, issuer or audience are refused", async () => {
    const { publicKey, privateKey } = await generateKeyPair("PS256", { modulusLength: 2048 });
    const claims = {
      iss: "https://scheme.example",
      sub: "s",
      aud: "merchant-7",
      iat: NOW_MS / 1000,
      exp: NOW_MS / 1000 + 60,
    };
    const token = (payload: object, header: object = {}) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: "PS256", kid: "scheme-1", typ: "JWT+ext.id_token", ...header })
        .sign(privateKey);
    const reason = async (text: string, change: object = {}) => {
      const trust = {
        keyFor: async (kid: string) => (kid === "scheme-1" ? (publicKey as CryptoKey) : undefined),
        issuers: ["https://scheme.example"],
        audience: "merchant-7",
        now,
        ...change,
      };
      const answer = await verifyIdToken(text, trust);
      return answer.ok ? "verified" : answer.reason;
    };
    const good = await token(claims);
    expect(await reason(good)).toBe("verified");
    expect(await reason(await token({ ...claims, exp: NOW_MS / 1000 }))).toBe("expired");
    expect(await reason(await token({ ...claims, iat: NOW_MS / 1000 + 31 }))).toBe("issued_ahead");
    expect(await reason(await token({ ...claims, iss: "https://other.example" }))).toBe("other_issuer");
    expect(await reason(await token({ ...claims, aud: "merchant-8" }))).toBe("other_audience");
    expect(await reason(await token(claims, { typ: "JWT" }))).toBe("wrong_type");
    expect(await reason(await token(claims, { kid: "unknown" }))).toBe("unknown_key");
    expect(await reason(await token({ ...claims, sub: 7 }))).toBe("malformed");
    const [, payload, signature] = good.split(".");
    const none = Buffer.from('{"alg":"none","typ":"JWT+ext.id_token","kid":"scheme-1"}').toString("base64url");
    expect(await reason(`${none}.${payload}.`)).toBe("unsupported_algorithm");
    expect(
      await reason(`${good.split(".")[0]}.${payload}.${signature?.replace(/^./, (c) => (c === "A" ? "B" : "A"))}`),
    ).toBe("bad_signature");
    expect(await reason("nonsense")).toBe("malformed");
    const ec = await generateKeyPair("ES256");
    expect(await reason(good, { keyFor: async () => ec.publicKey })).toBe("bad_signature");
    expect((await exportJWK(publicKey)).kty).toBe("RSA");
  });
});

it("PLG-7 PS256 takes exactly 32 bytes of salt", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const read = await readAgentKey(publicKey.export({ format: "jwk" }) as JsonObject);
  assert(read.ok, "it is usable");
  const verifier = read.value.verifierFor("PS256");
  const base = new TextEncoder().encode("base");
  const signed = (saltLength: number) =>
    nodeSign("sha256", base, {
      key: createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" })),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength,
    });
  expect(await verifier?.verify(base, signed(32))).toBe(true);
  expect(await verifier?.verify(base, signed(64))).toBe(false);
  expect(read.value.verifierFor("ed25519")).toBeUndefined();
});
