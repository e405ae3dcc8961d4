import { type Json, type JsonObject, toBase64Url } from "@countersign/wire";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "./bundle.ts";
import { type Changes, example, remade, signerNamed, TRUST, toDer, vector } from "./example.ts";
import { rawSignature } from "./webauthn.ts";

async function answer(changes: Changes): Promise<string> {
  const report = await verifyBundle(await remade(changes), TRUST);
  return report.ok ? report.value.level : `${report.reason.step} ${report.reason.part} ${report.reason.code}`;
}

const put =
  (members: JsonObject) =>
  (record: JsonObject): JsonObject => ({ ...record, ...members });

describe("APR-7 the client data", () => {
  test.each<[string, JsonObject, string]>([
    ["an enrolment instead of an assertion", { type: "webauthn.create" }, "wrong_ceremony"],
    ["another record's challenge", { challenge: vector.digests.request }, "challenge_differs"],
    ["another origin", { origin: "https://gateway.example.evil" }, "origin_differs"],
    ["the same origin with a slash", { origin: "https://gateway.example/" }, "origin_differs"],
    ["a page in another's frame", { crossOrigin: true }, "cross_origin"],
    ["a frame that does not say false", { crossOrigin: "false" }, "cross_origin"],
    ["a top origin", { topOrigin: "https://gateway.example" }, "cross_origin"],
  ])("%s is refused", async (_name, members, code) => {
    expect(await answer({ clientData: put(members) })).toBe(`7 passkey ${code}`);
  });

  test("crossOrigin may be absent, and browsers may add members", async () => {
    expect(await answer({ clientData: ({ crossOrigin: _, ...rest }) => ({ ...rest, other_keys: "x" }) })).toBe("L3");
  });

  test("what is no JSON object is refused", async () => {
    const text = (value: string) => toBase64Url(new TextEncoder().encode(value));
    for (const value of ["[]", "{", '{"type":"webauthn.get","type":"webauthn.get"}']) {
      expect(await answer({ assertion: put({ client_data_json: text(value) }) })).toBe(
        "7 passkey client_data_malformed",
      );
    }
  });
});

describe("APR-7 the authenticator data", () => {
  const at = (index: number, value: number) => (bytes: Uint8Array) =>
    bytes.map((byte, position) => (position === index ? value : byte));

  test.each<[string, (bytes: Uint8Array) => Uint8Array, string]>([
    ["another site's hash", (bytes) => at(0, (bytes[0] ?? 0) ^ 1)(bytes), "rp_id_differs"],
    ["nobody there", at(32, 0x04), "user_not_present"],
    ["not verified", at(32, 0x01), "user_not_verified"],
    ["too short", (bytes) => bytes.subarray(0, 36), "authenticator_data_malformed"],
    [
      "too short for what its flags announce",
      (bytes) => at(32, 0x85)(bytes).subarray(0, 36),
      "authenticator_data_malformed",
    ],
    [
      "something after it that no flag announces",
      (bytes) => new Uint8Array([...bytes, 0]),
      "authenticator_data_malformed",
    ],
  ])("%s is refused", async (_name, authenticatorData, code) => {
    expect(await answer({ authenticatorData })).toBe(`7 passkey ${code}`);
  });

  test("backup flags and the counter are no evidence, extensions may follow", async () => {
    expect(await answer({ authenticatorData: (bytes) => at(36, 9)(at(32, 0x1d)(bytes)) })).toBe("L3");
    const extended = (bytes: Uint8Array) => new Uint8Array([...at(32, 0x85)(bytes), 0xa0]);
    expect(await answer({ authenticatorData: extended })).toBe("L3");
  });
});

describe("APR-7 whose passkey it is", () => {
  test.each<[string, Changes, string]>([
    ["another holder's", { credential: put({ account_holder: "usr_other" }) }, "credential holder_differs"],
    ["another credential", { credential: put({ credential_id: "AAAA" }) }, "passkey credential_differs"],
    [
      "enrolled after the decision",
      { credential: put({ enrolled_at: "2026-11-30T10:00:43Z" }) },
      "credential not_enrolled_then",
    ],
    ["another issuer's", { credential: put({ issuer: "https://other.example" }) }, "credential wrong_issuer"],
    ["for a site that is not the page's", { credential: put({ rp_id: "evil.example" }) }, "credential rp_id_differs"],
    ["assertion left out", { without: ["passkey"] }, "passkey passkey_missing"],
    ["credential left out", { without: ["credential"] }, "credential passkey_missing"],
  ])("%s is refused", async (_name, changes, expected) => {
    expect(await answer(changes)).toBe(`7 ${expected}`);
  });

  test("an assertion or a credential that the approval does not name is refused", async () => {
    const bundle = (await remade()) as Record<string, Json>;
    const other = (await remade({ credential: put({ attestation: "packed" }) })) as Record<string, Json>;
    const codeOf = async (changed: JsonObject) => {
      const report = await verifyBundle(changed, TRUST);
      return report.ok ? "stands" : `${report.reason.part} ${report.reason.code}`;
    };
    expect(await codeOf({ ...bundle, credential: other["credential"] as Json })).toBe("credential digest_differs");
    // The same assertion signed a second time: as good in itself, but not the one that was approved with.
    expect(await codeOf({ ...bundle, passkey: other["passkey"] as Json })).toBe("passkey digest_differs");
  });

  test("a session approval carries neither", async () => {
    const approval = put({ auth: { method: "session", uv: false } });
    expect(await answer({ approval, without: ["credential"] })).toBe("7 passkey passkey_unexpected");
    expect(await answer({ approval, without: ["passkey"] })).toBe("7 credential passkey_unexpected");
  });

  test("signed by another key is refused", async () => {
    const passkeySigner = async (bytes: Uint8Array) => toDer(await (await signerNamed("approval"))(bytes));
    expect(await answer({ passkeySigner })).toBe("7 passkey bad_assertion");
  });

  test("a public key that is no point of the curve verifies nothing", async () => {
    const key = example.credential["public_key"] as JsonObject;
    const off = { ...key, x: key["y"] as Json };
    expect(await answer({ credential: put({ public_key: off }) })).toBe("7 passkey bad_assertion");
  });
});

describe("RS256 passkeys", () => {
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  let pair: CryptoKeyPair;
  let publicKey: JsonObject;

  beforeAll(async () => {
    const parameters = { ...rsa, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
    pair = await crypto.subtle.generateKey(parameters, true, ["sign", "verify"]);
    const { n = "", e = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
    publicKey = { kty: "RSA", n, e };
  });

  const passkeySigner = async (bytes: Uint8Array) =>
    new Uint8Array(await crypto.subtle.sign(rsa, pair.privateKey, new Uint8Array(bytes)));

  test("decisions.md 6: verify as well", async () => {
    expect(await answer({ credential: put({ public_key: publicKey }), passkeySigner })).toBe("L3");
    expect(await answer({ credential: put({ public_key: publicKey }) })).toBe("7 passkey bad_assertion");
    expect(await answer({ passkeySigner })).toBe("7 passkey bad_assertion");
  });

  test("small moduli and other exponents are no keys", async () => {
    const short = { ...publicKey, n: String(publicKey["n"]).slice(0, 172) };
    expect(await answer({ credential: put({ public_key: short }), passkeySigner })).toBe(
      "1 credential not_this_record",
    );
    const odd = { ...publicKey, e: "Aw" };
    expect(await answer({ credential: put({ public_key: odd }), passkeySigner })).toBe("1 credential not_this_record");
  });
});

describe("DER signatures", () => {
  const scalar = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some((byte) => byte !== 0));

  test("each pair has one spelling, and reads back", () => {
    fc.assert(
      fc.property(scalar, scalar, (r, s) => {
        const raw = new Uint8Array([...r, ...s]);
        expect(rawSignature(toDer(raw))).toEqual(raw);
      }),
    );
  });

  test("leading zeros are restored", () => {
    const raw = new Uint8Array(64);
    raw[31] = 1;
    raw[63] = 0x80;
    expect([...toDer(raw)]).toEqual([0x30, 7, 0x02, 1, 1, 0x02, 2, 0, 0x80]);
    expect(rawSignature(toDer(raw))).toEqual(raw);
  });

  test.each([
    ["empty", []],
    ["not a sequence", [0x31, 6, 2, 1, 1, 2, 1, 1]],
    ["a wrong length", [0x30, 7, 2, 1, 1, 2, 1, 1]],
    ["a long length", [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1]],
    ["bytes after it", [0x30, 6, 2, 1, 1, 2, 1, 1, 0]],
    ["bytes after it, inside", [0x30, 7, 2, 1, 1, 2, 1, 1, 0]],
    ["not an integer", [0x30, 6, 3, 1, 1, 2, 1, 1]],
    ["a negative integer", [0x30, 6, 2, 1, 0x80, 2, 1, 1]],
    ["a padded integer", [0x30, 7, 2, 2, 0, 1, 2, 1, 1]],
    ["a zero", [0x30, 6, 2, 1, 0, 2, 1, 1]],
    ["an empty integer", [0x30, 5, 2, 0, 2, 1, 1]],
    ["an integer that ends too early", [0x30, 6, 2, 1, 1, 2, 9, 1]],
    ["an integer of 33 bytes", [0x30, 38, 2, 33, ...new Array<number>(33).fill(1), 2, 1, 1]],
  ])("%s is refused", (_name, bytes) => {
    expect(rawSignature(new Uint8Array(bytes))).toBeUndefined();
  });
});
