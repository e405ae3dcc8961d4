import { practiceShop } from "@countersign/adapter-practice-shop";
import { catalogueView, OPERATIONS } from "@countersign/profile";
import { assert, isJsonObject, type JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hoursAhead } from "./support/agent.ts";
import { send } from "./support/http.ts";
import { readyWorld } from "./support/world.ts";

// The catalogue describes more than any one destination does. What has no adapter is published, and is offered nowhere.

const CATALOGUE = "/.well-known/agentic-web-execution/catalogue";
const AT_THE_SHOP = practiceShop.entries
  .filter(({ route }) => route === "http")
  .flatMap((entry) => entry.operations.map(({ operation }): string => operation))
  .sort();
const elsewhere = OPERATIONS.filter(({ id }) => !AT_THE_SHOP.includes(id));

let ready: Awaited<ReturnType<typeof readyWorld>>;
beforeAll(async () => {
  ready = await readyWorld({ approvals: { "subscription.cancel": "passkey" } });
});
afterAll(() => ready.world.close());

describe("REQ-3 REQ-7 the published catalogue", () => {
  it("stands in public, is named by the gateway's description and by the OpenAPI document, and may be kept", async () => {
    const { issuer } = ready.world;
    const about = await send(issuer, "GET", "/.well-known/agentic-web-execution");
    expect(about.json["catalogue"]).toBe(issuer + CATALOGUE);
    const reply = await send(issuer, "GET", CATALOGUE);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ "cache-control": "public, max-age=300" });
    const openapi = await send(issuer, "GET", "/openapi.json");
    const { paths } = openapi.json;
    assert(paths !== undefined && isJsonObject(paths), "it has paths");
    expect(paths[CATALOGUE]).toMatchObject({ get: { security: [] } });
  });

  it("says every operation, as this gateway runs it", async () => {
    const reply = await send(ready.world.issuer, "GET", CATALOGUE);
    const { operations } = catalogueView.parse(reply.json);
    expect(operations.map(({ id }) => id)).toEqual(OPERATIONS.map(({ id }) => id).sort());
    expect(operations.find(({ id }) => id === "subscription.cancel")).toMatchObject({ approval: "passkey" });
  });

  it("says nothing of accounts, people or destinations", async () => {
    const reply = await send(ready.world.issuer, "GET", CATALOGUE);
    for (const own of [ready.accountRef, ready.consentRef, "practice-shop", ready.world.issuer, "127.0.0.1"])
      expect(reply.text).not.toContain(own);
  });
});

describe("REQ-6 what no adapter does", () => {
  it("is no capability of the account", async () => {
    const capabilities = await ready.agent.get(`/v1/accounts/${ready.accountRef}/capabilities`);
    const operations = capabilities.json["operations"] as readonly JsonObject[];
    expect(operations.map(({ operation }) => operation).sort()).toEqual(AT_THE_SHOP);
  });

  it.each(elsewhere.map(({ id, example }) => [id, example.parameters] as const))(
    "%s is refused as a capability gap, as a grant and as a task, and makes none",
    async (operation, parameters) => {
      const asked = await ready.agent.post("/v1/consents", {
        account_ref: ready.accountRef,
        operations: [operation],
        purpose: "To see whether it is there.",
        expires_at: hoursAhead(1),
      });
      expect([asked.status, asked.json["reason"]]).toEqual([422, "capability_gap"]);
      const submitted = await ready.agent.post("/v1/tasks", {
        profile: "sophtron.agentic-web-execution/0.1",
        request_id: "r",
        idempotency_key: `gap-${operation}`,
        account_ref: ready.accountRef,
        consent_ref: ready.consentRef,
        operation,
        parameters,
        expires_at: hoursAhead(1),
      });
      expect([submitted.status, submitted.json["reason"]]).toEqual([422, "capability_gap"]);
      expect((await ready.agent.get("/v1/tasks")).json["tasks"]).toEqual([]);
    },
  );

  it("REQ-9 its parameters are judged first, and another's account is answered as an unknown one", async () => {
    const request = {
      profile: "sophtron.agentic-web-execution/0.1",
      request_id: "r",
      idempotency_key: "gap-shape",
      account_ref: ready.accountRef,
      consent_ref: ready.consentRef,
      operation: "banking.transfer.submit",
      parameters: { iban: "DE89370400440532013000", amount_minor: 1 },
      expires_at: hoursAhead(1),
    };
    expect((await ready.agent.post("/v1/tasks", request)).json).toMatchObject({ reason: "invalid_request" });
    const { parameters } = OPERATIONS.find(({ id }) => id === request.operation)?.example ?? {};
    const foreign = { ...request, account_ref: "acct_unknown", parameters };
    expect((await ready.agent.post("/v1/tasks", foreign)).status).toBe(404);
  });
});
