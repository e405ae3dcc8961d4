import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { err, ok, type Result } from "@countersign/wire";

const LOCK_FILE = "gateway.lock";
const OWNER_FILE = "gateway.owner.json";

export interface LockOwner {
  readonly pid: number;
  readonly url: string;
}

export interface StoreLock {
  release(): void;
}

/**
 * One gateway process per store. The lock is a SQLite transaction on a database of its own: it is refused at once to a
 * second process and falls with the first, kill -9 included. Nothing may open that file through `fs`: closing such a
 * handle would drop the lock. The side file only names the owner for people.
 */
export function takeStoreLock(
  dataDir: string,
  owner: LockOwner,
): Result<StoreLock, { readonly held: LockOwner | undefined }> {
  const lock = new DatabaseSync(join(dataDir, LOCK_FILE));
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive");
  } catch {
    lock.close();
    return err({ held: readOwner(dataDir) });
  }
  const ownerPath = join(dataDir, OWNER_FILE);
  writeFileSync(`${ownerPath}.new`, JSON.stringify(owner), { mode: 0o600 });
  renameSync(`${ownerPath}.new`, ownerPath);
  return ok({
    release() {
      rmSync(ownerPath, { force: true });
      lock.close();
    },
  });
}

/** Who wrote the side file last; the process may be gone. */
export function readOwner(dataDir: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dataDir, OWNER_FILE), "utf8"));
    if (typeof value !== "object" || value === null || !("pid" in value) || !("url" in value)) return undefined;
    return typeof value.pid === "number" && typeof value.url === "string"
      ? { pid: value.pid, url: value.url }
      : undefined;
  } catch {
    return undefined;
  }
}
