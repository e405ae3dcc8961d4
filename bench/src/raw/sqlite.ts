import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const ROW = "x".repeat(200);

/** Durable commits a second that SQLite can do here: one row a transaction, WAL, synchronous=FULL. */
export function rawSqlite(directory: string, seconds: number): number {
  const db = new DatabaseSync(join(directory, `raw-${performance.now()}.db`));
  db.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create table t (id integer primary key, v text) strict",
  );
  const begin = db.prepare("begin immediate");
  const insert = db.prepare("insert into t (v) values (?)");
  const commit = db.prepare("commit");
  const from = performance.now();
  let count = 0;
  while (performance.now() - from < seconds * 1_000) {
    begin.run();
    insert.run(ROW);
    commit.run();
    count++;
  }
  const took = performance.now() - from;
  db.close();
  return (count / took) * 1_000;
}
