import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGroupCommit, type GroupCommit, type GroupedConnection, GroupLost } from "./group-commit.ts";
import { openSqlite } from "./sqlite.ts";

let dir: string;
let db: DatabaseSync;
let other: DatabaseSync;
let commits: number;
let failCommit: boolean;
let group: GroupCommit;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "countersign-group-"));
  db = new DatabaseSync(join(dir, "x.db"));
  db.exec("pragma journal_mode = wal; create table t (id integer primary key autoincrement, v text not null unique)");
  other = new DatabaseSync(join(dir, "x.db"), { readOnly: true });
  commits = 0;
  failCommit = false;
  group = createGroupCommit(connectionTo(db), {
    transactions: 8,
    openMs: 1_000,
    nowMs: () => 0,
    afterArrivals: setImmediate,
  });
});
afterEach(() => {
  db.close();
  other.close();
  rmSync(dir, { recursive: true, force: true });
});

function connectionTo(database: DatabaseSync): GroupedConnection {
  return {
    begin: () => database.exec("begin immediate"),
    commit() {
      if (failCommit) throw new Error("disk full");
      commits++;
      database.exec("commit");
    },
    rollback: () => database.exec("rollback"),
    savepoint: () => database.exec("savepoint g"),
    release: () => database.exec("release g"),
    undo: () => database.exec("rollback to g; release g"),
    isOpen: () => database.isTransaction,
  };
}

async function transaction(value: string, work: () => Promise<void> = async () => {}): Promise<string> {
  const turn = await group.begin();
  try {
    db.prepare("insert into t (v) values (?)").run(value);
    await work();
  } catch (error) {
    group.drop(turn);
    throw error;
  }
  await group.keep(turn);
  return value;
}

const stored = (from: DatabaseSync): unknown[] =>
  from
    .prepare("select v from t order by id")
    .all()
    .map((row) => row["v"]);

describe("STA-2 transactions that share a commit", () => {
  it("one that comes alone commits at once", async () => {
    await transaction("a");
    expect(commits).toBe(1);
    expect(stored(other)).toEqual(["a"]);
  });

  it("those that wait share one commit, in the order of asking", async () => {
    const names = ["a", "b", "c", "d", "e"];
    expect(await Promise.all(names.map((name) => transaction(name)))).toEqual(names);
    expect(commits).toBe(1);
    expect(stored(other)).toEqual(names);
  });

  it("those that arrive in one turn of the event loop share one commit, though each runs to its end at once", async () => {
    const arrive = (name: string) =>
      new Promise((resolve) => setImmediate(() => resolve(transaction(name)))).then(() => name);
    await Promise.all(["a", "b", "c"].map(arrive));
    expect(commits).toBe(1);
    expect(stored(other)).toEqual(["a", "b", "c"]);
  });

  it("nobody is told, and nobody else sees, before the commit", async () => {
    const told: string[] = [];
    const seen: unknown[][] = [];
    const first = transaction("a").then(() => told.push("a"));
    const second = transaction("b", async () => {
      // The first has ended its turn by now; a timer's turn gives its promise every chance to resolve.
      await new Promise((resolve) => setImmediate(resolve));
      seen.push([...told], stored(other));
    });
    await Promise.all([first, second]);
    expect(seen).toEqual([[], []]);
    expect(commits).toBe(1);
  });

  it("one that fails is undone alone, wherever it stands", async () => {
    for (const bad of [0, 1, 2, 3]) {
      db.exec("delete from t");
      const results = await Promise.allSettled(
        [0, 1, 2, 3].map((n) =>
          transaction(`${bad}-${n}`, async () => {
            if (n === bad) throw new Error("no");
          }),
        ),
      );
      expect(results.map((result) => result.status === "rejected")).toEqual([0, 1, 2, 3].map((n) => n === bad));
      expect(stored(other)).toEqual([0, 1, 2, 3].filter((n) => n !== bad).map((n) => `${bad}-${n}`));
    }
  });

  it("any mixture keeps exactly what succeeded, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ fails: fc.boolean(), pauses: fc.nat({ max: 3 }) }), { maxLength: 30 }),
        async (plan) => {
          db.exec("delete from t");
          const results = await Promise.allSettled(
            plan.map(({ fails, pauses }, n) =>
              transaction(`${n}`, async () => {
                for (let i = 0; i < pauses; i++) await Promise.resolve();
                if (fails) throw new Error("no");
              }),
            ),
          );
          const kept = plan.flatMap(({ fails }, n) => (fails ? [] : [`${n}`]));
          expect(results.flatMap((r) => (r.status === "fulfilled" ? [r.value] : []))).toEqual(kept);
          expect(stored(other)).toEqual(kept);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("a failed commit fails all of them, stores nothing, and the next one works", async () => {
    failCommit = true;
    const results = await Promise.allSettled([transaction("a"), transaction("b"), transaction("c")]);
    expect(results.map((r) => r.status === "rejected" && r.reason instanceof GroupLost)).toEqual([true, true, true]);
    expect(stored(db)).toEqual([]);
    failCommit = false;
    await transaction("d");
    expect(stored(other)).toEqual(["d"]);
  });

  it("when the database ends the transaction by itself, all of the group are told that theirs is lost", async () => {
    const results = await Promise.allSettled([
      transaction("a"),
      transaction("b", async () => db.exec("rollback")),
      transaction("c"),
    ]);
    expect(results.map((r) => r.status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(stored(other)).toEqual(["c"]);
  });

  it("a group closes when it is full, so that the first does not wait for those that keep coming", async () => {
    let arrivals = 0;
    let firstAfter = 0;
    const keepComing = async (): Promise<void> => {
      while (arrivals < 100) await transaction(`k${arrivals++}`);
    };
    const first = transaction("first").then(() => {
      firstAfter = arrivals;
    });
    await Promise.all([first, ...Array.from({ length: 20 }, keepComing)]);
    expect(firstAfter).toBeLessThanOrEqual(20);
    expect(commits).toBeGreaterThan(100 / 9);
  });

  it("a group closes when it has been open too long", async () => {
    let now = 0;
    group = createGroupCommit(connectionTo(db), {
      transactions: 8,
      openMs: 10,
      nowMs: () => now,
      afterArrivals: setImmediate,
    });
    await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        transaction(name, async () => {
          now += 6;
        }),
      ),
    );
    expect(commits).toBe(2);
  });

  it("a process killed between a transaction's turn and the commit loses it, and had told nobody", () => {
    const script = `
      import { Kysely } from "kysely";
      import { openSqlite } from ${JSON.stringify(join(import.meta.dirname, "sqlite.ts"))};
      const db = new Kysely({ dialect: openSqlite(${JSON.stringify(join(dir, "x.db"))}).dialect });
      const put = (v) => (tx) => tx.insertInto("t").values({ v }).execute();
      const told = (v) => () => process.stdout.write(v);
      await db.transaction().execute(put("before"));
      void db.transaction().execute(put("first")).then(told("first"));
      void db.transaction().execute(async (tx) => {
        await put("second")(tx);
        await new Promise((resolve) => setTimeout(resolve, 20));
        process.kill(process.pid, "SIGKILL");
      }).then(told("second"));
    `;
    // Beside the sources, so that the child finds the packages that they import.
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      cwd: import.meta.dirname,
    });
    expect([child.signal, child.stdout]).toEqual(["SIGKILL", ""]);
    expect(stored(db)).toEqual(["before"]);
  });
});

interface Tables {
  t: { v: string };
}

describe("STA-2 the embedded store shares commits", () => {
  let kysely: Kysely<Tables>;
  beforeEach(() => {
    kysely = new Kysely<Tables>({ dialect: openSqlite(join(dir, "x.db")).dialect });
  });
  afterEach(() => kysely.destroy());

  it("reading outside a transaction neither waits for one nor sees what is not durable", async () => {
    const values = () => kysely.selectFrom("t").select("v").execute();
    await kysely.transaction().execute(async (tx) => {
      await tx.insertInto("t").values({ v: "a" }).execute();
      expect(await values()).toEqual([]);
      expect(await tx.selectFrom("t").select("v").execute()).toEqual([{ v: "a" }]);
    });
    expect(await values()).toEqual([{ v: "a" }]);
  });

  it("a write outside a transaction waits its turn and is durable when it answers", async () => {
    const long = kysely.transaction().execute(async (tx) => {
      await tx.insertInto("t").values({ v: "a" }).execute();
      await new Promise((resolve) => setImmediate(resolve));
    });
    await kysely.updateTable("t").set({ v: "b" }).where("v", "=", "a").execute();
    expect(stored(other)).toEqual(["b"]);
    await long;
  });

  it("a write that is refused outside a transaction leaves the next one free", async () => {
    const put = () => kysely.insertInto("t").values({ v: "a" }).execute();
    const results = await Promise.allSettled([put(), put(), kysely.insertInto("t").values({ v: "b" }).execute()]);
    expect(results.map((r) => r.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(stored(other)).toEqual(["a", "b"]);
  });

  it("closing in the middle of a transaction loses it, and it is told so", async () => {
    const torn = kysely.transaction().execute(async (tx) => {
      await tx.insertInto("t").values({ v: "a" }).execute();
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const told = expect(torn).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    await kysely.destroy();
    await told;
    expect(stored(other)).toEqual([]);
  });

  it("closing stores what waits only for company", async () => {
    const done = kysely.transaction().execute((tx) => tx.insertInto("t").values({ v: "a" }).execute());
    for (let i = 0; i < 50; i++) await Promise.resolve();
    expect(stored(other)).toEqual([]);
    await kysely.destroy();
    await done;
    expect(stored(other)).toEqual(["a"]);
  });

  it("a transaction whose commit is refused is told so, once", async () => {
    const refused = kysely.transaction().execute(async (tx) => {
      await tx.insertInto("t").values({ v: "a" }).execute();
      await sql`rollback`.execute(tx);
    });
    await expect(refused).rejects.toThrow(GroupLost);
    await kysely.insertInto("t").values({ v: "b" }).execute();
    expect(stored(other)).toEqual(["b"]);
  });
});
