import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { err, type Instant, ok, parseJson, type Result } from "@countersign/wire";
import { z } from "zod";
import { type LockOwner, takeStoreLock } from "../store/lock.ts";
import type { StoreProblem } from "../store/problems.ts";
import { openStore, type StoreWhere } from "../store/store.ts";
import { type Marked, markRestored } from "./restored.ts";

const STORE_FILE = "gateway.db";
const ABOUT_FILE = "backup.json";
/** More pages than any store has: a copy made in several steps begins anew whenever somebody writes in between. */
const PAGES_PER_STEP = 1_000_000_000;

/** What stands beside the copied store. `madeAt` is milliseconds since 1970 UTC. */
const about = z.strictObject({
  typ: z.literal("countersign.backup/1"),
  made_at: z.int().min(0),
  bytes: z.int().min(1),
});

export interface Backup {
  readonly madeAt: number;
  readonly bytes: number;
}

export type BackupProblem = "no_store" | "target_exists";

/**
 * Copies the embedded store of `dataDir` into the new directory `to`, also while a gateway runs on it. The copy is one
 * moment of the store. The master key is not in it: without that key the sealed columns are of no use.
 */
export async function backupStore(dataDir: string, to: string, now: Instant): Promise<Result<Backup, BackupProblem>> {
  if (!existsSync(join(dataDir, STORE_FILE))) return err("no_store");
  if (existsSync(join(to, STORE_FILE)) || existsSync(join(to, ABOUT_FILE))) return err("target_exists");
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const source = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true, timeout: 5_000 });
  try {
    await backup(source, join(to, STORE_FILE), { rate: PAGES_PER_STEP });
  } finally {
    source.close();
  }
  chmodSync(join(to, STORE_FILE), 0o600);
  const bytes = statSync(join(to, STORE_FILE)).size;
  writeFileSync(join(to, ABOUT_FILE), JSON.stringify({ typ: "countersign.backup/1", made_at: now, bytes }), {
    mode: 0o600,
  });
  return ok({ madeAt: now, bytes });
}

export type RestoreProblem =
  | { readonly kind: "no_backup" }
  /** The copy is damaged: it fails SQLite's own integrity check, or is not the size it was. */
  | { readonly kind: "damaged" }
  | { readonly kind: "store_in_use"; readonly held: LockOwner | undefined }
  /** There is a store already; `replace` moves it aside. */
  | { readonly kind: "store_exists" }
  | { readonly kind: "store"; readonly problem: StoreProblem };

export interface Restored extends Marked {
  readonly madeAt: number;
  /** Where the store that stood there before is now. */
  readonly movedTo?: string;
}

export interface RestoreOptions {
  readonly from: string;
  readonly dataDir: string;
  readonly existing: "refuse" | "move_aside";
  readonly grants: "end" | "keep";
  readonly now: Instant;
}

/** Puts a backup in the place of the store, in reconcile-first mode (STA-8). Refuses while a gateway runs on it. */
export async function restoreStore(options: RestoreOptions): Promise<Result<Restored, RestoreProblem>> {
  const found = readBackup(options.from);
  if (!found.ok) return found;
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const lock = takeStoreLock(options.dataDir, { pid: process.pid, url: "countersign restore" });
  if (!lock.ok) return err({ kind: "store_in_use", held: lock.reason.held });
  try {
    const file = join(options.dataDir, STORE_FILE);
    const present = existsSync(file);
    if (present && options.existing === "refuse") return err({ kind: "store_exists" });
    const aside = `${file}.before-restore-${options.now}`;
    // A copy is made beside and marked before it takes the store's place: a stop in between leaves the old one.
    const incoming = join(options.dataDir, "restoring");
    rmSync(incoming, { recursive: true, force: true });
    const copied = await backupStore(options.from, incoming, options.now);
    if (!copied.ok) return err({ kind: "no_backup" });
    const marked = await markStore({ kind: "sqlite", dataDir: incoming }, options);
    if (!marked.ok) return marked;
    if (present) for (const suffix of ["", "-wal", "-shm"]) moveIfThere(`${file}${suffix}`, `${aside}${suffix}`);
    renameSync(join(incoming, STORE_FILE), file);
    rmSync(incoming, { recursive: true, force: true });
    return ok({ ...marked.value, madeAt: found.value.madeAt, ...(present ? { movedTo: aside } : {}) });
  } finally {
    lock.value.release();
  }
}

/** Marks a store that other tools have put back (a PostgreSQL database), while no gateway runs on it. */
export async function markStore(
  where: StoreWhere,
  options: Pick<RestoreOptions, "grants" | "now">,
): Promise<Result<Marked, Extract<RestoreProblem, { kind: "store" }>>> {
  const store = await openStore(where);
  if (!store.ok) return err({ kind: "store", problem: store.reason });
  try {
    return ok(
      await store.value.as("system", () =>
        store.value.transaction((tx) => markRestored(tx, options.now, options.grants)),
      ),
    );
  } finally {
    await store.value.close();
  }
}

function readBackup(from: string): Result<Backup, RestoreProblem> {
  const file = join(from, STORE_FILE);
  if (!existsSync(file) || !existsSync(join(from, ABOUT_FILE))) return err({ kind: "no_backup" });
  const json = parseJson(readFileSync(join(from, ABOUT_FILE)));
  const read = json.ok ? about.safeParse(json.value) : undefined;
  if (!read?.success) return err({ kind: "damaged" });
  const { made_at: madeAt, bytes } = read.data;
  return statSync(file).size === bytes && isWhole(file) ? ok({ madeAt, bytes }) : err({ kind: "damaged" });
}

function isWhole(file: string): boolean {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare("pragma integrity_check").get();
    database.close();
    return row !== undefined && Object.values(row)[0] === "ok";
  } catch {
    return false;
  }
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
