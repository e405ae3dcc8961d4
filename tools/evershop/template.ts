import { cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../postgres/cluster.ts";
import { pollMs } from "../processes/limits.ts";
import { freePort, ToolError } from "../processes/processes.ts";
import { makeRunFolder, type RunFolder } from "../processes/run-folder.ts";
import { createCluster, startCluster } from "./cluster.ts";
import { beforeSeedMs, catalogueReadyMs, seedAttempts } from "./limits.ts";
import { pageStatus, seedStorefront, startStorefront } from "./storefront.ts";

/** The shop ships to the United States for 5.00. */
const shippingSql = `
WITH z AS (INSERT INTO shipping_zone(name) VALUES ('Home') RETURNING shipping_zone_id id),
 c AS (INSERT INTO shipping_zone_country(zone_id,country) SELECT id,'US' FROM z),
 p AS (INSERT INTO shipping_zone_provider(zone_id,provider_code) SELECT id,'core' FROM z),
 m AS (INSERT INTO core_shipping_method(name) VALUES ('Standard') RETURNING core_shipping_method_id id)
INSERT INTO core_shipping_method_rate(method_id,zone_id,cost) SELECT m.id,z.id,5 FROM m,z`;

const productPathsSql = `
SELECT u.request_path AS path FROM product p LEFT JOIN url_rewrite u ON u.entity_uuid = p.uuid`;

/** Makes the data folder that every start copies: migrated, seeded, with shipping, every product page answering. */
export async function makeTemplate(app: string, template: string): Promise<void> {
  for (let attempt = 1; attempt <= seedAttempts; attempt += 1) {
    const run = await makeRunFolder("evershop");
    try {
      if (await fill(app, run)) {
        await cp(join(run.path, "data"), `${template}.new`, { recursive: true });
        await rename(`${template}.new`, template);
        return;
      }
    } finally {
      await run.remove();
      await rm(`${template}.new`, { recursive: true, force: true });
    }
  }
  throw new ToolError(`EverShop's product pages did not appear in ${seedAttempts} attempts at seeding.`);
}

async function fill(app: string, run: RunFolder): Promise<boolean> {
  await createCluster(app, run.path);
  const cluster = await startCluster(app, run.path, (pid) => run.keeper.keep("postgres", pid));
  try {
    const port = await freePort();
    const settings = { app, run: run.path, cluster, port, publicOrigin: `http://127.0.0.1:${port}` };
    const storefront = await startStorefront(settings, (pid) => run.keeper.keep("group", pid));
    try {
      await sleep(beforeSeedMs);
      await seedStorefront(settings);
      await cluster.query(shippingSql);
      return await catalogueAnswers(cluster, storefront.origin);
    } finally {
      await storefront.stop();
    }
  } finally {
    await cluster.stop();
  }
}

/** A product has its page once EverShop's event worker has handled the new product. */
async function catalogueAnswers(cluster: Cluster, origin: string): Promise<boolean> {
  const until = Date.now() + catalogueReadyMs;
  for (;;) {
    const rows = await cluster.query(productPathsSql);
    const paths = rows.flatMap((row) => (typeof row["path"] === "string" ? [row["path"]] : []));
    if (rows.length > 0 && paths.length === rows.length && (await allAnswer(origin, paths))) return true;
    if (Date.now() > until) return false;
    await sleep(pollMs);
  }
}

async function allAnswer(origin: string, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if ((await pageStatus(`${origin}${path}`)) !== 200) return false;
  return true;
}
