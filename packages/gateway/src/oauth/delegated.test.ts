import { createLocalJWKSet, jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDelegation, type Delegation } from "./delegated.ts";
import { ANNA_AGENT, BORIS_AGENT, type Fixture, fixture, ISSUER, RESOURCE } from "./fixture.ts";

let f: Fixture;
let delegation: Delegation;
beforeEach(async () => {
  f = await fixture();
  delegation = await createDelegation({ store: f.store, sealer: f.sealer, issuer: ISSUER, now: () => f.clock.now });
});
afterEach(() => f.close());

const AGENT = "https://agent.example";

async function claims(person: { readonly tenantId: string; readonly personId: string }, audience = AGENT) {
  const given = await delegation.tokenFor(person, audience);
  if (!given.ok) throw new Error("a token is made");
  const { payload, protectedHeader } = await jwtVerify(
    given.value.token.reveal(),
    createLocalJWKSet({ keys: delegation.jwks.keys.map((key) => ({ ...key })) }),
    { issuer: ISSUER, audience, currentDate: new Date(f.clock.now) },
  );
  expect(payload.sub).toBe(given.value.subject);
  return { payload, protectedHeader, token: given.value.token.reveal() };
}

describe("MAP-2 a token of our own for somebody whom the gateway calls", () => {
  it("is verified by the keys that are published, for one audience, and lives five minutes", async () => {
    const { payload, protectedHeader } = await claims(ANNA_AGENT);
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "at+jwt" });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
    expect(Object.keys(payload).sort()).toEqual(["aud", "client_id", "exp", "iat", "iss", "jti", "sub"]);
  });

  it("names a person the same way at one audience, and so that no two audiences can compare", async () => {
    const [once, again] = [await claims(ANNA_AGENT), await claims(ANNA_AGENT)];
    expect(again.payload.sub).toBe(once.payload.sub);
    expect(again.payload.jti).not.toBe(once.payload.jti);
    const subjects = [
      once.payload.sub,
      (await claims(ANNA_AGENT, "https://other.example")).payload.sub,
      (await claims(BORIS_AGENT)).payload.sub,
      (await claims({ ...ANNA_AGENT, tenantId: BORIS_AGENT.tenantId })).payload.sub,
    ];
    expect(new Set(subjects).size).toBe(4);
    for (const known of [ANNA_AGENT.personId, ANNA_AGENT.pseudonym]) expect(once.token).not.toContain(known);
  });

  it("keeps the name across a restart, under the same store", async () => {
    const before = (await claims(ANNA_AGENT)).payload.sub;
    delegation = await createDelegation({ store: f.store, sealer: f.sealer, issuer: ISSUER, now: () => f.clock.now });
    expect((await claims(ANNA_AGENT)).payload.sub).toBe(before);
  });

  it("AUT-3 opens nothing here, whatever it is for", async () => {
    for (const audience of [AGENT, "https://agent.example/v1"]) {
      const { token } = await claims(ANNA_AGENT, audience);
      expect((await f.oauth.verifyAccessToken(`Bearer ${token}`)).ok).toBe(false);
      expect((await f.oauth.verifyAccessToken(`Bearer ${token}`, audience)).ok).toBe(false);
    }
  });

  it.each([ISSUER, RESOURCE, `${ISSUER}/a2a`, "http://agent.example", "agent", "", "urn:agent", `${AGENT}#x`])(
    "%j gets none",
    async (audience) => {
      expect(await delegation.tokenFor(ANNA_AGENT, audience)).toEqual({ ok: false, reason: "not_an_audience" });
    },
  );
});
