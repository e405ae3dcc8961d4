import type { Step } from "./define.ts";

/**
 * A read that is looked at again until it has something to report (`repeats` of the catalogue): its own times stand with
 * the task, whose due time is its next look.
 */
export const watch: Step = async ({ types: { int, bytes }, run }) => {
  await run(`alter table task add column watch_ends_at ${int}`);
  await run(`alter table task add column watch_look_at ${int}`);
  await run(`alter table task add column watch_looked_at ${int}`);
  await run(`alter table task add column watch_looks ${int} not null default 0`);
  await run(`alter table task add column watch_troubles ${int} not null default 0`);
  await run(`alter table task add column watch_seen ${bytes}`);
  await run("create index task_watch on task (person_id, state) where watch_ends_at is not null");
};
