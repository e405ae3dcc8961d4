import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { opened, PLACES, type Place } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import type { ChangeKind } from "./change-kinds.ts";
import { type Changes, createChanges } from "./changes.ts";

const NOW = 1_800_000_000_000;
const SESSION_MS = 3_600_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface Heard {
  readonly kinds: ChangeKind[];
  ended: boolean;
}

describe.each(Object.entries(PLACES))("changes on %s", (_name, newPlace) => {
  let place: Place;
  let here: Store;
  let there: Store;
  let now = NOW;
  let changes: Changes;

  beforeEach(async () => {
    now = NOW;
    place = await newPlace();
    here = await opened(place.where);
    // What another gateway of the same store writes; the embedded store has only this process.
    there = place.where.kind === "postgres" ? await opened(place.where) : here;
    changes = createChanges({ store: here, now: () => now, log: silent });
    await write(async (store) => {
      for (const n of [1, 2]) {
        await store.db
          .insertInto("tenant")
          .values({ tenant_id: `ten${n}`, name: "T", created_at: NOW })
          .execute();
        await store.db
          .insertInto("person")
          .values({ person_id: `p${n}`, tenant_id: `ten${n}`, name: "P", pseudonym: `holder${n}`, created_at: NOW })
          .execute();
        await store.db
          .insertInto("person_session")
          .values({
            session_hash: `s${n}`,
            tenant_id: `ten${n}`,
            person_id: `p${n}`,
            created_at: NOW,
            expires_at: NOW + SESSION_MS,
            began: "link",
          })
          .execute();
        await store.db
          .insertInto("agent")
          .values({
            client_id: `a${n}`,
            tenant_id: `ten${n}`,
            person_id: `p${n}`,
            name: "A",
            state: "accepted",
            grant_id: null,
            credential_ref: null,
            created_at: NOW,
            decided_at: NOW,
          })
          .execute();
        await store.db
          .insertInto("account")
          .values({
            account_ref: `acc${n}`,
            tenant_id: `ten${n}`,
            person_id: `p${n}`,
            destination: "shop",
            name: "",
            identity: null,
            created_at: NOW,
          })
          .execute();
        await addConsent(store, n, `cons${n}`);
        await addTask(store, n);
      }
    });
  });
  afterEach(async () => {
    changes.close();
    if (there !== here) await there.close();
    await here.close();
    await place.remove();
  });

  const write = (work: (store: Store) => Promise<void>) => there.as("system", () => work(there));

  async function listen(n: number): Promise<Heard & { readonly stop: () => void }> {
    const heard: Heard = { kinds: [], ended: false };
    const watcher = { tenantId: `ten${n}`, personId: `p${n}`, sessionHash: `s${n}` };
    const stop = await changes.listen(watcher, {
      changed: (kinds) => heard.kinds.push(...kinds),
      ended: () => {
        heard.ended = true;
      },
    });
    if (stop === "too_many") throw new Error("there is room");
    return Object.assign(heard, { stop });
  }

  const settled = (fits: () => boolean) => expect.poll(fits, { timeout: 10_000 }).toBe(true);

  it("a person's pages hear which kinds changed, and nobody else's do", async () => {
    const mine = await listen(1);
    const others = await listen(2);
    await write((store) => addConsent(store, 1, "cons_new"));
    await settled(() => mine.kinds.includes("consents"));
    await write((store) => addEvent(store, 1, 2));
    await settled(() => mine.kinds.includes("tasks"));
    await write(async (store) => {
      await store.db
        .updateTable("agent")
        .set({ decided_at: NOW + 1 })
        .where("client_id", "=", "a1")
        .execute();
      await store.db
        .insertInto("connection")
        .values({
          account_ref: "acc1",
          route: "http",
          state: "connected",
          reason: null,
          material_ref: null,
          verified_at: NOW,
          updated_at: NOW,
        })
        .execute();
    });
    await settled(() => mine.kinds.includes("agents") && mine.kinds.includes("accounts"));
    expect(others.kinds).toEqual([]);
  });

  it("what was there before is no change, and an unchanged store says nothing", async () => {
    const mine = await listen(1);
    const late = await listen(1);
    await write((store) => addEvent(store, 1, 2));
    await settled(() => mine.kinds.length > 0 && late.kinds.length > 0);
    const before = mine.kinds.length;
    await write((store) => addEvent(store, 2, 2));
    const other = await listen(2);
    await write((store) => addConsent(store, 2, "cons_other"));
    await settled(() => other.kinds.includes("consents"));
    expect(mine.kinds.length).toBe(before);
  });

  it("an event that becomes visible after one with a higher number is heard of", async () => {
    const mine = await listen(1);
    const others = await listen(2);
    const late = lateEvent(there, place.where.kind);
    await late.taken;
    await write((store) => addEvent(store, 2, 5));
    await settled(() => others.kinds.length > 0);
    expect(mine.kinds).toEqual([]);
    await late.commit();
    await settled(() => mine.kinds.includes("tasks"));
  });

  it("a session that is over ends its streams: signed out, run out, or idle", async () => {
    const out = await listen(1);
    await write(async (store) => {
      await store.db.deleteFrom("person_session").where("session_hash", "=", "s1").execute();
    });
    await settled(() => out.ended);
    const idle = await listen(2);
    now = NOW + SESSION_MS;
    changes.poke();
    await settled(() => idle.ended);
    expect(changes.open).toBe(0);
  });

  it("a session has a bounded number of streams, and another session's count is its own", async () => {
    const stops: (() => void)[] = [];
    for (let i = 0; i < 6; i++) stops.push((await listen(1)).stop);
    const watcher = { tenantId: "ten1", personId: "p1", sessionHash: "s1" };
    const silentListener = { changed() {}, ended() {} };
    expect(await changes.listen(watcher, silentListener)).toBe("too_many");
    await listen(2);
    stops[0]?.();
    expect(await changes.listen(watcher, silentListener)).not.toBe("too_many");
  });

  it("pokes that come faster than looks put none off", async () => {
    const mine = await listen(1);
    await write((store) => addEvent(store, 1, 3));
    const poking = setInterval(() => changes.poke(), 5);
    await settled(() => mine.kinds.includes("tasks")).finally(() => clearInterval(poking));
  });

  it("without an open page nothing is looked at", async () => {
    let looks = 0;
    const counting: Store = {
      ...here,
      as: (scope, work) => {
        looks++;
        return here.as(scope, work);
      },
    };
    const idle = createChanges({ store: counting, now: () => now, log: silent });
    for (let i = 0; i < 5; i++) idle.poke();
    const stop = await idle.listen(
      { tenantId: "ten1", personId: "p1", sessionHash: "s1" },
      { changed() {}, ended() {} },
    );
    if (stop === "too_many") throw new Error("there is room");
    expect(looks).toBe(1);
    idle.poke();
    await expect.poll(() => looks, { timeout: 5_000 }).toBe(2);
    stop();
    const after = looks;
    for (let i = 0; i < 5; i++) idle.poke();
    const mine = await listen(1);
    await write((store) => addEvent(store, 1, 9));
    await settled(() => mine.kinds.length > 0);
    expect(looks).toBe(after);
    idle.close();
  });
});

async function addConsent(store: Store, n: number, ref: string): Promise<void> {
  await store.db
    .insertInto("consent")
    .values({
      consent_ref: ref,
      tenant_id: `ten${n}`,
      person_id: `p${n}`,
      client_id: `a${n}`,
      destination: "shop",
      account_ref: `acc${n}`,
      state: "requested",
      asked: "{}",
      granted: null,
      purpose: "",
      requested_at: NOW,
      decided_at: null,
      revoked_at: null,
      expires_at: null,
    })
    .execute();
}

async function addTask(store: Store, n: number): Promise<void> {
  await store.db
    .insertInto("task")
    .values({
      task_id: `task${n}`,
      tenant_id: `ten${n}`,
      person_id: `p${n}`,
      client_id: `a${n}`,
      account_ref: `acc${n}`,
      consent_ref: `cons${n}`,
      profile: "p",
      operation: "retail.orders.list",
      request_id: `r${n}`,
      request: "{}",
      request_digest: "",
      record_digest: "",
      request_expires_at: NOW + SESSION_MS,
      state: "received",
      reason: null,
      version: 1,
      submitted: 0,
      route: null,
      adapter_state: null,
      action_id: null,
      approval_ref: null,
      continuation_ref: null,
      due_at: null,
      lease_owner: null,
      lease_until: null,
      fence: 0,
      tries: 0,
      result: null,
      result_expires_at: null,
      review_at: null,
      created_at: NOW,
      updated_at: NOW,
      wish_digest: null,
      held_by: null,
    })
    .execute();
  await addEvent(store, n, 1);
}

async function addEvent(store: Store, n: number, seq: number): Promise<void> {
  await store.db
    .insertInto("task_event")
    .values({ task_id: `task${n}`, seq, at: NOW, state: "validating", reason: null, step: "s", label: "l" })
    .execute();
}

/** An event that has its number already and is committed later, as two gateways can make one. */
function lateEvent(store: Store, kind: "sqlite" | "postgres") {
  const event = {
    task_id: "task1",
    seq: 7,
    at: NOW,
    state: "validating" as const,
    reason: null,
    step: "s",
    label: "l",
  };
  if (kind === "sqlite") {
    // One writer at a time: the number is left free instead.
    const skip = store.as("system", async () => {
      await addEvent(store, 2, 4);
      const row = await store.db
        .selectFrom("task_event")
        .select("event_id")
        .where("seq", "=", 4)
        .executeTakeFirstOrThrow();
      await store.db.deleteFrom("task_event").where("event_id", "=", row.event_id).execute();
      return row.event_id;
    });
    const commit = async () => {
      const eventId = await skip;
      await store.as("system", () =>
        store.db
          .insertInto("task_event")
          .values({ event_id: eventId, ...event })
          .execute(),
      );
    };
    return { taken: skip.then(() => {}), commit };
  }
  const taken = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const done = store.as("system", () =>
    store.db.transaction().execute(async (tx) => {
      await tx.insertInto("task_event").values(event).execute();
      taken.resolve();
      await letGo.promise;
    }),
  );
  return {
    taken: taken.promise,
    commit: async () => {
      letGo.resolve();
      await done;
    },
  };
}
