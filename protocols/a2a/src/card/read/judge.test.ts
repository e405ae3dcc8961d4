import { readFileSync } from "node:fs";
import { generateAgentCardSignature, verifyAgentCardSignature } from "@a2a-js/sdk";
import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { pinFromJson, pinOf, pinToJson } from "./change.ts";
import { negotiate } from "./extensions.ts";
import { bytesOf, CARD, ISSUER, rulesWith, type TestSigner, testSigner } from "./fixture.ts";
import { type CardRules, judgeCard } from "./judge.ts";
import { cardKeys } from "./keys.ts";
import { parseCard } from "./parse.ts";

let signer: TestSigner;
let stranger: TestSigner;
beforeAll(async () => {
  signer = await testSigner();
  stranger = await testSigner();
});

type Change = (card: JsonObject) => JsonObject;

/** Sets a member somewhere inside; undefined removes it. */
function put(...path: readonly (string | number)[]): (value: Json | undefined) => Change {
  return (value) => (card) => write(card, path, value) as JsonObject;
}

function write(
  inside: Json | undefined,
  path: readonly (string | number)[],
  value: Json | undefined,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(inside)) {
    const list = [...(inside as readonly Json[])];
    const next = write(list[Number(step)], rest, value);
    if (next === undefined) list.splice(Number(step), 1);
    else list[Number(step)] = next;
    return list;
  }
  const { [step]: old, ...others } = (inside ?? {}) as JsonObject;
  const next = write(old, rest, value);
  return next === undefined ? others : { ...others, [step]: next };
}

/** What a card is judged to be when its own owner has written it like this. */
async function judgedAs(change: Change, rules: Partial<CardRules> = {}): Promise<string> {
  const card = await signer.sign(change(CARD));
  const judged = await judgeCard(bytesOf(card), rulesWith([signer.publicJwk], rules));
  return judged.ok ? "taken" : [judged.reason.code, judged.reason.at ?? ""].join(" ").trim();
}

const EXTENSION = ["capabilities", "extensions", 0] as const;
const as = (change: Change) => change;

describe("PLG-6 a foreign card", () => {
  it("that is in order is taken, with its first interface, its extensions and its signature", async () => {
    const judged = await judgeCard(bytesOf(await signer.sign(CARD)), rulesWith([signer.publicJwk]));
    expect(judged).toMatchObject({
      ok: true,
      value: {
        signed: true,
        interface: { binding: "JSONRPC" },
        extensions: { required: ["https://extensions.example/receipts/v1"] },
      },
    });
    expect(judged.ok && judged.value.extensions.activate.map(({ uri }) => uri)).toEqual([
      "https://extensions.example/receipts/v1",
      "urn:example:a2a:hours:2",
    ]);
  });

  it.each<readonly [string, Change, string]>([
    ["a member that is not known is ignored", put("later")({ a: 1 }), "taken"],
    ["no name", put("name")(undefined), "malformed /name"],
    ["an empty name", put("name")(""), "malformed /name"],
    ["no interface", put("supportedInterfaces")([]), "malformed /supportedInterfaces"],
    [
      "an interface without an address",
      put("supportedInterfaces", 0, "url")("agent"),
      "malformed /supportedInterfaces/0/url",
    ],
    ["a number for a text", put("version")(3), "malformed /version"],
    ["no skill", put("skills")([]), "malformed /skills"],
    [
      "a skill twice",
      as((c) => ({ ...c, skills: [...(c["skills"] as Json[]), ...(c["skills"] as Json[])] })),
      "malformed /skills",
    ],
    [
      "two schemes in one",
      put("securitySchemes", "bearer", "mtlsSecurityScheme")({}),
      "malformed /securitySchemes/bearer",
    ],
    [
      "the library's own form of a scheme",
      put("securitySchemes", "bearer")({ scheme: { $case: "httpAuthSecurityScheme" } }),
      "malformed /securitySchemes/bearer",
    ],
    [
      "required that is no boolean",
      put(...EXTENSION, "required")("yes"),
      "malformed /capabilities/extensions/0/required",
    ],
    [
      "schemes and no requirement",
      put("securityRequirements")(undefined),
      "anonymous_alternative /securityRequirements",
    ],
    ["an empty list of requirements", put("securityRequirements")([]), "anonymous_alternative /securityRequirements"],
    ["an empty alternative", put("securityRequirements", 1)({}), "anonymous_alternative /securityRequirements/1"],
    [
      "an alternative with no scheme",
      put("securityRequirements", 1)({ schemes: {} }),
      "anonymous_alternative /securityRequirements/1",
    ],
    [
      "no security at all",
      as((c) => put("securitySchemes")(undefined)(put("securityRequirements")(undefined)(c))),
      "anonymous_alternative /securityRequirements",
    ],
    [
      "a skill that lets anybody in",
      put("skills", 0, "securityRequirements")([{}]),
      "anonymous_alternative /skills/0/securityRequirements/0",
    ],
    [
      "a skill that is not called may",
      put("skills", 1)({ id: "x", name: "X", description: "X", tags: [], securityRequirements: [{}] }),
      "taken",
    ],
    [
      "a scheme that is nowhere",
      put("securityRequirements")([{ schemes: { other: {} } }]),
      "security_scheme /securityRequirements",
    ],
    [
      "a scheme named like a member of every object",
      put("securityRequirements")([{ schemes: { toString: {} } }]),
      "security_scheme /securityRequirements",
    ],
    [
      "an API key",
      put("securitySchemes", "bearer")({ apiKeySecurityScheme: { location: "header", name: "x-key" } }),
      "security_scheme /securityRequirements",
    ],
    [
      "basic authentication",
      put("securitySchemes", "bearer", "httpAuthSecurityScheme", "scheme")("Basic"),
      "security_scheme /securityRequirements",
    ],
    [
      "tokens of another issuer",
      put(
        "securitySchemes",
        "bearer",
      )({ openIdConnectSecurityScheme: { openIdConnectUrl: "https://other.example/x" } }),
      "security_scheme /securityRequirements",
    ],
    [
      "tokens of ours",
      put(
        "securitySchemes",
        "bearer",
      )({ openIdConnectSecurityScheme: { openIdConnectUrl: `${ISSUER}/.well-known/openid-configuration` } }),
      "taken",
    ],
    ["another way beside one that is given", put("securityRequirements", 1)({ schemes: { other: {} } }), "taken"],
    [
      "an interface elsewhere is passed over",
      put("supportedInterfaces", 0, "url")("https://evil.example/a2a"),
      "taken",
    ],
    [
      "only interfaces elsewhere",
      put("supportedInterfaces")([
        { url: "https://evil.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ]),
      "interface_origin /supportedInterfaces/0/url",
    ],
    [
      "the same host without TLS",
      put("supportedInterfaces")([
        { url: "http://agent.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ]),
      "interface_origin /supportedInterfaces/0/url",
    ],
    [
      "another version",
      put("supportedInterfaces")([
        { url: "https://agent.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0.1" },
      ]),
      "no_interface /supportedInterfaces",
    ],
    [
      "only gRPC",
      put("supportedInterfaces")([
        { url: "https://agent.example/a2a", protocolBinding: "GRPC", protocolVersion: "1.0" },
      ]),
      "no_interface /supportedInterfaces",
    ],
    [
      "a tenant that is a path",
      put("supportedInterfaces")([
        { url: "https://agent.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "../x" },
      ]),
      "no_interface /supportedInterfaces",
    ],
    [
      "an extension twice",
      put("capabilities", "extensions", 2)({ uri: "HTTPS://extensions.example:443/receipts/v1" }),
      "extension_twice https://extensions.example/receipts/v1",
    ],
    ["a bare name", put(...EXTENSION, "uri")("receipts"), "extension_uri /capabilities/extensions/0/uri"],
    [
      "a required one that is not spoken",
      put("capabilities", "extensions", 2)({ uri: "urn:example:new:1", required: true }),
      "extension_required urn:example:new:1",
    ],
    [
      "the nearest version",
      put(...EXTENSION, "uri")("https://extensions.example/receipts/v2"),
      "extension_required https://extensions.example/receipts/v2",
    ],
    [
      "another spelling of a spoken one",
      put(...EXTENSION, "uri")("https://EXTENSIONS.example/receipts/v1"),
      "extension_required https://EXTENSIONS.example/receipts/v1",
    ],
    [
      "required, with other parameters",
      put(...EXTENSION, "params")({ form: "xml" }),
      "extension_params https://extensions.example/receipts/v1",
    ],
    [
      "optional, with other parameters, is left alone",
      as((c) => put(...EXTENSION, "required")(false)(put(...EXTENSION, "params")({ form: "xml" })(c))),
      "taken",
    ],
    [
      "a secret among the parameters",
      put(...EXTENSION, "params", "a")([{ Client_Secret: "planted" }]),
      "credential_in_params /capabilities/extensions/0/params/a/0/Client_Secret",
    ],
    [
      "a token as a value",
      put("capabilities", "extensions", 1, "params")({ sample: "eyJhbGciOiJub25lIn0.eyJwbGFudGVkIjo2fQ.c2ln" }),
      "credential_in_params /capabilities/extensions/1/params/sample",
    ],
  ])("%s", async (_name, change, want) => {
    expect(await judgedAs(change)).toBe(want);
  });

  it.each(["", "[]", "null", '{"a":1,"a":2}', "{", '{"__proto__":{}}'])("%s is no card", async (text) => {
    const judged = await judgeCard(new TextEncoder().encode(text), rulesWith([signer.publicJwk]));
    expect(judged).toMatchObject({ ok: false, reason: { code: "not_json" } });
  });

  it("whatever comes, reading it never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const parsed = await parseCard(new TextEncoder().encode(JSON.stringify(value)));
        expect(parsed.ok).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe("PLG-6 a card's signature", () => {
  const taken = async (card: JsonObject, rules: CardRules) => {
    const judged = await judgeCard(bytesOf(card), rules);
    return judged.ok ? "taken" : judged.reason.code;
  };

  it("no change of any value, anywhere, passes", async () => {
    const signed = await signer.sign(CARD);
    const places = leaves(CARD, []);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom<Json>("other", 7, ["x"]), async (path, value) => {
        const changed = put(...path)(value)(signed);
        expect(await taken(changed, rulesWith([signer.publicJwk]))).not.toBe("taken");
      }),
      { numRuns: 150 },
    );
    expect(await taken(signed, rulesWith([signer.publicJwk]))).toBe("taken");
  });

  it.each<readonly [string, JsonObject]>([
    ["no algorithm", { alg: "none" }],
    ["a shared secret", { alg: "HS256" }],
    ["an algorithm that is not taken", { alg: "RS256" }],
    ["a critical extension that is not known", { alg: "ES256", crit: ["x"], x: 1 }],
    ["another payload", { alg: "ES256", crit: ["b64"], b64: false }],
    ["a token's type", { alg: "ES256", typ: "at+jwt" }],
    ["a name that is no text", { alg: "ES256", kid: 3 }],
  ])("%s does not count", async (_name, header) => {
    expect(await taken(await signer.sign(CARD, header), rulesWith([signer.publicJwk]))).toBe("bad_signature");
  });

  it("is by a trusted key, whatever its name, and one of several is enough", async () => {
    const both = await signer.sign(await stranger.sign(CARD));
    expect(await taken(both, rulesWith([signer.publicJwk]))).toBe("taken");
    expect(await taken(await stranger.sign(CARD), rulesWith([signer.publicJwk]))).toBe("bad_signature");
    const misnamed = await signer.sign(CARD, { alg: "ES256", kid: "another" });
    expect(await taken(misnamed, rulesWith([{ ...signer.publicJwk, kid: "one" }]))).toBe("taken");
  });

  it("by a key whose private part is published, or that is for something else, does not count", async () => {
    const signed = await signer.sign(CARD);
    for (const more of [{ d: "AA" }, { use: "enc" }, { key_ops: ["sign"] }, { alg: "ES384" }])
      expect(await taken(signed, rulesWith([{ ...signer.publicJwk, ...more }]))).toBe("bad_signature");
  });

  it("is not decided by what stands outside of the protected header", async () => {
    const { signatures, ...card } = await signer.sign(CARD, { alg: "ES256" });
    const [first] = signatures as JsonObject[];
    for (const header of [{ kid: "x" }, { alg: "ES256" }, { crit: ["a"] }])
      expect(await taken({ ...card, signatures: [{ ...first, header }] }, rulesWith([signer.publicJwk]))).toBe(
        "bad_signature",
      );
    const harmless = { ...card, signatures: [{ ...first, header: { note: "x" } }] };
    expect(await taken(harmless, rulesWith([signer.publicJwk]))).toBe("taken");
  });

  it("may be missing where the operator says so; a broken one never passes for none", async () => {
    const rules = rulesWith([signer.publicJwk], { unsigned: "accepted" });
    expect(await taken(CARD, rulesWith([signer.publicJwk]))).toBe("unsigned");
    expect(await taken(CARD, rules)).toBe("taken");
    expect(await taken(await stranger.sign(CARD), rules)).toBe("bad_signature");
  });

  it("Ed25519 counts, under either of its names", async () => {
    const pair = (await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"])) as CryptoKeyPair;
    const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as unknown as JsonObject;
    const { kty, crv, x } = jwk;
    for (const alg of ["EdDSA", "Ed25519"]) {
      const generated = await generateAgentCardSignature(pair.privateKey, { alg, kid: "e", typ: "JOSE" })(
        CARD as never,
      );
      const plain = JSON.parse(JSON.stringify(generated)) as JsonObject;
      expect(await taken(plain, rulesWith([{ kty, crv, x } as JsonObject]))).toBe("taken");
    }
  });

  it("keys come from a jku at the card's own origin or a named one, and from nowhere else", async () => {
    const asked: string[] = [];
    const keys = (origins: readonly string[]) =>
      cardKeys({
        configured: [],
        origins: new Set(origins),
        fetch: async (request) => {
          asked.push(request.url);
          return Response.json({ keys: [signer.publicJwk] });
        },
      });
    const jku = "https://keys.example/set.json";
    const signed = await signer.sign(CARD, { alg: "ES256", kid: "one", jku });
    expect(await taken(signed, rulesWith([], { keys: keys(["https://agent.example"]) }))).toBe("bad_signature");
    expect(asked).toEqual([]);
    expect(await taken(signed, rulesWith([], { keys: keys(["https://keys.example"]) }))).toBe("taken");
    expect(asked).toEqual([jku]);
  });
});

describe("PLG-6 a card that another implementation has signed", () => {
  const NO_SCOPES = put("securityRequirements")([{ schemes: { bearer: { list: [] } } }])(CARD);

  /** Signed by the public library over the wire form, which drops what is empty. */
  async function foreign(card: JsonObject): Promise<{ readonly card: JsonObject; readonly key: JsonObject }> {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    const { kty, crv, x, y } = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as unknown as JsonObject;
    const sign = generateAgentCardSignature(pair.privateKey, { alg: "ES256", kid: "f", typ: "JOSE" });
    const signed = JSON.parse(JSON.stringify(await sign(card as never))) as JsonObject;
    return { card: signed, key: { kty, crv, x, y } as JsonObject };
  }

  async function judged(card: JsonObject, key: JsonObject): Promise<string> {
    const answer = await judgeCard(bytesOf(card), rulesWith([key]));
    return answer.ok ? "taken" : [answer.reason.code, answer.reason.at ?? ""].join(" ").trim();
  }

  it("holds here too, though it drops what is empty", async () => {
    const { card, key } = await foreign(put(...EXTENSION, "description")("")(CARD));
    expect(await judged(card, key)).toBe("taken");
  });

  it.each<readonly [string, Change, string]>([
    [
      "an anonymous alternative is appended",
      put("securityRequirements", 1)({}),
      "unsigned_member /securityRequirements/1",
    ],
    [
      "an alternative with an unknown member",
      put("securityRequirements", 0, "x")("y"),
      "unsigned_member /securityRequirements/0/x",
    ],
    [
      "an unknown member inside an interface",
      put("supportedInterfaces", 0, "proxy")("https://evil.example"),
      "unsigned_member /supportedInterfaces/0/proxy",
    ],
    [
      "an unknown member among the capabilities",
      put("capabilities", "debug")(true),
      "unsigned_member /capabilities/debug",
    ],
    ["an unknown member that decides nothing", put("motto")("hello"), "taken"],
    [
      "a parameter that is empty",
      put(...EXTENSION, "params", "list")([]),
      "unsigned_member /capabilities/extensions/0/params/list",
    ],
  ])("%s: the signature still holds, and it is refused where it matters", async (_name, change, want) => {
    const { card, key } = await foreign(CARD);
    const changed = change(card);
    const own = await crypto.subtle.importKey("jwk", key as JsonWebKey, { name: "ECDSA", namedCurve: "P-256" }, true, [
      "verify",
    ]);
    // What the public library makes of the same card: nothing is amiss.
    await expect(verifyAgentCardSignature(async () => own)(changed as never)).resolves.toBeUndefined();
    expect(await judged(changed, key)).toBe(want);
  });

  it("a requirement without scopes is not covered, and could be taken away or put there by anybody", async () => {
    const { card, key } = await foreign(NO_SCOPES);
    expect(await judged(card, key)).toMatch(/^unsigned_member \/securityRequirements\/0/);
    expect(await judged(put("securityRequirements")(undefined)(card), key)).toBe(
      "anonymous_alternative /securityRequirements",
    );
  });

  it("a changed address of a scheme does not pass", async () => {
    const scheme = { openIdConnectSecurityScheme: { openIdConnectUrl: `${ISSUER}/a` } };
    const { card, key } = await foreign(put("securitySchemes", "bearer")(scheme)(CARD));
    expect(await judged(card, key)).toBe("taken");
    const other = put("securitySchemes", "bearer", "openIdConnectSecurityScheme", "openIdConnectUrl")(`${ISSUER}/b`);
    expect(await judged(other(card), key)).toBe("bad_signature");
  });
});

describe("PLG-6 a card that has changed", () => {
  async function after(change: Change, more: Partial<CardRules> = {}): Promise<string> {
    const first = await judgeCard(bytesOf(await signer.sign(CARD)), rulesWith([signer.publicJwk]));
    if (!first.ok) throw new Error("the first card is taken");
    const before = pinFromJson(pinToJson(first.value.pin));
    return judgedAs(change, { before, ...more });
  }

  it.each<readonly [string, Change, string]>([
    ["nothing but its signature", as((c) => c), "taken"],
    ["a skill more", put("skills", 1)({ id: "b", name: "B", description: "B", tags: [] }), "taken"],
    ["an interface less", put("supportedInterfaces", 1)(undefined), "taken"],
    ["a required extension is optional now", put(...EXTENSION, "required")(false), "downgrade required_extension"],
    ["a required extension is gone", put("capabilities", "extensions")([]), "downgrade required_extension"],
    [
      "an origin more",
      put(
        "supportedInterfaces",
        2,
      )({ url: "https://b.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }),
      "downgrade origin",
    ],
    [
      "another way in",
      as((c) =>
        put("securitySchemes", "key")({ apiKeySecurityScheme: { location: "query", name: "k" } })(
          put("securityRequirements", 1)({ schemes: { key: {} } })(c),
        ),
      ),
      "downgrade security_scheme",
    ],
    [
      "a required extension more that is not spoken",
      put("capabilities", "extensions", 2)({ uri: "urn:example:new:1", required: true }),
      "extension_required urn:example:new:1",
    ],
  ])("%s", async (_name, change, want) => {
    expect(await after(change)).toBe(want);
  });

  it("without its signature it needs the operator, even where none is asked for", async () => {
    const first = await judgeCard(bytesOf(await signer.sign(CARD)), rulesWith([signer.publicJwk]));
    const before = first.ok ? first.value.pin : undefined;
    const rules = rulesWith([signer.publicJwk], { before, unsigned: "accepted" });
    const judged = await judgeCard(bytesOf(CARD), rules);
    expect(judged).toMatchObject({ ok: false, reason: { code: "downgrade", at: "signature" } });
    const digest = first.ok ? first.value.digest : "";
    expect((await judgeCard(bytesOf(CARD), { ...rules, accepted: digest })).ok).toBe(true);
  });

  it("what cannot be read of the last one is no licence", async () => {
    expect(await judgedAs((c) => c, { before: "unreadable" })).toBe("downgrade pin");
    for (const value of [null, {}, { v: 2 }, { v: 1, digest: 3 }, "x", []] as const)
      expect(pinFromJson(value as Json)).toBeUndefined();
  });

  it("the pin survives being stored", async () => {
    const parsed = await parseCard(bytesOf(CARD));
    if (!parsed.ok) throw new Error("the card is in order");
    const pin = pinOf(parsed.value.card, parsed.value.digest, true);
    expect(pinFromJson(JSON.parse(JSON.stringify(pinToJson(pin))) as Json)).toEqual(pin);
  });
});

interface Fixture {
  readonly implemented: readonly string[];
  readonly found: readonly { readonly name: string; readonly card: JsonObject; readonly activate: readonly string[] }[];
  readonly required_and_unsupported: readonly {
    readonly name: string;
    readonly card: JsonObject;
    readonly missing: readonly string[];
  }[];
  readonly refused: readonly {
    readonly name: string;
    readonly card: JsonObject;
    readonly at?: string;
    readonly why: string;
  }[];
}
const fixture = JSON.parse(
  readFileSync(new URL("../../../fixtures/extensions.json", import.meta.url), "utf8"),
) as Fixture;

describe("PLG-6 the fixture's cards, as this client reads them", () => {
  const spoken = fixture.implemented.map((uri) => ({ uri, accepts: () => true }));
  const read = async (card: JsonObject) => {
    const parsed = await parseCard(bytesOf(card));
    return parsed.ok ? negotiate(parsed.value.card.capabilities.extensions, spoken) : parsed;
  };

  it.each(fixture.found)("$name", async ({ card, activate }) => {
    const answer = await read(card);
    expect(answer.ok && answer.value.activate.map(({ uri }) => uri)).toEqual(activate);
  });

  it.each(fixture.required_and_unsupported)("$name: refused, naming it", async ({ card, missing }) => {
    expect(await read(card)).toEqual({ ok: false, reason: { code: "extension_required", at: missing[0] } });
  });

  it.each(fixture.refused)("$name: refused as $why", async ({ card, why, at }) => {
    const answer = await read(card);
    const codes: Readonly<Record<string, string>> = {
      twice: "extension_twice",
      uri: "extension_uri",
      malformed: "malformed",
      credential: "credential_in_params",
    };
    expect(answer).toMatchObject({ ok: false, reason: { code: codes[why] } });
    if (!answer.ok && at !== undefined) expect(answer.reason.at).toMatch(new RegExp(`${escaped(at)}$`));
    expect(JSON.stringify(answer)).not.toMatch(/planted|eyJhbGci/);
  });
});

function leaves(value: Json, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((each, at) => leaves(each, [...path, at]));
  if (typeof value === "object" && value !== null && isJsonObject(value))
    return Object.entries(value).flatMap(([name, each]) => leaves(each, [...path, name]));
  return [path];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
