import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { opened, PLACES, type Place } from "./fixture.ts";
import { isUniqueViolation, openStore, type Store } from "./store.ts";

describe.each(["sqlite", "postgres"] as const)("the store on %s", (kind) => {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await PLACES[kind]();
    store = await opened(place.where);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });
  const setting = (name: string, value: string) => store.db.insertInto("setting").values({ name, value }).execute();
  const settings = () =>
    store.db.selectFrom("setting").selectAll().where("name", "like", "t.%").orderBy("name").execute();

  it("says what it is", () => expect(store.kind).toBe(kind));

  it("a failed transaction leaves nothing", async () => {
    const work = store.transaction(async (tx) => {
      await tx.insertInto("setting").values({ name: "t.a", value: "1" }).execute();
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(await settings()).toEqual([]);
  });

  it("whole numbers stay whole, bytes stay bytes, and what is no plain value is refused", async () => {
    await store.as("system", async () => {
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
      await expect(
        store.db
          .updateTable("tenant")
          .set({ created_at: 2 ** 53 })
          .execute(),
      ).rejects.toThrow();
      const sealed = Uint8Array.from({ length: 256 }, (_, i) => i);
      await store.db.insertInto("vault").values({ ref: "v", tenant_id: "t", sealed, created_at: 1 }).execute();
      const row = await store.db.selectFrom("vault").select("sealed").executeTakeFirstOrThrow();
      expect(row.sealed).toStrictEqual(sealed);
    });
  });

  it("a number beyond 2^53 is never read as another one", async () => {
    await store.as("system", async () => {
      await sql`insert into tenant (tenant_id, name, created_at) values ('t', 'n', 9007199254740993)`.execute(store.db);
      await expect(store.db.selectFrom("tenant").selectAll().execute()).rejects.toThrow();
    });
  });

  it("counts, sums and extremes are numbers", async () => {
    await store.as("system", async () => {
      for (const n of [1, 2, 4])
        await store.db
          .insertInto("tenant")
          .values({ tenant_id: `t${n}`, name: "n", created_at: n })
          .execute();
      const row = await store.db
        .selectFrom("tenant")
        .select(({ fn }) => [
          fn.countAll<number>().as("n"),
          fn.sum<number>("created_at").as("sum"),
          fn.max("created_at").as("max"),
        ])
        .executeTakeFirst();
      expect(row).toEqual({ n: 3, sum: 7, max: 4 });
    });
  });

  it("tells a second claim from other failures", async () => {
    await setting("t.a", "1");
    const error: unknown = await setting("t.a", "1").catch((e: unknown) => e);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(new Error("other"))).toBe(false);
  });

  it("opens again on what is there", async () => {
    await setting("t.a", "1");
    await store.close();
    store = await opened(place.where);
    expect(await settings()).toEqual([{ name: "t.a", value: "1" }]);
  });

  it("transactions are as if one after another: ten that read and write the same row all count", async () => {
    await setting("t.n", "0");
    await Promise.all(
      Array.from({ length: 10 }, () =>
        store.transaction(async (tx) => {
          const row = await tx
            .selectFrom("setting")
            .select("value")
            .where("name", "=", "t.n")
            .executeTakeFirstOrThrow();
          await tx
            .updateTable("setting")
            .set({ value: String(Number(row.value) + 1) })
            .where("name", "=", "t.n")
            .execute();
        }),
      ),
    );
    expect(await settings()).toEqual([{ name: "t.n", value: "10" }]);
  });

  it("of two that each look whether the other was there, only one finds the place free", async () => {
    const claim = (name: string) =>
      store.transaction(async (tx) => {
        const rows = await tx.selectFrom("setting").select("name").where("name", "like", "t.claim%").execute();
        if (rows.length > 0) return false;
        await tx.insertInto("setting").values({ name, value: "" }).execute();
        return true;
      });
    const won = await Promise.all(["t.claim1", "t.claim2", "t.claim3"].map(claim));
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it("what a newer build has written is refused, and left as it is", async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999_later', '2099-01-01T00:00:00.000Z')`.execute(
      store.db,
    );
    await store.close();
    expect(await openStore(place.where)).toEqual({ ok: false, reason: "newer_schema" });
  });

  it("every scope's work sees what it may on either store", async () => {
    await store.as("system", async () => {
      await store.db.insertInto("tenant").values({ tenant_id: "a", name: "A", created_at: 1 }).execute();
    });
    const seen = await store.as({ tenantId: "a" }, () => store.db.selectFrom("tenant").select("name").execute());
    expect(seen).toEqual([{ name: "A" }]);
  });
});
