import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { practiceShop } from "@countersign/adapter-practice-shop";
import { createLog, startGateway } from "@countersign/gateway";
import { startPracticeShop } from "@countersign/practice";
import { OPERATIONS } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { err, ok, type Result } from "@countersign/wire";
import { anyFreePort } from "../setup/free-port.ts";

/** A gateway and a practice shop that last as long as one conformance run; no browser, no pages. */
export interface Throwaway {
  readonly issuer: string;
  readonly dataDir: string;
  readonly shopControl: string;
  close(): Promise<void>;
}

export async function openThrowaway(): Promise<Result<Throwaway, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-conformance-"));
  const shop = await startPracticeShop();
  const issuer = `http://localhost:${await anyFreePort()}`;
  const clear = async (): Promise<void> => {
    await shop.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const gateway = await startGateway({
    dataDir,
    issuer,
    destinations: [{ id: "practice-shop", site: "practice-shop", origin: shop.origin }],
    sites: [practiceShop],
    operations: OPERATIONS,
    approvals: { "retail.order.submit": "session" },
    routes: () => [createHttpRoute()],
    log: createLog("silent"),
    env: {},
  });
  if (!gateway.ok) {
    await clear();
    return err(`the gateway does not start: ${gateway.reason.kind}`);
  }
  return ok({
    issuer,
    dataDir,
    shopControl: shop.controlOrigin,
    async close() {
      await gateway.value.stop();
      await clear();
    },
  });
}
