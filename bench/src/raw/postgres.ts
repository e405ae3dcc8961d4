import pg from "pg";

const ROW = "x".repeat(200);

/** Durable commits a second that PostgreSQL can do here: one row a transaction, over `connections` at once. */
export async function rawPostgres(url: string, connections: number, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query("create table if not exists raw_commit (id bigserial primary key, v text)");
  const from = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect();
      while (performance.now() - from < seconds * 1_000) {
        await client.query("begin");
        await client.query({ name: "raw", text: "insert into raw_commit (v) values ($1)", values: [ROW] });
        await client.query("commit");
        count++;
      }
      client.release();
    }),
  );
  const took = performance.now() - from;
  await pool.query("drop table raw_commit");
  await pool.end();
  return (count / took) * 1_000;
}
