import { secret } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshDatabase, superuser, type TestDatabase } from "../../../../../tools/postgres/test-database.ts";
import { at, opened } from "../fixture.ts";
import { POSTGRES_TYPES } from "../migrations/define.ts";
import { migrations } from "../migrations/migrations.ts";
import { openStore, type Store } from "../store.ts";

let database: TestDatabase;
const open: Store[] = [];
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
  await database.drop();
});
const refusal = (url: string) => openStore({ kind: "postgres", url: secret(url) });

describe("a PostgreSQL that the store cannot stand on is refused", () => {
  it.each(["", "mysql://u@h/d", "postgres://u:p@h:port/d", "/var/run/sock"])("%j is no URL of one", async (url) => {
    expect(await refusal(url)).toEqual({ ok: false, reason: "bad_url" });
  });
  it("nobody answers there", async () => {
    expect(await refusal("postgres://u:p@127.0.0.1:1/d")).toEqual({ ok: false, reason: "unreachable" });
  });
  it("no such role; no such database", async () => {
    expect(await refusal(database.urlFor("nobody_here"))).toEqual({ ok: false, reason: "login_refused" });
    const elsewhere = database.url.replace(/@\/\w+\?/, "@/not_there?");
    expect(await refusal(elsewhere)).toEqual({ ok: false, reason: "no_database" });
  });
  it("a superuser, and a role that passes every policy", async () => {
    expect(await refusal(database.urlFor(superuser))).toEqual({ ok: false, reason: "role_bypasses_rls" });
    const role = `r${database.name}`;
    await database.query(`create role ${role} login bypassrls`);
    expect(await refusal(database.urlFor(role))).toEqual({ ok: false, reason: "role_bypasses_rls" });
    await database.query(`drop role ${role}`);
  });
  it("a role that may make no tables", async () => {
    const role = `r${database.name}`;
    await database.query(`create role ${role} login`);
    expect(await refusal(database.urlFor(role))).toEqual({ ok: false, reason: "role_cannot_create" });
    await database.query(`drop role ${role}`);
  });
  it("STA-2 commits that a crash could lose", async () => {
    await database.query(`alter database ${database.name} set synchronous_commit = off`);
    expect(await refusal(database.url)).toEqual({ ok: false, reason: "unsafe_commit" });
  });
});

it("two processes that start at once bring it up to date once", async () => {
  const both = await Promise.all([opened(at(database)), opened(at(database)), opened(at(database))]);
  open.push(...both);
  const names = (await database.query("select name from kysely_migration order by name")).map((row) => row["name"]);
  expect(names).toEqual(Object.keys(await migrations(POSTGRES_TYPES).getMigrations()).sort());
});

it("what the first start makes is made by one at a time", async () => {
  open.push(await opened(at(database)), await opened(at(database)));
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all(open.flatMap((store) => [store.alone(work), store.alone(work)]));
  expect(most).toBe(1);
  // It was let go although the work failed.
  const [one, other] = open;
  await expect(one?.alone(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await other?.alone(work);
});

it("a hint reaches the other processes, not its sender; a cut listener listens again", async () => {
  const [one, other] = [await opened(at(database)), await opened(at(database))];
  open.push(one, other);
  const heard = { one: 0, other: 0 };
  const wake: { other?: () => void } = {};
  const next = () =>
    new Promise<void>((resolve) => {
      wake.other = resolve;
    });
  let listening = next();
  one.onHint(() => {
    heard.one += 1;
  });
  other.onHint(() => {
    heard.other += 1;
    wake.other?.();
  });
  // Each is told to look once when it begins to listen.
  await listening;
  const before = heard.one;
  listening = next();
  one.hint();
  await listening;
  expect(heard.one - before).toBeLessThanOrEqual(1);
  listening = next();
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
  );
  await listening;
  listening = next();
  one.hint();
  await listening;
  expect(heard.other).toBeGreaterThanOrEqual(4);
});

it("an error of the work is not tried again; a serialisation failure is, from the start", async () => {
  const store = await opened(at(database));
  open.push(store);
  let runs = 0;
  await expect(
    store.transaction(async () => {
      runs += 1;
      throw new Error("ours");
    }),
  ).rejects.toThrow("ours");
  expect(runs).toBe(1);
  runs = 0;
  await store.db.insertInto("setting").values({ name: "n", value: "0" }).execute();
  await store.transaction(async (tx) => {
    runs += 1;
    await tx.selectFrom("setting").selectAll().where("name", "=", "n").execute();
    if (runs === 1) await store.db.updateTable("setting").set({ value: "other" }).where("name", "=", "n").execute();
    await tx.updateTable("setting").set({ value: "mine" }).where("name", "=", "n").execute();
  });
  expect(runs).toBe(2);
});
