import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../../../tools/postgres/test-database.ts";
import { at, opened } from "../fixture.ts";
import type { Store } from "../store.ts";
import { createStatements } from "./statements.ts";

describe("names of prepared statements", () => {
  it("one text has one name; what has no values has none", () => {
    const statements = createStatements();
    const first = statements.query("select $1", [1]);
    expect(statements.query("select $1", [2])).toEqual({ ...first, values: [2] });
    expect(statements.query("select $1, 2", [1]).name).not.toBe(first.name);
    expect(statements.query("begin", [])).toEqual({ text: "begin" });
    statements.forget();
    expect(statements.query("select $1", [1]).name).not.toBe(first.name);
  });
  it("there is an end to how many a server is asked to keep", () => {
    const statements = createStatements();
    const names = Array.from({ length: 400 }, (_, n) => statements.query(`select $1 + ${n}`, [1]).name);
    expect(names[0]).toBeDefined();
    expect(names.at(-1)).toBeUndefined();
  });
});

describe("a column that a newer process adds", () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await freshDatabase();
    store = await opened(at(database));
    await store.db.insertInto("setting").values({ name: "a", value: "1" }).execute();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  const read = (db: Store["db"]) => db.selectFrom("setting").selectAll().where("name", "=", "a").executeTakeFirst();

  it("is no trouble for whoever prepared `select *` before it", async () => {
    for (let i = 0; i < 10; i++) await read(store.db);
    await database.query("alter table setting add column later text");
    expect(await read(store.db)).toMatchObject({ name: "a", value: "1" });
  });
  it("nor inside a transaction, which is run again", async () => {
    for (let i = 0; i < 10; i++) await store.transaction((tx) => read(tx));
    await database.query("alter table setting add column later_still text");
    let runs = 0;
    const row = await store.transaction(async (tx) => {
      runs++;
      await tx.updateTable("setting").set({ value: "2" }).where("name", "=", "a").execute();
      return read(tx);
    });
    expect([row?.value, runs]).toEqual(["2", 2]);
  });
});
