import { randomBytes } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { Agent } from "../../test/support/agent.ts";
import { Person } from "../../test/support/person.ts";
import { freePort } from "../../test/support/world.ts";
import { freshDatabase, type TestDatabase } from "../../tools/postgres/test-database.ts";
import type { Settings } from "./child-contract.ts";
import { type GatewayProcess, startProcess } from "./gateway-process.ts";
import type { StoreKind } from "./plan.ts";

/** One account of the person's, ordering one thing: accounts work at the same time, an account's orders do not. */
export interface Seat {
  readonly sku: string;
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

const SKUS = ["TL-200", "MS-2", "PB-45", "CK-1"] as const;

/** A shop, a store, a person with connected accounts, and whichever life of the gateway runs now. */
export interface CrashWorld {
  readonly store: StoreKind;
  readonly shop: PracticeShop;
  readonly person: Person;
  readonly clientId: string;
  readonly seats: readonly Seat[];
  /** Hand-offs that a crash has spent. */
  readonly lapsed: Set<string>;
  gateway: GatewayProcess;
  /** Starts the next life where the last one ended. */
  revive(): Promise<void>;
  /** A second gateway on the same database. */
  beside(): Promise<GatewayProcess>;
  /** Moves the clock of the gateway and of the shop alike. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export async function openCrashWorld(store: StoreKind): Promise<CrashWorld> {
  let aheadMs = 0;
  const shop = await startPracticeShop({ clock: () => Date.now() + aheadMs });
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-crash-"));
  const clockFile = join(dataDir, "clock");
  writeFileSync(clockFile, "0");
  const database: TestDatabase | undefined = store === "postgres" ? await freshDatabase() : undefined;
  const settings: Settings = {
    dataDir,
    issuer: `http://localhost:${await freePort()}`,
    shopOrigin: shop.origin,
    clockFile,
    ...(database === undefined ? {} : { databaseUrl: database.url, masterKey: randomBytes(32).toString("base64url") }),
  };
  const first = await startProcess(settings);
  const where = { issuer: settings.issuer, dataDir, shop };
  const person = await Person.withLink(where, first.link);
  const agent = await Agent.join(where, person);
  const seats: Seat[] = [];
  for (const sku of SKUS) seats.push(await seatFor(person, agent, sku));
  const sides: GatewayProcess[] = [];
  const world: CrashWorld = {
    store,
    shop,
    person,
    clientId: agent.clientId,
    seats,
    lapsed: new Set(),
    gateway: first,
    async revive() {
      if (!world.gateway.dead()) await world.gateway.kill();
      world.gateway = await startProcess(settings);
    },
    async beside() {
      const dir = mkdtempSync(join(tmpdir(), "countersign-crash-"));
      const side = await startProcess({ ...settings, dataDir: dir, listenPort: await freePort() });
      sides.push(side);
      return side;
    },
    advance(ms) {
      aheadMs += ms;
      // Renamed into place: a reader never finds it empty.
      writeFileSync(`${clockFile}.new`, String(aheadMs));
      renameSync(`${clockFile}.new`, clockFile);
    },
    async close() {
      for (const process of [world.gateway, ...sides]) if (!process.dead()) await process.kill();
      await shop.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

async function seatFor(person: Person, agent: Agent, sku: string): Promise<Seat> {
  const accountRef = await person.connectShop("http");
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref;
  assert(fulfillmentRef !== undefined, "the account has a home address");
  return { sku, accountRef, consentRef, fulfillmentRef };
}
