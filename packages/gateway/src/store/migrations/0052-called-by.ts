import type { Step } from "./define.ts";

/** Who a task's request showed to have sent it; and what plugins keep for a while is counted, and found when it is over. */
export const calledBy: Step = async ({ run }) => {
  await run("alter table task add column called_by text");
  await run("alter table plugin_value add column counted_with text");
  await run("create index plugin_value_over on plugin_value (expires_at) where expires_at is not null");
  await run(
    `create index plugin_value_counted on plugin_value (plugin, tenant_id, counted_with, expires_at)
     where counted_with is not null`,
  );
};
