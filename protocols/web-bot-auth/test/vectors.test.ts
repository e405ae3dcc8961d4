import {
  type AgentRules,
  attribute,
  createVerifier,
  DISCOVERIES,
  type DraftProfile,
  type PublicKey,
} from "@countersign/web-bot-auth";
import { contentDigest, judgeContentDigest, signMessage } from "@countersign/web-bot-auth/signatures";
import { assert, thumbprint } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { parseSignatureAgent } from "../src/agent/header.ts";
import { componentsOf } from "./support/components.ts";
import { lines, requestOf, testSigningKey, VECTORS, vector, vectorKey } from "./support/vectors.ts";
import { published } from "./support/world.ts";

const CENTURY_S = 101 * 366 * 24 * 60 * 60;
const DIRECTORY = "https://signature-agent.test/.well-known/http-message-signatures-directory";

async function sources() {
  const keys: readonly PublicKey[] = [await vectorKey("ed25519"), await vectorKey("rsa-pss")];
  return published({ [DIRECTORY]: keys, "https://signature-agent.test": keys });
}

describe("PLG-7 the draft's vectors", () => {
  it.each(["E.2.1", "E.2.2"])("%s is signed byte for byte from its parameters", async (id) => {
    const { label, signatureInput, signature, signatureParameters, ...rest } = vector(id);
    const signed = await signMessage(requestOf({ label, signatureInput, signature, signatureParameters, ...rest }), {
      label,
      components: componentsOf(signatureInput, label),
      parameters: signatureParameters,
      signer: await testSigningKey(),
    });
    expect(signed).toEqual({ ok: true, value: { signatureInput, signature } });
  });

  it("E.2.3, the directory's own signature, is signed byte for byte, and its digest fits its body", async () => {
    const given = vector("E.2.3");
    const body = new TextEncoder().encode(given.response?.body);
    const digest = given.response?.headers["Content-Digest"] ?? "";
    const message = {
      status: 200,
      headers: lines(given.response?.headers ?? {}),
      request: { method: "GET", url: DIRECTORY, headers: [] },
    };
    const signed = await signMessage(message, {
      label: given.label,
      components: componentsOf(given.signatureInput, given.label),
      parameters: given.signatureParameters,
      signer: await testSigningKey(),
    });
    expect(signed).toEqual({ ok: true, value: { signatureInput: given.signatureInput, signature: given.signature } });
    expect(await contentDigest(body)).toBe(digest);
    expect(await judgeContentDigest(digest, body)).toBe("fits");
  });

  it("the base that is signed is the printed one", async () => {
    for (const {
      id,
      label,
      signatureInput,
      signatureParameters,
      signatureBase,
      request,
      response,
    } of VECTORS.vectors) {
      let base = "";
      const algorithm = String(signatureParameters["alg"] ?? "ed25519");
      const of = { method: request.method, url: request.url, headers: lines(request.headers) };
      await signMessage(response === undefined ? of : { status: 200, headers: lines(response.headers), request: of }, {
        label,
        components: componentsOf(signatureInput, label),
        parameters: signatureParameters,
        signer: {
          algorithm,
          sign(bytes) {
            base = new TextDecoder().decode(bytes);
            return new Uint8Array(64);
          },
        },
      });
      expect([id, base]).toEqual([id, signatureBase]);
    }
  });

  it.each([
    ["E.2.1", { labelMismatch: true, algorithm: "ed25519" }],
    ["E.1.1", { labelMismatch: true, algorithm: "rsa-pss-sha512" }],
    ["E.2.2", { labelMismatch: false, algorithm: "ed25519" }],
  ])("%s verifies as the draft says", async (id, expected) => {
    const given = vector(id);
    const verifier = createVerifier({
      keys: await sources(),
      legacyString: "read",
      testKeys: "trusted",
      windowMaxS: CENTURY_S,
      now: () => (given.expect.verifyAt ?? 1_800_000_000) * 1000,
    });
    const { outcome, results } = await verifier.verify(requestOf(given));
    expect([outcome, results]).toEqual([
      "verified",
      [expect.objectContaining({ identifier: DIRECTORY, domain: "signature-agent.test", ...expected })],
    ]);
  });

  it("E.2.1 under the defaults: its window is a century, and its key everybody has", async () => {
    const of = async (options: object) => {
      const verifier = createVerifier({ keys: await sources(), now: () => 1_800_000_000_000, ...options });
      return (await verifier.verify(requestOf(vector("E.2.1")))).results;
    };
    expect(await of({})).toEqual([{ outcome: "invalid", label: "sig2", reason: "window" }]);
    expect(await of({ windowMaxS: CENTURY_S })).toEqual([
      { outcome: "unverified", label: "sig2", reason: "published_test_key" },
    ]);
  });

  it("E.2.1 under the editors' copy: the member is fetched as it stands", async () => {
    const keys = await sources();
    const options = { keys, testKeys: "trusted", windowMaxS: CENTURY_S, now: () => 1_800_000_000_000 } as const;
    const verification = await createVerifier({ ...options, profile: "ietf-01-direct" }).verify(
      requestOf(vector("E.2.1")),
    );
    expect(keys.asked).toEqual(["https://signature-agent.test"]);
    expect(verification.results).toEqual([
      expect.objectContaining({ outcome: "verified", identifier: "https://signature-agent.test/" }),
    ]);
  });

  it("keyids are the thumbprints", async () => {
    for (const { keyid, jwkPublic } of Object.values(VECTORS.keys))
      expect(await thumbprint(jwkPublic as object)).toBe(keyid);
  });

  it.each(VECTORS.signatureAgentHeaders.map((one) => [one.name, one] as const))(
    "Signature-Agent %s is read and resolved as it says",
    (name, { header, profile, members, resolvesTo, under00 }) => {
      const read = parseSignatureAgent(header);
      assert(read.ok, "it can be read");
      const legacy = name === "legacy-string";
      const rulesOf = (of: DraftProfile): AgentRules => ({
        profile: of,
        discoveries: DISCOVERIES,
        legacyString: legacy ? "read" : "refused",
        wellKnownUrl: "ignored",
        plainHttp: "refused",
      });
      const components = [{ name: "signature-agent", ...(legacy ? {} : { key: "sig1" }) }];
      const placeUnder = (of: DraftProfile) => {
        const member = attribute(read.value, { label: "sig1", components }, rulesOf(of));
        assert(member.ok, "a member is attributed");
        return member.value.place;
      };
      const place = placeUnder(profile.startsWith("editors") ? "ietf-01-direct" : "ietf-00");
      const [member] = members;
      if (member === undefined) expect(place).toBeUndefined();
      else if (member.type === "cimd") expect(place).toMatchObject({ url: member.uri, format: "card" });
      else if (legacy) expect(place).toMatchObject({ domain: "signature-agent.test", format: "well_known" });
      else expect(place?.url).toBe(resolvesTo);
      if (under00?.startsWith("member ignored")) expect(placeUnder("ietf-00")).toBeUndefined();
    },
  );
});
