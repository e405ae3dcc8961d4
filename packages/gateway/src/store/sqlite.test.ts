import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbedded } from "./fixture.ts";
import { takeStoreLock } from "./lock.ts";
import type { Store } from "./store.ts";

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "countersign-store-"));
  store = await openEmbedded(dir);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("STA-2 the embedded store", () => {
  it("runs in WAL mode with every commit synced", async () => {
    const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(store.db);
    const synchronous = await sql<{ synchronous: number }>`pragma synchronous`.execute(store.db);
    expect([mode.rows[0]?.journal_mode, synchronous.rows[0]?.synchronous]).toEqual(["wal", 2]);
  });
  it("a transaction holds the write lock from its first statement", async () => {
    await store.transaction(async () => {
      const other = new DatabaseSync(join(dir, "gateway.db"));
      other.exec("pragma busy_timeout = 0");
      expect(() => other.exec("begin immediate")).toThrow(/locked/);
      other.close();
    });
  });
  it("one owner at a time; the second is told who", () => {
    const first = takeStoreLock(dir, { pid: 1, url: "http://localhost:1" });
    const second = takeStoreLock(dir, { pid: 2, url: "http://localhost:2" });
    expect(first.ok).toBe(true);
    expect(second).toEqual({ ok: false, reason: { held: { pid: 1, url: "http://localhost:1" } } });
    if (first.ok) first.value.release();
    const third = takeStoreLock(dir, { pid: 3, url: "http://localhost:3" });
    expect(third.ok).toBe(true);
    if (third.ok) third.value.release();
  });
});
