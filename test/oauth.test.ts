import { assert, type JsonObject } from "@countersign/wire";
import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { Agent, hoursAhead, orderRequest } from "./support/agent.ts";

import { Browser, type DocumentServer, OAuthClient, pageRef, serveDocument } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

// A client that knows only the gateway's address, a person in a browser, and everything between them over HTTP.

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Stage {
  readonly world: World;
  readonly person: Person;
  readonly browser: Browser;
  readonly site: DocumentServer;
  readonly client: OAuthClient;
}

async function stage(): Promise<Stage> {
  const world = await openWorld({ oauth: { documents: "loopback_too" } });
  open.push(() => world.close());
  const site = await serveDocument();
  open.push(() => site.close());
  const person = await Person.signIn(world);
  const client = await OAuthClient.discover(world.issuer, site.clientId);
  return { world, person, browser: new Browser(world.issuer, person), site, client };
}

const READ = "retail.orders.list";
const BUY = "retail.order.submit";

function grantFor(view: JsonObject, accountRef: string, change: JsonObject = {}): JsonObject {
  const [destination] = view["destinations"] as JsonObject[];
  assert(destination !== undefined, "there is a destination");
  const asked = destination["asked"] as JsonObject;
  return {
    decision: "allow",
    grant: {
      destination: destination["id"] ?? "",
      account_ref: accountRef,
      ...asked,
      expires_at: hoursAhead(24),
      ...change,
    },
  };
}

/** From the link to what the client receives: the person says yes to everything, but for a change. */
async function toCode(
  s: Stage,
  decide: (view: JsonObject) => JsonObject,
  parameters: Parameters<OAuthClient["begin"]>[0] = {},
) {
  const begun = await s.client.begin(parameters);
  const ref = pageRef(await s.browser.open(begun.url));
  const view = await s.browser.get(`/authorizations/${ref}`);
  expect(view.status).toBe(200);
  const decided = await s.browser.post(`/authorizations/${ref}/decision`, decide(view.json));
  expect([decided.status, decided.text.includes("onward")]).toEqual([200, true]);
  const back = await s.browser.open(String(decided.json["onward"]));
  expect(back.status).toBe(303);
  return { begun, ref, location: String(back.headers.location) };
}

async function toTokens(
  s: Stage,
  decide: (view: JsonObject) => JsonObject,
  parameters: Parameters<OAuthClient["begin"]>[0] = {},
) {
  const { begun, location } = await toCode(s, decide, parameters);
  return s.client.redeem(s.client.callback(location, begun.state), begun.verifier);
}

describe("authorization code with PKCE, answered on the person's own page", () => {
  it("MAP-1 from nothing but the gateway's address to a purchase, under what the person picked", async () => {
    const s = await stage();
    const accountRef = await s.person.connectShop("http");
    const tokens = await toTokens(s, (view) => grantFor(view, accountRef, { operations: [READ, BUY] }));
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 300, scope: "agent" });
    const [detail] = tokens.authorization_details as unknown as JsonObject[];
    assert(detail !== undefined, "what was given comes back");
    expect(detail).toMatchObject({ type: "urn:countersign:grant", account_ref: accountRef, operations: [READ, BUY] });
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({ iss: s.world.issuer, aud: `${s.world.issuer}/v1`, client_id: s.site.clientId });
    expect(claims["authorization_details"]).toEqual([{ type: detail["type"], consent_ref: detail["consent_ref"] }]);
    const agent = new Agent(s.world, String(claims["agent"]), tokens.access_token);
    const references = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json["references"] as JsonObject[];
    const fulfillmentRef = String(references.find((r) => r["label"] === "Home")?.["ref"]);
    const consentRef = String(detail["consent_ref"]);
    const placed = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
    expect([placed.status, placed.json["client_id"] ?? ""]).toEqual([201, ""]);
    const agents = (await s.person.get("/agents")).json["agents"] as JsonObject[];
    expect(agents).toMatchObject([{ state: "accepted", name: `${new URL(s.site.clientId).host}: Errand helper` }]);
  });
});
