import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type FakeServer, startFakeServer } from "./fake-server.ts";

const ROOT = dirname(fileURLToPath(new URL(".", import.meta.url)));
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FIRST_LOOK = { width: 640, height: 400 };

/** The browser that the tests drive; undefined where there is none. */
export function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  return [...(named === undefined ? [] : [named]), ...PLACES].find((path) => existsSync(path));
}

/** The console built from its sources of this moment, served by the fake server, and a browser to look at it. */
export interface Stage {
  readonly browser: Browser;
  readonly dist: string;
  /** What the live view shows: a sign-in page's picture. */
  readonly picture: Buffer;
  readonly close: () => Promise<void>;
}

export async function openStage(executablePath: string): Promise<Stage> {
  const dist = await mkdtemp(join(tmpdir(), "console-"));
  await buildConsole(dist);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: FIRST_LOOK });
  await page.setContent(
    "<body style='font:16px sans-serif;padding:2rem'><h1>Practice shop</h1><p>Email</p><input><p>Password</p><input>",
  );
  const picture = await page.screenshot({ type: "jpeg", quality: 80 });
  await page.close();
  return {
    browser,
    dist,
    picture,
    close: async () => {
      await browser.close();
      await rm(dist, { recursive: true, force: true });
    },
  };
}

/** As the command does it, in a process of its own; into a folder of its own, for other tests may serve the usual one. */
export async function buildConsole(outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(join(ROOT, "package.json")).resolve("vite/package.json")), "bin", "vite.js");
  const options = ["build", ROOT, "--outDir", outDir, "--emptyOutDir", "--logLevel", "error"];
  await promisify(execFile)(process.execPath, [vite, ...options]);
}

/** One page on a server of its own; `complaints` is all that the console of the page, its scripts or its policy said. */
export interface Visit {
  readonly page: Page;
  readonly fake: FakeServer;
  readonly complaints: readonly string[];
  readonly foreign: readonly string[];
  /** Loads a page anew. */
  readonly go: (path: string) => Promise<void>;
  /** Goes to a page as a link inside the console does. */
  readonly move: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function visit(stage: Stage, options: BrowserContextOptions = {}): Promise<Visit> {
  const fake = await startFakeServer({ nowMs: Date.now(), dist: stage.dist });
  const context = await stage.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const foreign: string[] = [];
  await page.exposeFunction("complain", (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { complain } = globalThis as unknown as { complain: (text: string) => void };
      complain(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== fake.origin && protocol !== "blob:") foreign.push(request.url());
  });
  return {
    page,
    fake,
    complaints,
    foreign,
    go: async (path) => {
      await page.goto(`${fake.origin}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
    move: (path) =>
      page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, path),
    close: async () => {
      // What is still under way when a page closes concerns nobody.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
      await fake.close();
    },
  };
}
