import type { JsonObject } from "@countersign/wire";
import * as oauth from "oauth4webapi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Agent } from "./support/agent.ts";
import { Browser, OAuthClient } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

// A program without a browser: it shows a code, the person types it on a page of the trusted interface (RFC 8628).

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;
let world: World;
let client: OAuthClient;
let person: Person;
let browser: Browser;
beforeEach(async () => {
  world = await openWorld({ oauth: { clients: [{ clientId: "kitchen", name: "Kitchen display", redirectUris: [] }] } });
  person = await Person.signIn(world);
  browser = new Browser(world.issuer, person);
  client = await OAuthClient.discover(world.issuer, "kitchen");
});
afterEach(() => world.close());

async function begin(parameters: Record<string, string> = {}): Promise<oauth.DeviceAuthorizationResponse> {
  const options = { ...INSECURE, headers: new Headers({ "user-agent": "Kitchen/1 \u00e9" }) };
  const response = await oauth.deviceAuthorizationRequest(
    client.server,
    client.client,
    oauth.None(),
    parameters,
    options,
  );
  return oauth.processDeviceAuthorizationResponse(client.server, client.client, response);
}

async function poll(deviceCode: string): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.deviceCodeGrantRequest(client.server, client.client, oauth.None(), deviceCode, INSECURE);
  return oauth.processDeviceCodeResponse(client.server, client.client, response);
}

async function typed(code: string): Promise<string> {
  const found = await browser.post("/device", { user_code: code });
  expect(found.status).toBe(200);
  return String(found.json["ref"]);
}

describe("the device flow", () => {
  it("U39 the person sees what asks and from where, picks what it gets, and the device fetches its tokens", async () => {
    const accountRef = await person.connectShop("http");
    const begun = await begin();
    expect(begun).toMatchObject({
      verification_uri: `${world.issuer}/device`,
      expires_in: 600,
      interval: 5,
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    });
    // A link with the code in it would need no look at the device at all.
    expect(begun.verification_uri_complete).toBeUndefined();
    await expect(poll(begun.device_code)).rejects.toMatchObject({ error: "authorization_pending" });
    const ref = await typed(begun.user_code.toLowerCase().replace("-", " "));
    const view = (await browser.get(`/authorizations/${ref}`)).json;
    expect(view).toMatchObject({
      client: { kind: "known", name: "Kitchen display" },
      returns_to: {
        kind: "device",
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
        agent: expect.stringMatching(/^Kitchen/),
      },
      state: "asked",
    });
    const [destination] = view["destinations"] as JsonObject[];
    const asked = destination?.["asked"] as JsonObject;
    const grant = {
      ...asked,
      destination: "practice-shop",
      account_ref: accountRef,
      operations: ["retail.orders.list"],
    };
    const decided = await browser.post(`/authorizations/${ref}/decision`, { decision: "allow", grant });
    expect([decided.status, decided.json]).toEqual([200, {}]);
    expect((await browser.get(`/authorizations/${ref}`)).json["state"]).toBe("allowed");
    const tokens = await poll(begun.device_code);
    expect(tokens.authorization_details).toMatchObject([
      { account_ref: accountRef, operations: ["retail.orders.list"] },
    ]);
    const agent = new Agent(world, "", tokens.access_token);
    expect(((await agent.get("/v1/accounts")).json["accounts"] as unknown[]).length).toBe(1);
    await expect(poll(begun.device_code)).rejects.toMatchObject({ error: "invalid_grant" });
    expect((await browser.post("/device", { user_code: begun.user_code })).status).toBe(404);
    expect((await agent.get("/v1/accounts")).status).toBe(401);
  });

  it("a no is told to the device, and a code that ran out is none", async () => {
    const refused = await begin();
    await browser.post(`/authorizations/${await typed(refused.user_code)}/decision`, { decision: "refuse" });
    await expect(poll(refused.device_code)).rejects.toMatchObject({ error: "access_denied" });
    const late = await begin();
    world.advance(600_000);
    expect((await browser.post("/device", { user_code: late.user_code })).status).toBe(404);
    expect((await person.get("/agents")).json["agents"]).toEqual([]);
  });

  it("U39 U40 the page that a code opened belongs to the session that typed it", async () => {
    const begun = await begin();
    const ref = await typed(begun.user_code);
    const other = new Browser(world.issuer, await Person.signIn(world));
    expect((await other.get(`/authorizations/${ref}`)).status).toBe(404);
    expect((await other.post(`/authorizations/${ref}/decision`, { decision: "allow" })).status).toBe(404);
    expect((await new Browser(world.issuer).post("/device", { user_code: begun.user_code })).status).toBe(401);
    expect(
      (await browser.post("/device", { user_code: begun.user_code }, { origin: "https://evil.example" })).status,
    ).toBe(403);
    await expect(poll(begun.device_code)).rejects.toMatchObject({ error: "authorization_pending" });
  });

  it("guessing ends after ten tries, in every session of the person, and devices that ask too often are told", async () => {
    const begun = await begin();
    for (let n = 0; n < 10; n += 1)
      expect((await browser.post("/device", { user_code: `BBBB-BBB${n}` })).status).toBe(404);
    const other = new Browser(world.issuer, await Person.signIn(world));
    for (const one of [browser, other])
      expect((await one.post("/device", { user_code: begun.user_code })).json["reason"]).toBe("rate_limited");
    world.advance(10 * 60_000);
    const fresh = await begin();
    await typed(fresh.user_code);
    await expect(poll(fresh.device_code)).rejects.toMatchObject({ error: "authorization_pending" });
    await expect(poll(fresh.device_code)).rejects.toMatchObject({ error: "slow_down" });
  });
});
