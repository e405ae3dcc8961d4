import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { practiceShop } from "@countersign/adapter-practice-shop";
import { createEgress, createLog, type Egress, type Guard, startGateway } from "@countersign/gateway";
import type { Site } from "@countersign/plugin";
import { startPracticeShop } from "@countersign/practice";
import { OPERATIONS } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { assert } from "@countersign/wire";
import { socketOperator } from "../../../countersign/src/conformance/operator.ts";
import {
  type ConformanceCase,
  type ConformanceReport,
  countersignDriver,
  type HolderDriver,
  runConformance,
} from "../../src/index.ts";
import { type Meddle, openProxy } from "./proxy.ts";

/** One thing that is wrong with a gateway: on the wire, at its way out, or in its adapter. */
export interface Wrong {
  readonly meddle?: () => Meddle;
  readonly egress?: (real: Egress) => Egress;
  readonly site?: (real: Site) => Site;
  /** The account holders' driver that is used instead of the built-in one. */
  readonly driver?: (real: HolderDriver) => HolderDriver;
}

/** Runs cases against a gateway that is as wrong as told, and otherwise the real one. */
export async function runAgainst(wrong: Wrong, cases: readonly ConformanceCase[]): Promise<ConformanceReport> {
  const shop = await startPracticeShop();
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-broken-"));
  const issuer = `http://localhost:${await freePort()}`;
  const { egress, site } = wrong;
  const gateway = await startGateway({
    dataDir,
    issuer,
    destinations: [{ id: "practice-shop", site: "practice-shop", origin: shop.origin }],
    sites: [site === undefined ? practiceShop : site(practiceShop)],
    operations: OPERATIONS,
    approvals: { "retail.order.submit": "session" },
    routes: () => [createHttpRoute()],
    log: createLog("silent"),
    env: {},
    ...(egress === undefined ? {} : { egress: (guard: Guard) => egress(createEgress(guard)) }),
  });
  assert(gateway.ok, "the gateway starts");
  const proxy = await openProxy(issuer, wrong.meddle?.() ?? ((request, pass) => pass(request)));
  const driver = countersignDriver(socketOperator(dataDir));
  try {
    return await runConformance({
      gateway: proxy.origin,
      issuer,
      shopControl: shop.controlOrigin,
      driver: wrong.driver?.(driver) ?? driver,
      cases,
    });
  } finally {
    await proxy.close();
    await gateway.value.stop();
    await shop.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
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
