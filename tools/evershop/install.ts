/** Installs EverShop once into a cache folder outside the project. `node tools/evershop/install.ts` */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolderOf, holds, mark, takeLock } from "../processes/cache.ts";
import { commandMs } from "../processes/limits.ts";
import { runToEnd, ToolError } from "../processes/processes.ts";
import { postgresPackage } from "./cluster.ts";
import { buildMs, downloadMs } from "./limits.ts";
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

export function cacheFolder(): string {
  return cacheFolderOf(`evershop-${shopVersion}`);
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
  const release = await takeLock(join(root, "install.lock"), "evershop");
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
