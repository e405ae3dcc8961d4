import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Copies of one finished task in the embedded store, with its event and its receipt: what a busy year leaves behind. */
export function fillSqlite(directory: string, count: number): void {
  const db = new DatabaseSync(join(directory, "gateway.db"));
  db.exec("pragma synchronous = off; pragma foreign_keys = off; begin");
  copy(db, "task", count, { task_id: "'task_' || n" }, "state = 'succeeded'");
  copy(db, "task_event", count, { event_id: "null", task_id: "'task_' || n", seq: "1" }, "state = 'succeeded'");
  const ofLeaf = {
    leaf_id: "null",
    record_id: "'rcp_' || n",
    task_id: "'task_' || n",
    account_seq: "1000000 + n",
    log_index: "1000000 + n",
    digest: "null",
  };
  copy(db, "leaf", count, ofLeaf, "kind = 'receipt'");
  db.exec("commit; analyze; pragma wal_checkpoint(truncate)");
  db.close();
}

/** Copies of one task that waits for a person, with its event and its record. */
export function fillWaiting(directory: string, count: number): void {
  const db = new DatabaseSync(join(directory, "gateway.db"));
  db.exec("pragma busy_timeout = 5000; pragma foreign_keys = off; begin immediate");
  const waiting = "state = 'approval_required'";
  copy(db, "task", count, { task_id: "'task_' || n", action_id: "'act_' || n" }, waiting);
  copy(db, "task_event", count, { event_id: "null", task_id: "'task_' || n", seq: "1" }, waiting);
  copy(db, "action", count, { action_id: "'act_' || n", task_id: "'task_' || n" }, "status = 'pending'");
  db.exec("commit");
  db.close();
}

function copy(
  db: DatabaseSync,
  table: string,
  count: number,
  other: Readonly<Record<string, string>>,
  which: string,
): void {
  const columns = db
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row["name"]));
  const values = columns.map((column) => other[column] ?? `one.${column}`);
  db.exec(
    `insert into ${table} (${columns.join(", ")})
     with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count}),
       one as (select * from ${table} where ${which} limit 1)
     select ${values.join(", ")} from number, one`,
  );
}
