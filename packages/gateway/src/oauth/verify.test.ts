import { createHmac, generateKeyPairSync } from "node:crypto";
import { importJWK, type JWK, SignJWT } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tokenHash } from "../ids.ts";
import { openText } from "../vault/seal.ts";
import { ANNA_AGENT, BORIS_AGENT, type Fixture, fixture, ISSUER, RESOURCE, tokensOf } from "./fixture.ts";

let f: Fixture;
let grant: string;
let kid: string;
let privateJwk: JWK;
beforeEach(async () => {
  f = await fixture();
  grant = tokenHash((await f.mint(ANNA_AGENT)).grantId);
  const row = await f.store.db.selectFrom("signing_key").selectAll().where("role", "=", "oauth").executeTakeFirst();
  if (row === undefined) throw new Error("a key was made");
  kid = row.kid;
  privateJwk = JSON.parse(openText(f.sealer, `key:${kid}`, row.sealed));
});
afterEach(() => f.close());

const seconds = () => Math.floor(f.clock.now / 1000);

type Claims = Readonly<Record<string, unknown>>;

function claims(): Claims {
  return {
    iss: ISSUER,
    aud: RESOURCE,
    sub: ANNA_AGENT.pseudonym,
    client_id: ANNA_AGENT.clientId,
    tenant: ANNA_AGENT.tenantId,
    grant,
    jti: "jti_1",
    iat: seconds(),
    exp: seconds() + 300,
  };
}

/** Signed by the gateway's own key: only what differs from `claims` can be the reason for a refusal. */
async function signed(changes: Claims, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return new SignJWT({ ...claims(), ...changes })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header })
    .sign(await importJWK(privateJwk, "ES256"));
}

const verify = (token: string) => f.oauth.verifyAccessToken(`Bearer ${token}`);
const refused = (reason: string) => ({ ok: false, reason });

test("AUT-3 the forged tokens of this file differ from a good one only in what they test", async () => {
  const value = { clientId: "agt_anna", personId: "per_anna", tenantId: "ten_one", jti: "jti_1" };
  expect(await verify(await signed({}))).toEqual({ ok: true, value });
  expect(await verify(await signed({ aud: [RESOURCE] }))).toEqual({ ok: true, value });
});

test.each<[string, Claims, string]>([
  ["another resource", { aud: "https://other.example/v1" }, "wrong_audience"],
  ["another resource as a list", { aud: ["https://other.example/v1"] }, "wrong_audience"],
  ["an audience that is no text", { aud: [[RESOURCE]] }, "wrong_audience"],
  ["no audience", { aud: undefined }, "wrong_audience"],
  ["an empty list as audience", { aud: [] }, "wrong_audience"],
  ["us and others as audience", { aud: [RESOURCE, "https://other.example/v1"] }, "wrong_audience"],
  ["us twice as audience", { aud: [RESOURCE, RESOURCE] }, "wrong_audience"],
  ["our issuer as audience", { aud: ISSUER }, "wrong_audience"],
  ["our resource with a slash", { aud: `${RESOURCE}/` }, "wrong_audience"],
  ["another issuer", { iss: "https://issuer.example" }, "invalid"],
  ["our issuer with a slash", { iss: `${ISSUER}/` }, "invalid"],
  ["us and others as audience, and another issuer", { aud: [RESOURCE, "x"], iss: "https://issuer.example" }, "invalid"],
  ["no expiry", { exp: undefined }, "invalid"],
  ["no id", { jti: undefined }, "invalid"],
  ["no client", { client_id: undefined }, "invalid"],
  ["a client that is a list", { client_id: ["agt_anna"] }, "invalid"],
  ["no tenant", { tenant: undefined }, "invalid"],
  ["no grant", { grant: undefined }, "invalid"],
  ["a bound key without its proof (RFC 9449)", { cnf: { jkt: "thumbprint" } }, "invalid"],
  ["another tenant's name", { tenant: BORIS_AGENT.tenantId }, "invalid"],
  ["another person", { sub: BORIS_AGENT.pseudonym }, "invalid"],
  ["another tenant's client", { client_id: BORIS_AGENT.clientId }, "invalid"],
  ["another tenant's client and person", { client_id: BORIS_AGENT.clientId, sub: BORIS_AGENT.pseudonym }, "invalid"],
  ["an unknown client", { client_id: "agt_nobody" }, "revoked"],
  ["an unknown grant", { grant: tokenHash("nothing") }, "revoked"],
])("AUT-3 refused: %s", async (_name, changes, reason) => {
  expect(await verify(await signed(changes))).toEqual(refused(reason));
});

test.each<[string, Record<string, unknown>]>([
  ["a plain JWT", { typ: "JWT" }],
  ["a token without type", { typ: undefined }],
  ["an ID token's type", { typ: "id+jwt" }],
  ["an unknown key", { kid: "unknown" }],
  ["no key id", { kid: undefined }],
])("AUT-3 refused by its header: %s", async (_name, header) => {
  expect(await verify(await signed({}, header))).toEqual(refused("invalid"));
});

function unsigned(header: object): string {
  return [header, claims()].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
}

test("AUT-3 refused: no signature, a changed one, a shared secret, somebody else's key, a key in the header", async () => {
  expect(await verify(`${unsigned({ alg: "none", typ: "at+jwt", kid })}.`)).toEqual(refused("invalid"));
  const [head, body, signature = ""] = (await signed({})).split(".");
  expect(await verify(`${head}.${body}.`)).toEqual(refused("invalid"));
  const changed = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  expect(await verify(`${head}.${body}.${changed}`)).toEqual(refused("invalid"));
  // The public key as an HMAC secret: the old confusion of algorithms.
  for (const key of [JSON.stringify(f.oauth.jwks.keys[0]), kid]) {
    const input = unsigned({ alg: "HS256", typ: "at+jwt", kid });
    const mac = createHmac("sha256", key).update(input).digest("base64url");
    expect(await verify(`${input}.${mac}`)).toEqual(refused("invalid"));
  }
  const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" });
  for (const header of [{}, { jwk: foreign.publicKey.export({ format: "jwk" }) }]) {
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header })
      .sign(foreign.privateKey);
    expect(await verify(token)).toEqual(refused("invalid"));
  }
});

test("a token ends with its last second, by the gateway's clock", async () => {
  const token = await signed({});
  f.clock.now += 299_999;
  expect((await verify(token)).ok).toBe(true);
  f.clock.now += 1;
  expect(await verify(token)).toEqual(refused("expired"));
});

test("CON-1 a revoked agent is refused before its token expires", async () => {
  const { access_token: token } = tokensOf(
    await f.redeem((await f.mint(ANNA_AGENT)).refreshToken, ANNA_AGENT.clientId),
  );
  expect((await verify(token)).ok).toBe(true);
  for (const state of ["revoked", "refused", "requested"] as const) {
    await f.store.db.updateTable("agent").set({ state }).where("client_id", "=", ANNA_AGENT.clientId).execute();
    expect(await verify(token)).toEqual(refused("revoked"));
  }
});

test("agents of two tenants verify as themselves only", async () => {
  for (const agent of [ANNA_AGENT, BORIS_AGENT]) {
    const { access_token: token } = tokensOf(await f.redeem((await f.mint(agent)).refreshToken, agent.clientId));
    const answer = await verify(token);
    expect(answer).toMatchObject({ ok: true, value: { clientId: agent.clientId, tenantId: agent.tenantId } });
  }
  // An agent that was moved under a person of another tenant stands for nobody.
  await f.store.db
    .updateTable("agent")
    .set({ person_id: BORIS_AGENT.personId })
    .where("client_id", "=", ANNA_AGENT.clientId)
    .execute();
  expect(await verify(await signed({}))).toEqual(refused("revoked"));
});

test("header forms", async () => {
  const token = await signed({});
  expect(await f.oauth.verifyAccessToken(undefined)).toEqual(refused("missing"));
  expect(await f.oauth.verifyAccessToken("")).toEqual(refused("missing"));
  expect((await f.oauth.verifyAccessToken(`bearer ${token}`)).ok).toBe(true);
  const malformed = [
    token,
    "Bearer",
    "Bearer ",
    `Bearer  ${token}`,
    `Bearer ${token} `,
    `Bearer ${token}, Bearer ${token}`,
    `Basic ${token}`,
    `Bearer ${"a".repeat(5_000)}`,
    `Bearer\t${token}`,
    `Bearer ${token}\n`,
  ];
  for (const header of malformed) expect(await f.oauth.verifyAccessToken(header)).toEqual(refused("malformed"));
  // A proof for a token that is bound to nothing proves nothing.
  expect(await f.oauth.verifyAccessToken(`DPoP ${token}`)).toEqual(refused("invalid"));
  const noTokens = ["x", "a.b", "a.b.c", "..", "a.b.c.d.e", "e30.e30.e30", `${token}.x`, "eyJhbGciOiJFUzI1NiJ9..x"];
  for (const text of noTokens) expect(await verify(text)).toEqual(refused("invalid"));
});

test("a refresh token is no access token", async () => {
  expect(await verify((await f.mint(ANNA_AGENT)).refreshToken)).toEqual(refused("invalid"));
});
