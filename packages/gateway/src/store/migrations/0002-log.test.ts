import { Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import { seedGrant } from "../../consent/fixture.ts";
import type { Schema } from "../schema.ts";
import { openSqlite } from "../sqlite.ts";
import { trunk } from "./0001-trunk.ts";
import { log } from "./0002-log.ts";
import { migration, SQLITE_TYPES } from "./define.ts";

it("REC-4 what was signed before there was a log waits for its place: key sets, approvals, then receipts", async () => {
  const db = new Kysely<Schema>({ dialect: openSqlite(":memory:").dialect });
  await migration(SQLITE_TYPES, trunk).up(db);
  await seedGrant({ db }, "cons_1", {});
  await sql`insert into task (task_id, tenant_id, person_id, client_id, account_ref, consent_ref, profile, operation,
    request_id, request, request_digest, record_digest, request_expires_at, state, version, submitted, fence, tries,
    created_at, updated_at)
    values ('task_1', 'ten_1', 'usr_1', 'agent_1', 'acct_1', 'cons_1', 'p', 'o', 'r', '{}', 'd', 'd', 9, 'succeeded',
    1, 1, 1, 0, 1, 7)`.execute(db);
  for (const id of ["1", "2"]) {
    await sql`insert into action (action_id, task_id, digest, record, disclosures, status, created_at, expires_at)
      values (${id}, 'task_1', 'd', '{}', x'00', 'superseded', 1, 9)`.execute(db);
    await sql`insert into approval (approval_ref, action_id, task_id, decision, decided_at, session_hash, jws)
      values (${`apr_${id}`}, ${id}, 'task_1', 'approved', ${id}, 's', ${`jws_${id}`})`.execute(db);
    await sql`insert into leaf (tenant_id, kind, record_id, account_ref, task_id, payload, created_at, account_seq, jws)
      values ('ten_1', 'receipt', ${`rcp_${id}`}, 'acct_1', 'task_1', '{}', 5, ${id}, 'jws_r')`.execute(db);
  }
  await sql`insert into key_set (version, jws, issued_at) values (1, 'jws_k', 1)`.execute(db);
  await migration(SQLITE_TYPES, log).up(db);
  const rows = await db.selectFrom("leaf").selectAll().where("log_index", "is", null).orderBy("leaf_id").execute();
  expect(rows.map((row) => [row.kind, row.record_id, row.tenant_id, row.account_seq, row.jws])).toEqual([
    ["keys", "keys_1", "", null, "jws_k"],
    ["approval", "apr_1", "ten_1", null, "jws_1"],
    ["approval", "apr_2", "ten_1", null, "jws_2"],
    ["receipt", "rcp_1", "ten_1", 1, "jws_r"],
    ["receipt", "rcp_2", "ten_1", 2, "jws_r"],
  ]);
  await db.destroy();
});
