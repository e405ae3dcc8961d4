import { randomUUID } from "node:crypto";
import type { Store } from "../store/store.ts";
import type { ConsentLimits } from "./limits.ts";

// For tests that need a grant and tasks in a store, and nothing that runs; nothing outside tests imports it.

const AT = Date.UTC(2026, 10, 30);

export async function seedGrant(store: Pick<Store, "db">, consentRef: string, limits: ConsentLimits): Promise<void> {
  const { db } = store;
  const owner = { tenant_id: "ten_1", person_id: "usr_1" };
  await db
    .insertInto("tenant")
    .values({ tenant_id: "ten_1", name: "t", created_at: AT })
    .onConflict((c) => c.doNothing())
    .execute();
  await db
    .insertInto("person")
    .values({ ...owner, name: "p", pseudonym: "p", created_at: AT })
    .onConflict((c) => c.doNothing())
    .execute();
  await db
    .insertInto("agent")
    .values({ client_id: "agent_1", ...owner, name: "a", state: "accepted", grant_id: null, created_at: AT })
    .onConflict((c) => c.doNothing())
    .execute();
  await db
    .insertInto("account")
    .values({ account_ref: "acct_1", ...owner, destination: "shop", name: "n", created_at: AT })
    .onConflict((c) => c.doNothing())
    .execute();
  const scope = JSON.stringify({
    operations: ["retail.order.submit"],
    routes: ["http"],
    limits,
    expires_at: "2027-06-01T00:00:00Z",
  });
  await db
    .insertInto("consent")
    .values({
      consent_ref: consentRef,
      ...owner,
      client_id: "agent_1",
      destination: "shop",
      account_ref: "acct_1",
      state: "granted",
      asked: scope,
      granted: scope,
      purpose: "x",
      requested_at: AT,
      decided_at: AT,
      expires_at: Date.UTC(2027, 5, 1),
    })
    .execute();
}

/** A task under the grant that is about to cross. */
export async function seedTask(store: Pick<Store, "db">, consentRef: string): Promise<string> {
  const taskId = `task_${randomUUID()}`;
  await store.db
    .insertInto("task")
    .values({
      task_id: taskId,
      tenant_id: "ten_1",
      person_id: "usr_1",
      client_id: "agent_1",
      account_ref: "acct_1",
      consent_ref: consentRef,
      profile: "p",
      operation: "retail.order.submit",
      request_id: taskId,
      request: "{}",
      request_digest: "d",
      record_digest: "d",
      request_expires_at: Date.UTC(2027, 5, 1),
      state: "executing",
      reason: null,
      version: 1,
      submitted: 0,
      due_at: null,
      fence: 1,
      tries: 0,
      created_at: AT,
      updated_at: AT,
    })
    .execute();
  return taskId;
}
