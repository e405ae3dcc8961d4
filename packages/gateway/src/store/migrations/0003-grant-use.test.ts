import { Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import { seedGrant } from "../../consent/fixture.ts";
import type { Schema } from "../schema.ts";
import { openSqlite } from "../sqlite.ts";
import { trunk } from "./0001-trunk.ts";
import { grantUse } from "./0003-grant-use.ts";
import { migration, SQLITE_TYPES } from "./define.ts";

it("CON-3 submissions from before grants had limits of a period count as uses, each by what became of it", async () => {
  const db = new Kysely<Schema>({ dialect: openSqlite(":memory:").dialect });
  await migration(SQLITE_TYPES, trunk).up(db);
  await seedGrant({ db }, "cons_1", {});
  for (const [id, state] of [
    ["task_done", "succeeded"],
    ["task_not", "failed"],
    ["task_lost", "outcome_unknown"],
  ] as const) {
    await sql`insert into task (task_id, tenant_id, person_id, client_id, account_ref, consent_ref, profile, operation,
      request_id, request, request_digest, record_digest, request_expires_at, state, version, submitted, fence, tries,
      created_at, updated_at)
      values (${id}, 'ten_1', 'usr_1', 'agent_1', 'acct_1', 'cons_1', 'p', 'retail.order.submit', ${id}, '{}', 'd', 'd', 9,
      ${state}, 1, 1, 1, 0, 1, 7)`.execute(db);
    await sql`insert into action (action_id, task_id, digest, record, disclosures, status, created_at, expires_at)
      values (${id}, ${id}, 'd', '{}', x'00', 'approved', 1, 9)`.execute(db);
    await sql`insert into submission (task_id, submission_id, action_id, attempt, fence, fingerprint, observed, submitted_at)
      values (${id}, ${id}, ${id}, 1, 1, x'00', x'00', 5)`.execute(db);
  }
  await migration(SQLITE_TYPES, grantUse).up(db);
  const rows = await db.selectFrom("grant_use").selectAll().orderBy("task_id").execute();
  expect(rows.map((r) => [r.task_id, r.state, r.at, r.settled_at, r.amount_minor])).toEqual([
    ["task_done", "spent", 5, 7, null],
    ["task_lost", "reserved", 5, null, null],
    ["task_not", "released", 5, 7, null],
  ]);
  await db.destroy();
});
