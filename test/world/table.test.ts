import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RouteKind } from "@countersign/plugin";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { createHttpRoute } from "@countersign/route-http";
import { assert, err } from "@countersign/wire";
import { afterAll } from "vitest";
import { pinHost } from "../../packages/gateway/src/egress/guard.ts";
import type { WorldOptions } from "../support/world.ts";
import { clinicLists } from "./clinic-lists.ts";
import { siteRows } from "./rows.ts";
import { WORLD_SITES } from "./sites.ts";

// The practice world, by one table over (operation, route). `npm test` runs the short form, by the sites' APIs alone;
// `npm run e2e:world` every row by every route (`COUNTERSIGN_WORLD=whole`).
const extent = process.env["COUNTERSIGN_WORLD"] === "whole" ? "whole" : "short";
const HTTP_TEST_MS = 60_000;
/** A real browser on a busy machine. */
const BROWSER_TEST_MS = 240_000;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

for (const site of WORLD_SITES) {
  for (const { route } of site.site.entries) {
    if (route === "browser" && extent === "short") continue;
    const testMs = route === "browser" ? BROWSER_TEST_MS : HTTP_TEST_MS;
    siteRows(site, route, extent, { world: worldWith(route), testMs });
  }
}

if (extent === "whole") clinicLists();

function worldWith(route: RouteKind): WorldOptions {
  if (route !== "browser") return {};
  const chromium = findChromium(process.env);
  assert(chromium.ok, "the rows by the pages need Chromium");
  const profileRoot = mkdtempSync(join(tmpdir(), "countersign-world-"));
  folders.push(profileRoot);
  return {
    routes: (guard) => [
      createHttpRoute(),
      createBrowserRoute({
        executablePath: chromium.value,
        sandbox: process.getuid?.() === 0 ? "off" : "on",
        profileRoot,
        resolve: async (host, port) => {
          const pinned = await pinHost(guard, host, port);
          return pinned.ok ? pinned : err("address_refused");
        },
      }),
    ],
  };
}
