/** What is installed for tests alone: once, whole, in a folder outside the project. */
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { otherInstallMs, pollMs } from "./limits.ts";
import { signal, ToolError } from "./processes.ts";

/** `COUNTERSIGN_CACHE` names the folder for everything that is installed for tests; the default is the user's cache. */
export function cacheFolderOf(name: string): string {
  const base = process.env["COUNTERSIGN_CACHE"];
  if (base) return join(base, name);
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "countersign", name);
}

export async function holds(file: string, wanted: string): Promise<boolean> {
  return (await readFile(file, "utf8").catch(() => undefined)) === wanted;
}

/** Written beside and renamed, so that a mark is there whole or not at all. */
export async function mark(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

/**
 * One installer at a time; a lock whose owner has died is taken over.
 * @param name of what is installed, for whoever waits.
 */
export async function takeLock(path: string, name: string): Promise<() => Promise<void>> {
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
      process.stderr.write(`${name}: waiting for the installation of process ${owner}\n`);
    }
    await sleep(pollMs);
  }
}
