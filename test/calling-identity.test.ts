import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, type Gateway, startGateway } from "@countersign/gateway";
import { OPERATIONS } from "@countersign/profile";
import { generateSigningKey } from "@countersign/web-bot-auth";
import { storeNonces, WEB_BOT_AUTH } from "@countersign/web-bot-auth/plugin";
import { assert, type JsonObject, secret, toBase64Url } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PLUGIN_SWEEP_GRACE_MS } from "../packages/gateway/src/limits.ts";
import { gatewayCtx } from "../packages/gateway/src/plugin-ctx.ts";
import { sweepPluginValues } from "../packages/gateway/src/plugin-sweep.ts";
import { freshDatabase } from "../tools/postgres/test-database.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { callerIdentities, type Operator, openOperator, type SignedRequest, sendSigned } from "./support/caller.ts";
import { callTool, type McpReady, mcpClient, mcpWorld } from "./support/mcp.ts";
import { Person } from "./support/person.ts";
import { freePort } from "./support/world.ts";

// Who operates the agents that call (PLG-7): recorded, then demanded, by one gateway that is started anew in between.

let demand: "record" | "require" = "record";
let places: "https" | "loopback_too" = "loopback_too";
let ready: McpReady;
let operator: Operator;
/** Sent while the gateway recorded, and once more after it was started anew. */
let before: SignedRequest;

beforeAll(async () => {
  operator = await openOperator();
  ready = await mcpWorld({ callerIdentities: callerIdentities(), callers: () => ({ demand, places }) });
});
afterAll(async () => {
  await ready.world.close();
  await operator.close();
});

const bearer = (token = ready.agent.token) => ({ authorization: `Bearer ${token}` });
const listing = (): JsonObject => ({
  ...orderRequest({ ...ready, fulfillmentRef: "" }, { operation: "retail.orders.list" }),
  parameters: {},
});
const task = (body: JsonObject = listing()) => ({
  method: "POST",
  path: "/v1/tasks",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const submit = (signed: SignedRequest, body?: string) =>
  sendSigned(ready.world.issuer, signed, { headers: bearer(), ...(body === undefined ? {} : { body }) });
const logged = (event: string) =>
  ready.world.logLines.map((line) => JSON.parse(line) as JsonObject).filter((line) => line["msg"] === event);

describe("record", () => {
  it("PLG-7 whom the signature shows is kept with the task, for the person and the agent, and in the log", async () => {
    before = await operator.sign(ready.world.issuer, task());
    const made = await submit(before);
    expect([made.status, made.text]).toEqual([201, made.text]);
    const shown = { outcome: "verified", agent: operator.identifier, key_id: operator.key.keyId };
    expect(made.json["called_by"]).toEqual(shown);
    const { json } = await ready.person.get(`/tasks/${String(made.json["task_id"])}`);
    expect(json["called_by"]).toEqual(shown);
    expect(logged("caller.judged").at(-1)).toMatchObject({ outcome: "verified", agent: operator.identifier });
  });

  it.each<{ what: string; send: () => Promise<{ status: number; json: JsonObject }>; shown: JsonObject }>([
    {
      what: "no signature",
      send: () => ready.agent.post("/v1/tasks", listing()),
      shown: { outcome: "unsigned" },
    },
    {
      what: "other content than was signed",
      send: async () => submit(await operator.sign(ready.world.issuer, task()), JSON.stringify(listing())),
      shown: { outcome: "invalid", reason: "content_digest_mismatch" },
    },
    {
      what: "a signature for another origin, under our Host",
      send: async () => submit(await operator.sign("https://other.example", task())),
      shown: { outcome: "invalid", reason: "bad_signature" },
    },
    {
      what: "one that does not cover the content",
      send: async () => {
        const { body, ...head } = task();
        return submit({ ...(await operator.sign(ready.world.issuer, head)), body });
      },
      shown: { outcome: "unverified", reason: "body_not_covered" },
    },
    {
      what: "a key that its directory does not list",
      send: async () => {
        const { key } = await generateSigningKey();
        return submit(await operator.sign(ready.world.issuer, task(), { key }));
      },
      shown: { outcome: "unverified", reason: "key_not_in_directory" },
    },
  ])("PLG-7 $what is said of the task, and stops nothing", async ({ send, shown }) => {
    const made = await send();
    expect([made.status, made.json["called_by"]]).toEqual([201, shown]);
  });

  it("a signature is no token: without one nothing is judged, fetched or kept", async () => {
    const asked = operator.asked();
    const judged = logged("caller.judged").length;
    const signed = await operator.sign(ready.world.issuer, task());
    expect((await sendSigned(ready.world.issuer, signed)).status).toBe(401);
    expect((await sendSigned(ready.world.issuer, signed, { headers: bearer("forged") })).status).toBe(401);
    expect([operator.asked(), logged("caller.judged").length]).toEqual([asked, judged]);
    // Not even its nonce: it is still good for the first request that has a token.
    expect((await submit(signed)).json["called_by"]).toMatchObject({ outcome: "verified" });
  });

  it("the keys are fetched once and kept between requests", () => {
    expect(operator.asked()).toBeLessThanOrEqual(2);
  });
});

describe("require", () => {
  beforeAll(async () => {
    demand = "require";
    await ready.world.restart();
  });

  it("PLG-7 N28 what was used before the restart is a replay after it", async () => {
    const again = await submit(before);
    expect([again.status, again.json["reason"]]).toEqual([403, "signature_required"]);
    expect(logged("caller.refused").at(-1)).toMatchObject({ outcome: "invalid", reason: "replayed" });
  });

  it("PLG-7 who does not sign is refused, and told what is wanted", async () => {
    const refused = await ready.agent.post("/v1/tasks", listing());
    expect([refused.status, refused.json["reason"]]).toEqual([403, "signature_required"]);
    expect(refused.json["problems"]).toEqual([{ pointer: "", rule: "not signed" }]);
    expect(refused.headers["accept-signature"]).toBe(
      'sig1=("@method" "@authority" "@path" "content-digest" "signature-agent";key="sig1");created;expires;tag="web-bot-auth"',
    );
    expect((await ready.agent.get("/v1/tasks")).status).toBe(403);
  });

  it("PLG-7 who signs is heard: an action covered whole, a read by its address alone", async () => {
    const made = await submit(await operator.sign(ready.world.issuer, task()));
    expect([made.status, made.json["called_by"]]).toEqual([201, expect.objectContaining({ outcome: "verified" })]);
    const { body, ...head } = task();
    const uncovered = await submit({ ...(await operator.sign(ready.world.issuer, head)), body });
    expect(uncovered.status).toBe(403);
    const read = await operator.sign(ready.world.issuer, { path: "/v1/tasks?state=open" });
    expect((await submit(read)).status).toBe(200);
    expect((await submit(read)).status).toBe(403);
  });

  it("a signature permits nothing: without a token it is still 401", async () => {
    const signed = await operator.sign(ready.world.issuer, task());
    expect((await sendSigned(ready.world.issuer, signed)).status).toBe(401);
  });

  it("PLG-7 the doors of plugins ask the same: an MCP client that signs is heard, and its task says so", async () => {
    await expect(mcpClient(ready.url, ready.token)).rejects.toThrow();
    expect(logged("caller.refused").at(-1)).toMatchObject({ outcome: "unsigned" });
    const client = await mcpClient(ready.url, ready.token, { fetch: operator.fetch });
    const { accountRef: account_ref, consentRef: consent_ref } = ready;
    const read = await callTool(client, "retail_orders_list", { account_ref, consent_ref, parameters: {} });
    const shown = { outcome: "verified", agent: operator.identifier, key_id: operator.key.keyId };
    expect(read.body).toMatchObject({ state: "succeeded" });
    const { json } = await ready.person.get(`/tasks/${String(read.body["task_id"])}`);
    expect(json["called_by"]).toEqual(shown);
    await client.close();
  });

  it("what is for everybody stays so, and the person's pages are not asked", async () => {
    const { issuer } = ready.world;
    const open = { headers: {}, method: "GET", body: "" };
    expect((await sendSigned(issuer, { ...open, path: "/openapi.json" })).status).toBe(200);
    expect((await ready.person.get("/tasks")).status).toBe(200);
  });
});

describe("where keys may be fetched", () => {
  beforeAll(async () => {
    demand = "record";
    places = "https";
    await ready.world.restart();
  });

  it("PLG-7 U51 neither from this machine nor from a destination's private address, whoever names it", async () => {
    const { world } = ready;
    const asked = operator.asked();
    const shops = world.shop.control.requests().length;
    const unknown = { outcome: "unverified", reason: "directory_unavailable" };
    const origins = [undefined, world.shop.origin];
    for (const origin of origins) {
      const agent = origin === undefined ? {} : { agent: { type: "directory", origin } as const };
      const made = await submit(await operator.sign(world.issuer, task(), agent));
      expect(made.json["called_by"]).toEqual(unknown);
    }
    expect(operator.asked()).toBe(asked);
    const arrived = world.shop.control.requests().slice(shops);
    expect(arrived.filter(({ path }) => path.startsWith("/.well-known"))).toEqual([]);
  });
});

describe("what is kept against replays", () => {
  const AN_HOUR_MS = 3_600_000;
  const nonces = (bounds: { max: number; maxPerIdentifier: number }) =>
    storeNonces(gatewayCtx(ready.world.gateway.core, WEB_BOT_AUTH, new AbortController().signal), bounds);
  const rows = () => {
    const { store } = ready.world.gateway.core;
    return store.as("system", () =>
      store.db.selectFrom("plugin_value").select("key").where("expires_at", "is not", null).execute(),
    );
  };

  it("N28 a signer has so much room and no more, all of them together too; a replay is told as one even then", async () => {
    // Past whatever the tests before have left.
    ready.world.advance(10 * 60_000);
    const store = nonces({ max: 5, maxPerIdentifier: 3 });
    const expiresAtMs = ready.world.gateway.core.now() + AN_HOUR_MS;
    const use = (identifier: string, key: string) => store.record({ key, identifier, expiresAtMs });
    expect([await use("a", "1"), await use("a", "2"), await use("a", "3")]).toEqual(Array(3).fill("recorded"));
    expect([await use("a", "4"), await use("a", "1")]).toEqual(["full", "seen"]);
    expect([await use("b", "5"), await use("c", "6")]).toEqual(["recorded", "recorded"]);
    expect([await use("d", "7"), await use("b", "5")]).toEqual(["full", "seen"]);
  });

  it("what is over is swept, some minutes later, and nothing else", async () => {
    const { core } = ready.world.gateway;
    ready.world.advance(AN_HOUR_MS + PLUGIN_SWEEP_GRACE_MS - 60_000);
    await sweepPluginValues(core);
    expect(await rows()).toHaveLength(5);
    ready.world.advance(2 * 60_000);
    expect(await sweepPluginValues(core)).toBe(5);
    expect(await rows()).toEqual([]);
  });
});

describe("two gateways on one PostgreSQL database", () => {
  it("PLG-7 N28 what one has heard is a replay at the other, also when both hear it at once", async () => {
    const database = await freshDatabase("migrated");
    const issuerPort = await freePort();
    const issuer = `http://localhost:${issuerPort}`;
    const masterKey = toBase64Url(randomBytes(32));
    const dataDirs: string[] = [];
    const gateways: Gateway[] = [];
    const start = async (port: number): Promise<string> => {
      const dataDir = mkdtempSync(join(tmpdir(), "countersign-test-"));
      const started = await startGateway({
        dataDir,
        database: secret(database.url),
        issuer,
        listenPort: port,
        destinations: [],
        sites: [],
        operations: OPERATIONS,
        routes: () => [],
        callerIdentities: callerIdentities(),
        callers: { demand: "require", places: "loopback_too" },
        log: createLog("silent"),
        env: { COUNTERSIGN_MASTER_KEY: masterKey },
      });
      assert(started.ok, "the gateway starts");
      dataDirs.push(dataDir);
      gateways.push(started.value);
      return dataDir;
    };
    try {
      const dataDir = await start(issuerPort);
      const otherPort = await freePort();
      await start(otherPort);
      const [first] = gateways;
      assert(first !== undefined, "it has started");
      const where = { issuer, dataDir, shop: ready.world.shop, gateway: first };
      const agent = await Agent.join(where, await Person.signIn(where));
      const headers = { host: new URL(issuer).host, ...bearer(agent.token) };
      const one = (signed: SignedRequest) => sendSigned(issuer, signed, { headers });
      const other = (signed: SignedRequest) => sendSigned(`http://localhost:${otherPort}`, signed, { headers });
      const read = () => operator.sign(issuer, { path: "/v1/accounts" });

      const heard = await read();
      expect([(await one(heard)).status, (await other(heard)).status]).toEqual([200, 403]);
      expect((await other(await read())).status).toBe(200);
      for (let times = 0; times < 3; times += 1) {
        const signed = await read();
        const answers = await Promise.all([one(signed), other(signed)]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      }
    } finally {
      for (const gateway of gateways) await gateway.stop();
      await database.drop();
      for (const dir of dataDirs) rmSync(dir, { recursive: true, force: true });
    }
  });
});
