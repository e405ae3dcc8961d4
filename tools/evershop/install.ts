/** Installs EverShop once into a cache folder outside the project. `node tools/evershop/install.ts` */
import { createHash } from "node:crypto";
import { cp, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { commandMs, pollMs } from "../processes/limits.ts";
import { runToEnd, signal, ToolError } from "../processes/processes.ts";
import { postgresPackage } from "./cluster.ts";
import { buildMs, downloadMs, otherInstallMs } from "./limits.ts";
import { saying } from "./saying.ts";
import { evershopCommand } from "./storefront.ts";
import { makeTemplate } from "./template.ts";

export interface Installed {
  /** EverShop with its packages, configuration and build. Read only after the installation. */
  readonly app: string;
  /** A stopped PostgreSQL data folder: migrated, seeded, one way of shipping. */
  readonly template: string;
}

const shopVersion = "2.2.1";
const manifest = fileURLToPath(new URL("./shop/", import.meta.url));
/** Counts changes of this installer that make an older installation useless. */
const recipe = 1;

/** Cash on delivery is the one way to pay that needs nobody outside. */
const shopConfig = { system: { cod: { status: 1 } } };

/** `COUNTERSIGN_CACHE` names the folder for everything that is installed for tests; the default is the user's cache. */
export function cacheFolder(): string {
  const base = process.env["COUNTERSIGN_CACHE"];
  if (base) return join(base, `evershop-${shopVersion}`);
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "countersign", `evershop-${shopVersion}`);
}

/**
 * Returns at once when this exact version is installed. Otherwise installs, builds and seeds it (about two minutes);
 * a broken or half-done installation is thrown away and made anew; a second caller waits for the first.
 * @throws {ToolError}
 */
export async function ensureInstalled(): Promise<Installed> {
  const root = cacheFolder();
  const installed: Installed = { app: join(root, "app"), template: join(root, "template") };
  const wanted = await fingerprint();
  if (await isInstalled(root, wanted)) return installed;
  await mkdir(root, { recursive: true }).catch((cause: Error) => {
    throw new ToolError(`The cache folder ${root} cannot be made (${cause.message}); set COUNTERSIGN_CACHE.`);
  });
  const release = await takeLock(join(root, "install.lock"));
  try {
    if (!(await isInstalled(root, wanted))) await install(root, installed, wanted);
  } finally {
    await release();
  }
  return installed;
}

async function install(root: string, installed: Installed, wanted: string): Promise<void> {
  const { app, template } = installed;
  for (const old of [marker(root), template]) await rm(old, { recursive: true, force: true });
  const built = join(root, "built");
  if (!(await holds(built, wanted))) {
    await rm(built, { force: true });
    await build(app, join(root, "install.log"));
    await mark(built, wanted);
  }
  await saying("making the demo shop's database", makeTemplate(app, template));
  await mark(marker(root), wanted);
}

async function build(app: string, logFile: string): Promise<void> {
  for (const old of [app, logFile]) await rm(old, { recursive: true, force: true });
  for (const folder of ["config", "media", "public", "extensions"]) await mkdir(join(app, folder), { recursive: true });
  await writeFile(join(app, "config", "default.json"), JSON.stringify(shopConfig));
  for (const file of ["package.json", "package-lock.json"]) await cp(join(manifest, file), join(app, file));
  const inApp = { cwd: app, logFile };
  await saying(
    "installing packages (525 MB, about a minute)",
    runToEnd({
      ...inApp,
      doing: "Installing EverShop's packages",
      command: "npm",
      args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
      timeoutMs: downloadMs,
    }),
  );
  // The one install script that matters: npm packages cannot hold the symbolic links that initdb needs.
  await runToEnd({
    ...inApp,
    doing: "Preparing PostgreSQL",
    command: process.execPath,
    args: [join("scripts", "hydrate-symlinks.js")],
    cwd: postgresPackage(app),
    timeoutMs: commandMs,
  });
  await saying(
    "building the shop (about a minute)",
    runToEnd({
      ...inApp,
      doing: "Building EverShop",
      command: process.execPath,
      args: [evershopCommand, "build"],
      timeoutMs: buildMs,
    }),
  );
  // The build ends with code 0 even when it failed.
  if (!(await exists(join(app, ".evershop", "build")))) {
    throw new ToolError(`EverShop's build wrote nothing; see ${logFile}.`);
  }
}

function marker(root: string): string {
  return join(root, "installed");
}

function isInstalled(root: string, wanted: string): Promise<boolean> {
  return holds(marker(root), wanted);
}

async function holds(file: string, wanted: string): Promise<boolean> {
  return (await readFile(file, "utf8").catch(() => undefined)) === wanted;
}

/** Written beside and renamed, so that a mark is there whole or not at all. */
async function mark(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(
    `${recipe}\n${process.platform}-${process.arch}\n${JSON.stringify(shopConfig)}\n`,
  );
  for (const file of ["package.json", "package-lock.json"]) hash.update(await readFile(join(manifest, file)));
  return hash.digest("hex");
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** One installer at a time; a lock whose owner has died is taken over. */
async function takeLock(path: string): Promise<() => Promise<void>> {
  const until = Date.now() + otherInstallMs;
  let said = false;
  for (;;) {
    const file = await open(path, "wx").catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "EEXIST") return undefined;
      throw new ToolError(`The cache folder is not writable: ${cause.message}.`);
    });
    if (file !== undefined) {
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    const justMade = owner === 0 && age < 1_000;
    if (!justMade && !(owner > 0 && signal(owner, 0))) await rm(path, { force: true });
    else if (Date.now() > until)
      throw new ToolError(`Another installation (process ${owner}) has held ${path} too long.`);
    else if (!said) {
      said = true;
      process.stderr.write(`evershop: waiting for the installation of process ${owner}\n`);
    }
    await sleep(pollMs);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { app } = await ensureInstalled();
    process.stdout.write(`EverShop ${shopVersion} is installed in ${app}.\n`);
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    process.stderr.write(`${cause.message}\n`);
    process.exitCode = 1;
  }
}
