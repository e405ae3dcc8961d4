import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { err, type Result } from "@countersign/wire";
import { findChromium } from "./find.ts";

/** One sentence for the person at the terminal, with the command to run. */
export interface ChromiumMissing {
  readonly message: string;
}

export interface EnsureHost {
  find(): ReturnType<typeof findChromium>;
  /** Whether the command ended well. */
  run(command: string, args: readonly string[]): Promise<boolean>;
  readonly isRoot: boolean;
  readonly isDebian: boolean;
}

/**
 * The installed Chromium; otherwise Playwright's own download of it; otherwise, as root on Debian, the system's package.
 * @param progress gets a line before each step that takes time.
 */
export async function ensureChromium(
  progress: (line: string) => void,
  host: EnsureHost = thisHost(),
): Promise<Result<string, ChromiumMissing>> {
  const found = host.find();
  if (found.ok) return found;
  if (found.reason === "configured_missing") {
    return err({ message: "COUNTERSIGN_CHROMIUM names a file that cannot be run; correct it or unset it." });
  }
  progress("No Chromium found. Downloading the one Playwright provides (about 150 MB).");
  if (await host.run(process.execPath, [playwrightCli(), "install", "chromium"])) {
    const downloaded = host.find();
    if (downloaded.ok) return downloaded;
  }
  if (host.isRoot && host.isDebian) {
    progress("The download failed. Installing Debian's package instead (apt-get install chromium).");
    const installed =
      (await host.run("apt-get", ["update", "-q"])) &&
      (await host.run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"]));
    const packaged = host.find();
    if (installed && packaged.ok) return packaged;
  }
  const command = host.isDebian ? "sudo apt-get install chromium" : "npx playwright-core install chromium";
  return err({ message: `Chromium is needed to reach sites through their pages; install it with: ${command}` });
}

function playwrightCli(): string {
  return join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
}

function thisHost(): EnsureHost {
  return {
    find: () => findChromium(process.env),
    run: (command, args) =>
      new Promise((resolve) => {
        const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
        const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env });
        child.once("error", () => resolve(false));
        child.once("exit", (code) => resolve(code === 0));
      }),
    isRoot: process.getuid?.() === 0,
    isDebian: existsSync("/etc/debian_version"),
  };
}
