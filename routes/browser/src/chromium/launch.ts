import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { err } from "@countersign/wire";
import type { Browser, CDPSession } from "playwright-core";
import { BROWSER_LAUNCH_MS } from "../limits.ts";
import { type ForwardProxy, startProxy } from "../proxy/proxy.ts";
import { launchEnv, launchFlags } from "./flags.ts";
import { playwright } from "./playwright.ts";

export interface LaunchOptions {
  readonly executablePath: string;
  /** Chromium's own sandbox. It cannot run as root. */
  readonly sandbox: "on" | "off";
  /** A folder of the gateway's; each browser has a folder in it while it runs. */
  readonly profileRoot: string;
  readonly launchArgs: readonly string[];
}

/** A running Chromium and what belongs to it. */
export interface Launched {
  readonly browser: Browser;
  /** The browser's own session; never detached while the browser lives. */
  readonly cdp: CDPSession;
  readonly pid: number;
  /** Stops what was started around the browser. Call it when the browser is gone. */
  cleanUp(): Promise<void>;
}

/**
 * Starts a Chromium that talks over a pipe (Playwright's way unless told otherwise), so that it ends with this process:
 * a browser that outlived the gateway would release what is held. Whatever no context's proxy covers goes to a proxy
 * that refuses everything, Chromium's own calls home among it.
 * @throws what Playwright throws when Chromium does not start.
 */
export async function launchChromium(options: LaunchOptions): Promise<Launched> {
  await mkdir(options.profileRoot, { recursive: true, mode: 0o700 });
  const home = await mkdtemp(join(options.profileRoot, "browser-"));
  const nowhere = await startProxy({
    allow: new Set(),
    resolve: async () => err("address_refused"),
    onRefused: () => {},
  });
  const cleanUp = () => removeAll(nowhere, home);
  try {
    const browser = await playwright().chromium.launch({
      executablePath: options.executablePath,
      headless: true,
      chromiumSandbox: options.sandbox === "on",
      args: launchFlags(options.launchArgs),
      env: launchEnv(process.env, home),
      proxy: { server: nowhere.url },
      artifactsDir: home,
      // The gateway ends browsers itself, after failing what they hold.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: BROWSER_LAUNCH_MS,
    });
    const cdp = await browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    const pid = processInfo.find((each) => each.type === "browser")?.id ?? 0;
    return { browser, cdp, pid, cleanUp };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function removeAll(proxy: ForwardProxy, home: string): Promise<void> {
  await proxy.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
}
