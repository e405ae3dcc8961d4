import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { practiceShop } from "@countersign/adapter-practice-shop";
import { createLog, type Gateway, type GatewayOptions, type LogLevel, startGateway } from "@countersign/gateway";
import type { Site } from "@countersign/plugin";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { OPERATIONS } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { assert, type Instant, instant, secret } from "@countersign/wire";
import { freshDatabase, type TestDatabase } from "../../tools/postgres/test-database.ts";
import { Agent } from "./agent.ts";
import { Person } from "./person.ts";

/** A gateway, the practice shop, and a clock that tests can move; everything else is as in production. */
export interface World {
  readonly shop: PracticeShop;
  readonly issuer: string;
  readonly dataDir: string;
  readonly logLines: string[];
  gateway: Gateway;
  /** Moves the gateway's clock. */
  advance(ms: number): void;
  /** How far the gateway's clock is ahead of the machine's, in milliseconds. */
  offset(): number;
  /** Stops the gateway and starts it again on the same data; `between` runs while none does. */
  restart(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Where the gateway stands, for what has to know it beforehand. */
  readonly issuer?: string;
  readonly sites?: GatewayOptions["sites"];
  readonly operations?: GatewayOptions["operations"];
  readonly destinations?: GatewayOptions["destinations"];
  readonly egress?: NonNullable<GatewayOptions["egress"]>;
  readonly routes?: GatewayOptions["routes"];
  readonly console?: NonNullable<GatewayOptions["console"]>;
  /** Take the place of the practice shop's adapter and of the profile's catalogue. */
  readonly shopSite?: Site;
  readonly catalogue?: GatewayOptions["operations"];
  readonly approvals?: NonNullable<GatewayOptions["approvals"]>;
  readonly authorities?: NonNullable<GatewayOptions["authorities"]>;
  /** The switches that a demonstration has. */
  readonly practice?: (shop: PracticeShop) => NonNullable<GatewayOptions["practice"]>;
  readonly access?: NonNullable<GatewayOptions["access"]>;
  readonly identities?: NonNullable<GatewayOptions["identities"]>;
  readonly callerIdentities?: NonNullable<GatewayOptions["callerIdentities"]>;
  /** Read at each start, so that a test can change it between two. */
  readonly callers?: () => NonNullable<GatewayOptions["callers"]>;
  readonly reach?: NonNullable<GatewayOptions["reach"]>;
  readonly openid?: NonNullable<GatewayOptions["openid"]>;
  readonly notify?: NonNullable<GatewayOptions["notify"]>;
  /** Doors beside the gateway's own API. */
  readonly bindings?: NonNullable<GatewayOptions["bindings"]>;
  readonly http?: NonNullable<GatewayOptions["http"]>;
  readonly oauth?: NonNullable<GatewayOptions["oauth"]>;
  readonly logLevel?: LogLevel;
  readonly taskWebhooks?: NonNullable<GatewayOptions["taskWebhooks"]>;
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const shop = await startPracticeShop();
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-test-"));
  const database = await testDatabase();
  const issuer = options.issuer ?? `http://localhost:${await freePort()}`;
  const logLines: string[] = [];
  let offset = 0;
  const start = async (): Promise<Gateway> => {
    const started = await startGateway({
      dataDir,
      issuer,
      ...(database === undefined ? {} : { database: secret(database.url) }),
      destinations: [
        { id: "practice-shop", site: "practice-shop", origin: shop.origin },
        ...(options.destinations ?? []),
      ],
      sites: [options.shopSite ?? practiceShop, ...(options.sites ?? [])],
      operations: [...(options.catalogue ?? OPERATIONS), ...(options.operations ?? [])],
      // What a person without a passkey can decide; the policies have their own tests.
      approvals: options.approvals ?? { "retail.order.submit": "session" },
      routes: options.routes ?? (() => [createHttpRoute()]),
      ...(options.authorities === undefined ? {} : { authorities: options.authorities }),
      ...(options.practice === undefined ? {} : { practice: options.practice(shop) }),
      ...(options.access === undefined ? {} : { access: options.access }),
      ...(options.identities === undefined ? {} : { identities: options.identities }),
      ...(options.callerIdentities === undefined ? {} : { callerIdentities: options.callerIdentities }),
      ...(options.callers === undefined ? {} : { callers: options.callers() }),
      ...(options.reach === undefined ? {} : { reach: options.reach }),
      ...(options.openid === undefined ? {} : { openid: options.openid }),
      ...(options.notify === undefined ? {} : { notify: options.notify }),
      ...(options.oauth === undefined ? {} : { oauth: options.oauth }),
      ...(options.taskWebhooks === undefined ? {} : { taskWebhooks: options.taskWebhooks }),
      ...(options.bindings === undefined ? {} : { bindings: options.bindings }),
      ...(options.http === undefined ? {} : { http: options.http }),
      ...(options.console === undefined ? {} : { console: options.console }),
      log: createLog(options.logLevel ?? "debug", (line) => logLines.push(line)),
      env: {},
      now: (): Instant => instant(Date.now() + offset),
      ...(options.egress === undefined ? {} : { egress: options.egress }),
    });
    assert(started.ok, `the gateway starts: ${started.ok ? "" : JSON.stringify(started.reason)}`);
    return started.value;
  };
  const world: World = {
    shop,
    issuer,
    dataDir,
    logLines,
    gateway: await start(),
    advance(ms) {
      offset += ms;
      world.gateway.core.poke();
    },
    offset: () => offset,
    async restart(between) {
      await world.gateway.stop();
      await between?.();
      world.gateway = await start();
    },
    async close() {
      await world.gateway.stop();
      await shop.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

/** A database of its own when the tests run on PostgreSQL (`COUNTERSIGN_TEST_STORE`); undefined on the embedded store. */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  return process.env["COUNTERSIGN_TEST_STORE"] === "postgres" ? freshDatabase("migrated") : undefined;
}

/** Work on a gateway's store from outside it: a test looks at everybody's rows. */
export function inStore<T>(gateway: Gateway, work: (db: Gateway["core"]["store"]["db"]) => Promise<T>): Promise<T> {
  const { store } = gateway.core;
  return store.as("system", () => work(store.db));
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      assert(address !== null && typeof address === "object", "a listening server has an address");
      server.close(() => resolve(address.port));
    });
  });
}

/** A person signed in, an agent accepted, the shop's account connected by its API, and a grant for everything. */
export async function readyWorld(options: WorldOptions = {}): Promise<{
  readonly world: World;
  readonly person: Person;
  readonly agent: Agent;
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}> {
  const world = await openWorld(options);
  const person = await Person.signIn(world);
  const agent = await Agent.join(world, person);
  const accountRef = await person.connectShop("http");
  const consentRef = await agent.askGrant({
    destination: "practice-shop",
    operations: ["retail.orders.list", "retail.order.submit", "subscription.cancel"],
  });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref;
  assert(fulfillmentRef !== undefined, "the account has a home address");
  return { world, person, agent, accountRef, consentRef, fulfillmentRef };
}
