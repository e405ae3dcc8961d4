import { assert } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { opened, PLACES, type Place } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import { moveTask, readTask, type TaskRow } from "./tasks.ts";

const NOW = 1_796_000_000_000;

describe.each(["sqlite", "postgres"] as const)("a transition on %s", (kind) => {
  let place: Place;
  let store: Store;
  let task: TaskRow;
  beforeEach(async () => {
    place = await PLACES[kind]();
    store = await opened(place.where);
    task = await store.as("system", () => seeded(store));
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const move = (from: TaskRow) =>
    store.as("system", () =>
      store.transaction((tx) => moveTask(tx, from, "read", { type: "denied", reason: "grant_revoked" }, NOW + 1)),
    );

  it("STA-1 moves the task as it was read, with its numbered event", async () => {
    expect(await move(task)).toMatchObject({ ok: true, value: { state: "denied", version: task.version + 1 } });
  });

  it.each([
    ["version", { version: 0 }],
    ["state", { state: "executing" as const }],
  ])("STA-2 does nothing to a task of another %s, and writes no event", async (_what, stale) => {
    expect(await move({ ...task, ...stale })).toEqual({ ok: false, reason: "moved_meanwhile" });
    const now = await store.as("system", async () => ({
      task: await readTask(store.db, task.task_id),
      events: await store.db.selectFrom("task_event").selectAll().execute(),
    }));
    expect(now).toEqual({ task, events: [] });
  });
});

async function seeded(store: Store): Promise<TaskRow> {
  const of = { tenant_id: "t", person_id: "p" };
  return store.transaction(async (tx) => {
    await tx.insertInto("tenant").values({ tenant_id: "t", name: "n", created_at: NOW }).execute();
    await tx
      .insertInto("person")
      .values({ ...of, name: "n", pseudonym: "x", created_at: NOW })
      .execute();
    await tx
      .insertInto("agent")
      .values({ ...of, client_id: "c", name: "n", state: "accepted", created_at: NOW })
      .execute();
    const account = { ...of, account_ref: "a", destination: "d", name: "", created_at: NOW };
    await tx.insertInto("account").values(account).execute();
    await tx
      .insertInto("consent")
      .values({
        ...of,
        consent_ref: "g",
        client_id: "c",
        destination: "d",
        account_ref: "a",
        state: "requested",
        asked: "{}",
        purpose: "",
        requested_at: NOW,
      })
      .execute();
    const row = await tx
      .insertInto("task")
      .values({
        ...of,
        task_id: "task",
        client_id: "c",
        account_ref: "a",
        consent_ref: "g",
        profile: "",
        operation: "o",
        request_id: "r",
        request: "{}",
        request_digest: "",
        record_digest: "",
        request_expires_at: NOW + 1_000,
        state: "validating",
        version: 7,
        submitted: 0,
        fence: 0,
        tries: 0,
        created_at: NOW,
        updated_at: NOW,
      })
      .returningAll()
      .executeTakeFirst();
    assert(row !== undefined, "a row that was written is answered");
    return row;
  });
}
