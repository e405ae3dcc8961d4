import { sql } from "kysely";
import type { Db } from "../store/store.ts";

/**
 * Writes down that a task has moved, for every receiver of its agent: call it in the transaction that moves it, so that
 * neither can be without the other. One message a receiver and revision, however often it is called.
 */
export async function announce(tx: Db, taskId: string, now: number): Promise<void> {
  await sql`
    insert into task_webhook_delivery
      (webhook_id, task_id, revision, tenant_id, task_state, changed_at, state, due_at, tries)
    select w.webhook_id, t.task_id, t.version, t.tenant_id, t.state, t.updated_at, 'waiting', cast(${now} as bigint), 0
    from task as t inner join task_webhook as w on w.client_id = t.client_id and w.tenant_id = t.tenant_id
    where t.task_id = ${taskId} and w.state = 'active'
    on conflict do nothing`.execute(tx);
}
