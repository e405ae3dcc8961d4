import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../../../tools/postgres/test-database.ts";
import { at, opened } from "../fixture.ts";
import type { Schema } from "../schema.ts";
import type { Store } from "../store.ts";
import { TENANCY } from "../tenancy.ts";
import { codeOf } from "./errors.ts";

const NO_RIGHT = "42501";
const NO_PARENT = "23503";
const TENANTS = ["ten_a", "ten_b"] as const;

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await freshDatabase();
  store = await opened(at(database));
  await store.as("system", async () => {
    for (const tenant of TENANTS) await fill(store, tenant);
  });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const tables = Object.keys(TENANCY) as (keyof Schema)[];
const walled = tables.filter((table) => TENANCY[table].by !== "shared");
const count = async (table: keyof Schema): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(store.db);
  return rows[0]?.n ?? 0;
};

describe("U40 the database keeps tenants apart", () => {
  it("every table of the schema has its line, and the policy that the line asks for, also for the owner", async () => {
    const rows = await database.query(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled, count(p.polname)::int as policies
       from pg_class c left join pg_policy p on p.polrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
       group by c.oid order by 1`,
    );
    const found = rows.map((row) => [row["name"], row["walled"] === true && row["policies"] === 1]);
    const wanted = tables.map((table) => [table, TENANCY[table].by !== "shared"]).sort();
    expect(found).toEqual(wanted.sort());
  });

  it.each(walled)("%s: outside every scope there is nothing", async (table) => {
    expect(await count(table)).toBe(0);
  });

  it.each(walled)("%s: the system sees everybody's, a tenant its own", async (table) => {
    const all = await store.as("system", () => count(table));
    const a = await store.as({ tenantId: "ten_a" }, () => count(table));
    const b = await store.as({ tenantId: "ten_b" }, () => count(table));
    expect([a > 0, a === b, all]).toEqual([true, true, a + b]);
    expect(await store.as({ tenantId: "ten_c" }, () => count(table))).toBe(0);
    expect(await store.as({ tenantId: "" }, () => count(table))).toBe(0);
  });

  it("a query that asks for another tenant's row finds none, and changes none", async () => {
    await store.as({ tenantId: "ten_a" }, async () => {
      expect(await store.db.selectFrom("task").selectAll().where("task_id", "=", "task_ten_b").execute()).toEqual([]);
      const changed = await store.db
        .updateTable("consent")
        .set({ state: "revoked" })
        .where("consent_ref", "=", "con_ten_b")
        .executeTakeFirst();
      expect(changed.numUpdatedRows).toBe(0n);
    });
  });

  it("nobody writes another tenant's row: by its own column, by its parent, or by moving one", async () => {
    const code = (work: Promise<unknown>) => work.then(() => "written", codeOf);
    await store.as({ tenantId: "ten_a" }, async () => {
      const other = { tenant_id: "ten_b", person_id: "per_ten_b" };
      const now = { created_at: 1 };
      const account = { account_ref: "x", ...other, destination: "d", name: "n", ...now };
      expect(await code(store.db.insertInto("account").values(account).execute())).toBe(NO_RIGHT);
      const event = { task_id: "task_ten_b", seq: 99, at: 1, state: "received" as const };
      expect(await code(store.db.insertInto("task_event").values(event).execute())).toBe(NO_RIGHT);
      const moved = store.db.updateTable("vault").set({ tenant_id: "ten_b" }).execute();
      expect(await code(moved)).toBe(NO_RIGHT);
    });
    const nobody = { ref: "vlt_x", tenant_id: "ten_a", sealed: new Uint8Array(1), created_at: 1 };
    expect(await code(store.db.insertInto("vault").values(nobody).execute())).toBe(NO_RIGHT);
  });

  it("what belongs to nobody is read by all, and written by the gateway alone", async () => {
    const leaf = { kind: "keys", record_id: "keys_1", account_ref: "", task_id: "", payload: "{}", created_at: 1 };
    const write = () =>
      store.db
        .insertInto("leaf")
        .values({ ...leaf, tenant_id: "" } as never)
        .execute();
    expect(await store.as({ tenantId: "ten_a" }, () => write().then(() => "written", codeOf))).toBe(NO_RIGHT);
    await store.as("system", write);
    const seen = () => store.db.selectFrom("leaf").selectAll().where("record_id", "=", "keys_1").execute();
    expect(await store.as({ tenantId: "ten_b" }, seen)).toHaveLength(1);
    expect(await seen()).toHaveLength(0);
  });

  it("a connection never keeps the scope of its last user", async () => {
    const look = (tenantId: string) =>
      store.as({ tenantId }, () => store.db.selectFrom("person").select("tenant_id").execute());
    const turns = Array.from({ length: 60 }, (_, i) => TENANTS[i % 2] ?? "ten_a");
    const seen = await Promise.all(turns.map(look));
    expect(seen).toEqual(turns.map((tenant_id) => [{ tenant_id }]));
    const inside = await store.as({ tenantId: "ten_a" }, () =>
      store.transaction((tx) => tx.selectFrom("person").select("tenant_id").execute()),
    );
    expect(inside).toEqual([{ tenant_id: "ten_a" }]);
    expect(await store.db.selectFrom("person").select("tenant_id").execute()).toEqual([]);
  });
});

/** One row of every table that belongs to a tenant, made from the catalogue: a new table needs no line here. */
async function fill(into: Store, tenant: string): Promise<void> {
  let waiting = walled;
  while (waiting.length > 0) {
    const left: (keyof Schema)[] = [];
    for (const table of waiting) {
      const done = await insertRow(into, table, tenant).then(() => "done", codeOf);
      if (done === NO_PARENT) left.push(table);
      else expect([table, done]).toEqual([table, "done"]);
    }
    expect(left.length).toBeLessThan(waiting.length);
    waiting = left;
  }
}

async function insertRow(into: Store, table: keyof Schema, tenant: string): Promise<void> {
  const columns = await database.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
    [table],
  );
  const names = sql.join(columns.map((c) => sql.ref(String(c["name"]))));
  const values = columns.map((c) => value(table, String(c["name"]), String(c["type"]), tenant));
  await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(values)})`.execute(into.db);
}

/** Values that a check or a reference asks for; all others are made from tenant and column. */
const KNOWN: Readonly<Record<string, string>> = {
  "agent.state": "accepted",
  "consent.state": "requested",
  "connection.state": "connected",
  "approval.decision": "approved",
  "verification.mode": "form",
  "approval_policy.policy": "session",
  "grant_use.state": "reserved",
  "notice_delivery.state": "waiting",
  "notice_delivery.urgency": "security",
  "contact.state": "replaced",
  "task_webhook.state": "active",
  "task_webhook_delivery.state": "waiting",
};
const IDS: Readonly<Record<string, string>> = {
  tenant_id: "",
  person_id: "per_",
  client_id: "agt_",
  account_ref: "acc_",
  consent_ref: "con_",
  task_id: "task_",
  action_id: "act_",
  approval_ref: "apr_",
  continuation_ref: "cont_",
  notice_id: "note_",
  webhook_id: "hook_",
};

function value(table: string, column: string, type: string, tenant: string): unknown {
  const known = KNOWN[`${table}.${column}`];
  if (known !== undefined) return known;
  const prefix = IDS[column];
  if (prefix !== undefined) return `${prefix}${tenant}`;
  if (type === "bigint") return 1;
  if (type === "bytea") return new Uint8Array(1);
  return `${table}.${column}.${tenant}`;
}
