import { instant } from "@countersign/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "../../../../tools/postgres/test-database.ts";
import type { Core } from "../core.ts";
import { LEASE_MS } from "../limits.ts";
import { at, opened } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import { claim, extendLease, takeOver } from "./worker.ts";

// Claims of several processes at once: each of these stores stands for one.
const PROCESSES = 4;
const ACCOUNTS = 3;
const NOW = instant(Date.UTC(2031, 0, 1));

let database: TestDatabase;
const stores: Store[] = [];
beforeAll(async () => {
  database = await freshDatabase("migrated");
  for (let i = 0; i < PROCESSES; i += 1) stores.push(await opened(at(database)));
  await seed();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

const coreOf = (store: Store, now = NOW): Core => ({ store, now: () => now }) as unknown as Core;
const claimOnce = (store: Store, owner: string, now = NOW) =>
  store.as("system", () => claim(coreOf(store, now), owner, now));
const all = () =>
  Promise.all(stores.flatMap((store, i) => [claimOnce(store, `p${i}`), claimOnce(store, `p${i}`)])).then((rows) =>
    rows.flatMap((row) => (row === undefined ? [] : [row])),
  );

it("of many claims at once, by several processes, one an account succeeds, and each task has one owner", async () => {
  for (let round = 0; round < 10; round += 1) {
    await database.query("update task set lease_owner = null, lease_until = null");
    const taken = await all();
    expect(new Set(taken.map((t) => t.account_ref)).size).toBe(taken.length);
    expect(taken.length).toBeGreaterThanOrEqual(1);
    const leased = await database.query(
      "select count(*)::int as n from task where lease_until > $1 group by account_ref",
      [NOW],
    );
    expect(leased.every((row) => row["n"] === 1)).toBe(true);
  }
  // What was passed over in a crowd is found by the next who looks.
  await all();
  expect(await database.query("select 1 from task where lease_until > $1", [NOW])).toHaveLength(ACCOUNTS);
});

it("a start leaves the leases of others alone; once one has run out, its owner is fenced off", async () => {
  const [one, other] = stores;
  if (one === undefined || other === undefined) throw new Error("there are several");
  await database.query("update task set lease_owner = null, lease_until = null");
  const mine = await claimOnce(one, "one");
  if (mine === undefined) throw new Error("a task is due");
  await other.as("system", () => takeOver(coreOf(other)));
  const lease = () => database.query("select lease_owner, fence from task where task_id = $1", [mine.task_id]);
  expect(await lease()).toEqual([{ lease_owner: "one", fence: String(mine.fence) }]);

  const later = instant(NOW + LEASE_MS + 1);
  // The longest-due comes first: it is the same task again.
  const theirs = await claimOnce(other, "other", later);
  expect(theirs).toMatchObject({ task_id: mine.task_id, fence: mine.fence + 1 });
  await one.as("system", () => extendLease(coreOf(one, later), mine, "one"));
  expect(await lease()).toEqual([{ lease_owner: "other", fence: String(mine.fence + 1) }]);
});

async function seed(): Promise<void> {
  await database.query("insert into tenant values ('t', 'T', 1)");
  await database.query("insert into person values ('p', 't', 'P', 'holder', 1)");
  await database.query(
    "insert into agent (client_id, tenant_id, person_id, name, state, created_at) values ('a', 't', 'p', 'A', 'accepted', 1)",
  );
  for (let account = 0; account < ACCOUNTS; account += 1) {
    await database.query(
      "insert into account (account_ref, tenant_id, person_id, destination, name, created_at) values ($1, 't', 'p', 'd', 'n', 1)",
      [`acct${account}`],
    );
    await database.query(
      `insert into consent (consent_ref, tenant_id, person_id, client_id, destination, account_ref, state, asked, purpose, requested_at)
       values ($1, 't', 'p', 'a', 'd', $2, 'requested', '{}', '', 1)`,
      [`con${account}`, `acct${account}`],
    );
    for (let task = 0; task < 5; task += 1) {
      await database.query(
        `insert into task (task_id, tenant_id, person_id, client_id, account_ref, consent_ref, profile, operation, request_id,
           request, request_digest, record_digest, request_expires_at, state, version, submitted, due_at, fence, tries, created_at, updated_at)
         values ($1, 't', 'p', 'a', $2, $3, '', '', '', '{}', '', '', 1, 'received', 1, 0, $4, 0, 0, 1, 1)`,
        [`task${account}.${task}`, `acct${account}`, `con${account}`, task * ACCOUNTS + account + 1],
      );
    }
  }
}
