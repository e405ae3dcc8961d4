import type { Step } from "./define.ts";

/**
 * The log: every signed record gets a place in a Merkle tree (RFC 9162). Leaves without a `log_index` wait for the
 * sequencer, among them those that were signed before there was a log.
 */
export const log: Step = async ({ types: { int, bytes, serial }, table, run }) => {
  await run("alter table leaf add column digest text");
  await run(`alter table leaf add column log_index ${int}`);
  await run("create unique index leaf_place on leaf (log_index)");
  await run("create index leaf_waiting on leaf (leaf_id) where log_index is null");
  await run("create index leaf_of_task on leaf (task_id, kind, leaf_id)");
  await run("create index leaf_digest on leaf (digest) where digest is not null");
  await run(`alter table signing_key add column revoked_at ${int}`);
  await run(`alter table signing_key add column suspect_from ${int}`);
  await table("lease", `name text primary key, owner text not null, until ${int} not null, fence ${int} not null`);
  await run("insert into lease (name, owner, until, fence) values ('sequencer', '', 0, 0)");
  // A node's number is its place in the in-order walk of the tree: level and position in one key.
  await table("log_node", `number ${int} primary key, hash ${bytes} not null`);
  await table(
    "log_checkpoint",
    `checkpoint_id ${serial}, size ${int} not null, root ${bytes} not null, time ${int} not null, jws text not null`,
  );
  await table(
    "merchant_record",
    `record_id text primary key, tenant_id text not null, task_id text not null references task,
     receipt_id text not null, kind text not null, media_type text not null, sha256 text not null, bytes ${int} not null,
     sealed ${bytes} not null, signature_checked ${int} not null check (signature_checked in (0, 1)), signed_by text,
     created_at ${int} not null`,
  );
  await run("create index merchant_record_of_task on merchant_record (task_id)");
  // Key sets and approvals of an embedded store from before the log; an approval's leaf comes before its receipt's.
  if (bytes !== "blob") return;
  await run(
    `insert into leaf (leaf_id, tenant_id, kind, record_id, account_ref, task_id, payload, created_at, jws)
     select version - 2000000000, '', 'keys', 'keys_' || version, '', '', '', issued_at, jws from key_set`,
  );
  await run(
    `insert into leaf (leaf_id, tenant_id, kind, record_id, account_ref, task_id, payload, created_at, jws)
     select row_number() over (order by a.decided_at, a.approval_ref) - 1000000000, t.tenant_id, 'approval',
       a.approval_ref, t.account_ref, a.task_id, '', a.decided_at, a.jws
     from approval a join task t on t.task_id = a.task_id`,
  );
};
