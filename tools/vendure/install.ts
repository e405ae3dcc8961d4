/** Installs Vendure once into a cache folder outside the project. `node tools/vendure/install.ts` */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolderOf, holds, mark, takeLock } from "../processes/cache.ts";
import { runToEnd, ToolError } from "../processes/processes.ts";
import { downloadMs } from "./limits.ts";

const version = "3.7.3";
const manifest = fileURLToPath(new URL("./shop/", import.meta.url));
const packageFiles = ["package.json", "package-lock.json"] as const;

export function cacheFolder(): string {
  return cacheFolderOf(`vendure-${version}`);
}

/** @returns the folder with Vendure's packages and the program that starts it, when it is installed already. */
export async function installedFolder(): Promise<string | undefined> {
  return (await holds(marker(), await fingerprint())) ? appFolder() : undefined;
}

/**
 * Returns at once when exactly this is installed; otherwise installs it (160 MB, half a minute). Nothing is built and no
 * install script runs: the database is SQLite as WebAssembly.
 * @throws {ToolError}
 */
export async function ensureInstalled(): Promise<string> {
  const there = await installedFolder();
  if (there !== undefined) return there;
  const root = cacheFolder();
  await mkdir(root, { recursive: true }).catch((cause: Error) => {
    throw new ToolError(`The cache folder ${root} cannot be made (${cause.message}); set COUNTERSIGN_CACHE.`);
  });
  const release = await takeLock(join(root, "install.lock"), "vendure");
  try {
    if ((await installedFolder()) === undefined) await install();
  } finally {
    await release();
  }
  return appFolder();
}

async function install(): Promise<void> {
  const app = appFolder();
  for (const old of [marker(), app]) await rm(old, { recursive: true, force: true });
  await mkdir(app, { recursive: true });
  for (const file of packageFiles) await cp(join(manifest, file), join(app, file));
  process.stderr.write("vendure: installing packages (160 MB, half a minute) ...\n");
  await runToEnd({
    doing: "Installing Vendure's packages",
    command: "npm",
    args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    cwd: app,
    logFile: join(cacheFolder(), "install.log"),
    timeoutMs: downloadMs,
  });
  await mark(marker(), await fingerprint());
}

const appFolder = () => join(cacheFolder(), "app");
const marker = () => join(cacheFolder(), "installed");

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  for (const file of packageFiles) hash.update(await readFile(join(manifest, file)));
  return hash.digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`Vendure ${version} is installed in ${await ensureInstalled()}.\n`);
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    process.stderr.write(`${cause.message}\n`);
    process.exitCode = 1;
  }
}
