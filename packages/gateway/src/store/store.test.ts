import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbedded } from "./fixture.ts";
import { takeStoreLock } from "./lock.ts";
import { isUniqueViolation, type Store } from "./store.ts";

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
  it("a failed transaction leaves nothing", async () => {
    const work = store.transaction(async (tx) => {
      await tx.insertInto("setting").values({ name: "a", value: "1" }).execute();
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(await store.db.selectFrom("setting").selectAll().execute()).toEqual([]);
  });
  it("whole numbers stay whole, and what is no plain value is refused before it shifts the others", async () => {
    await store.db
      .insertInto("tenant")
      .values({ tenant_id: "t", name: "n", created_at: 2 ** 52 })
      .execute();
    expect(await store.db.selectFrom("tenant").select("created_at").executeTakeFirst()).toEqual({
      created_at: 2 ** 52,
    });
    const wrong = new Date() as unknown as number;
    await expect(store.db.updateTable("tenant").set({ created_at: wrong }).execute()).rejects.toThrow();
    await expect(store.db.updateTable("tenant").set({ created_at: 1.5 }).execute()).rejects.toThrow();
  });
  it("tells a second claim from other failures", async () => {
    const insert = () => store.db.insertInto("setting").values({ name: "a", value: "1" }).execute();
    await insert();
    const error: unknown = await insert().catch((e: unknown) => e);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(new Error("other"))).toBe(false);
  });
  it("opens again on what is there", async () => {
    await store.db.insertInto("setting").values({ name: "a", value: "1" }).execute();
    await store.close();
    store = await openEmbedded(dir);
    expect(await store.db.selectFrom("setting").selectAll().execute()).toEqual([{ name: "a", value: "1" }]);
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
