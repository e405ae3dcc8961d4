import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { createLog, type GatewayOptions, startGateway } from "@countersign/gateway";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { assert, ok } from "@countersign/wire";
import { chromium, type Page } from "playwright-core";
import { ensureConsole } from "../../../packages/countersign/src/setup/console-build.ts";

const WINDOW = { width: 1280, height: 900 };

/** A gateway with the console as it is built, and the person's own browser in front of it. */
export interface Stage {
  /** Connects an account at a destination as a person does, up to the site's page standing in the picture. */
  open(title: string): Promise<Page>;
  close(): Promise<void>;
}

export async function openStage(of: Pick<GatewayOptions, "sites" | "destinations" | "operations">): Promise<Stage> {
  const built = await ensureConsole((line) => process.stderr.write(`${line}\n`));
  assert(built.ok, "the console can be built");
  const program = findChromium(process.env);
  assert(program.ok, "this needs Chromium");
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-live-"));
  const sandbox = process.getuid?.() === 0 ? "off" : "on";
  const started = await startGateway({
    ...of,
    dataDir,
    issuer: `http://localhost:${await freePort()}`,
    routes: () => [
      createBrowserRoute({
        executablePath: program.value,
        sandbox,
        profileRoot: join(dataDir, "browsers"),
        // Every site of this measurement is this machine.
        resolve: async () => ok({ address: "127.0.0.1", family: 4 }),
      }),
    ],
    console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES },
    log: createLog("error", (line) => process.stderr.write(`${line}\n`)),
    env: {},
  });
  assert(started.ok, "the gateway starts");
  const gateway = started.value;
  const { issuer } = gateway.core;
  const browser = await chromium.launch({ executablePath: program.value, chromiumSandbox: sandbox === "on" });
  const context = await browser.newContext({ viewport: WINDOW });
  const first = await context.newPage();
  await first.goto(`${issuer}/link#${(await gateway.signInLink()).reveal()}`);
  const signedIn = first.waitForResponse((answer) => answer.url().endsWith("/trusted/v1/session") && answer.ok());
  await first.getByRole("button", { name: "Sign in here" }).click();
  await signedIn;
  return {
    async open(title) {
      const page = await context.newPage();
      await page.goto(`${issuer}/accounts`);
      await page
        .getByRole("button", { name: new RegExp(`Connect ${title}`) })
        .first()
        .click();
      await page.locator("canvas[data-frame]").waitFor();
      return page;
    },
    async close() {
      await browser.close();
      await gateway.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
    });
  });
}
