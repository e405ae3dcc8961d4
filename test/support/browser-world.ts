import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { createHttpRoute } from "@countersign/route-http";
import { assert, err } from "@countersign/wire";
import { pinHost } from "../../packages/gateway/src/egress/guard.ts";
import { openWorld, type World, type WorldOptions } from "./world.ts";

/** A world whose gateway reaches the shop by its pages too, in a real Chromium. */
export async function openBrowserWorld(options: WorldOptions = {}): Promise<World> {
  const chromium = findChromium(process.env);
  assert(chromium.ok, "these tests need Chromium");
  const profileRoot = mkdtempSync(join(tmpdir(), "countersign-browsers-"));
  const world = await openWorld({
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
    ...options,
  });
  return {
    ...world,
    close: async () => {
      await world.close();
      rmSync(profileRoot, { recursive: true, force: true });
    },
  };
}
