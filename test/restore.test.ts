import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { backupStore, restoreStore } from "@countersign/gateway/restore";
import { verifyBundle } from "@countersign/profile";
import { type Instant, instant } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enrolCredential, findUsable } from "../packages/gateway/src/approval/credentials.ts";
import { clearSuspicion } from "../packages/gateway/src/execution/cleared.ts";
import { readTask } from "../packages/gateway/src/tasks/tasks.ts";
import { orderRequest } from "./support/agent.ts";
import { makeAuthenticator } from "./support/authenticator.ts";
import { makeIssuer, statements } from "./support/authority.ts";
import { until } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { inStore, readyWorld } from "./support/world.ts";

const MINUTE = 60_000;
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let copies: string;
beforeEach(async () => {
  ready = await readyWorld();
  copies = mkdtempSync(join(tmpdir(), "countersign-backup-"));
});
afterEach(async () => {
  await ready.world.close();
  rmSync(copies, { recursive: true, force: true });
});

const counters = () => ready.world.shop.control.counters();
const now = (): Instant => instant(Date.now() + ready.world.offset());

async function pending(): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}

async function backup(): Promise<string> {
  const to = join(copies, "one");
  const made = await backupStore(ready.world.dataDir, to, now());
  expect(made.ok).toBe(true);
  return to;
}

async function restore(from: string, grants: "keep" | "end" = "keep"): Promise<void> {
  await ready.world.restart(async () => {
    const options = { from, dataDir: ready.world.dataDir, existing: "move_aside", grants, now: now() } as const;
    expect(await restoreStore(options)).toMatchObject({ ok: true });
  });
}

async function row(taskId: string) {
  return ready.world.gateway.core.store.db
    .selectFrom("task")
    .selectAll()
    .where("task_id", "=", taskId)
    .executeTakeFirstOrThrow();
}

/** What the restored store says of a task that it found done: a bundle that verifies, and an approval that is spent. */
async function expectEvidence(person: Person, taskId: string): Promise<void> {
  const bundle = await until(
    () => person.get(`/tasks/${taskId}/bundle`),
    (r) => r.status === 200,
    "the signed receipt",
  );
  const { core } = ready.world.gateway;
  const report = await verifyBundle(bundle.text, { pin: core.keys.pin, issuer: ready.world.issuer });
  expect(report).toMatchObject({ ok: true, value: { proves: "approval", receipt: "succeeded" } });
  const uses = await core.store.as("system", () => core.store.db.selectFrom("approval_use").selectAll().execute());
  expect(uses).toMatchObject([{ task_id: taskId }]);
}

const reaches = (taskId: string, state: string) =>
  until(
    () => row(taskId),
    (t) => t.state === state,
    `the task to be ${state}`,
  );

const reviewed = (taskId: string) =>
  until(
    () => row(taskId),
    (t) => t.review_at !== null,
    "the holder to be asked",
  );

describe("STA-8 a restored store reads back first", () => {
  it("what was approved and ordered after the backup is found at the shop, and not ordered again", async () => {
    const taskId = await pending();
    const copy = await backup();
    await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
    await ready.agent.reaches(taskId, "succeeded");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    ready.world.shop.control.readBack("down");
    await restore(copy);
    const person = await Person.signIn(ready.world);
    // The restored page still asks, and even a second yes commits nothing.
    expect((await person.decide(await person.approvalFor(taskId), "approved")).status).toBe(200);
    const { tries } = await row(taskId);
    await until(
      () => row(taskId),
      (t) => t.tries > tries + 1,
      "two more readings",
    );
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    ready.world.shop.control.readBack("up");
    ready.world.advance(6 * MINUTE);
    await reaches(taskId, "succeeded");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    const receipt = await until(
      () => person.get(`/tasks/${taskId}`),
      (r) => r.json["receipt"] !== undefined,
      "the receipt",
    );
    expect(receipt.json["receipt"]).toMatchObject({
      outcome: "succeeded",
      destination: { how: "read back at the site" },
    });
    expect((await person.get("/inbox")).text).not.toContain('"approval"');
    // CON-3: what the lost store used of the grant counts here too.
    expect((await person.get(`/consents/${ready.consentRef}`)).json["usage"]).toMatchObject({
      actions: 1,
      sums: [{ currency: "EUR", total_minor: 4990 }],
    });
    await expectEvidence(person, taskId);
  });

  it("an order that an authority approved before the backup: found, its approval spent, its mandate consumed", async () => {
    await ready.world.close();
    const watched = statements();
    ready = await readyWorld({ authorities: new Map([["mandates", watched.authority]]) });
    const issuer = await makeIssuer();
    const body = { operations: ["retail.order.submit"], parameters: { jwk: { ...issuer.publicJwk } }, label: "Mine" };
    expect((await ready.person.post("/authorities/mandates/enrol", body)).status).toBe(200);
    const { core } = ready.world.gateway;
    await core.store.as("system", () =>
      core.store.db.updateTable("authority_enrolment").set({ enrolled_at: 1 }).execute(),
    );
    const taskId = await pending();
    const { terms } = (await ready.person.approvalFor(taskId))["action"] as { terms: { payee: string } };
    ready.world.shop.control.delay(2_000, { at: "page" });
    const evidence = await issuer.mandate({ payee: terms.payee, max_minor: 6000, jti: "m-1" });
    const brought = await ready.agent.post(`/v1/tasks/${taskId}/evidence`, { authority: "mandates", evidence });
    expect(brought.status).toBe(200);
    const copy = await backup();
    await ready.agent.reaches(taskId, "succeeded");
    await restore(copy);
    ready.world.advance(6 * MINUTE);
    await reaches(taskId, "succeeded");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    const { store } = ready.world.gateway.core;
    const consumed = await store.as("system", () => store.db.selectFrom("authority_use").selectAll().execute());
    expect(consumed).toMatchObject([{ authority: "mandates", key: "mandate:m-1", task_id: taskId }]);
    await expectEvidence(await Person.signIn(ready.world), taskId);
  });

  it.each(["end", "keep"] as const)(
    "enrolled authorities end and passkeys settle anew with grants: %s",
    async (grants) => {
      const { core, owner } = ready.world.gateway;
      const authenticator = await makeAuthenticator(ready.world.issuer);
      const { credentialId } = authenticator;
      await core.store.as("system", async () => {
        const passkey = { rpId: "localhost", origin: ready.world.issuer, attestation: "none", label: "Laptop" };
        const { publicKey } = authenticator;
        await enrolCredential(core, owner, { ...passkey, credentialId, publicKey, standing: "confirmed" });
        const enrolment = { authority: "mandates", operations: "[]", parameters: "{}", label: "Mine", enrolled_at: 1 };
        const holder = { tenant_id: owner.tenantId, person_id: owner.personId };
        const later = now() + MINUTE;
        await core.store.db
          .insertInto("authority_enrolment")
          .values([
            { enrolment_ref: "enr_1", ...holder, ...enrolment, removed_at: later },
            { enrolment_ref: "enr_2", ...holder, ...enrolment, removed_at: null },
          ])
          .execute();
      });
      const copy = await backup();
      await restore(copy, grants);
      const { store } = ready.world.gateway.core;
      const usable = (at: number) => store.as("system", () => findUsable(store.db, owner, credentialId, at));
      const rows = await store.as("system", () => store.db.selectFrom("authority_enrolment").selectAll().execute());
      const alive = rows.filter((r) => r.removed_at === null || r.removed_at > now());
      expect(alive).toHaveLength(grants === "end" ? 0 : 2);
      expect((await usable(now())) === undefined).toBe(grants === "end");
      expect(await usable(now() + 24 * 60 * MINUTE)).toBeDefined();
    },
  );

  it("what was never ordered goes on once the shop has shown so; until then another account's task waits too", async () => {
    const taskId = await pending();
    const otherRef = await ready.person.connectShop("http");
    const otherConsent = await ready.agent.askGrant({
      destination: "practice-shop",
      operations: ["subscription.cancel"],
    });
    await ready.person.grant(otherConsent, otherRef);
    const copy = await backup();
    await restore(copy);
    const person = await Person.signIn(ready.world);
    await person.decide(await person.approvalFor(taskId), "approved");
    const cancellation = orderRequest({ accountRef: otherRef, consentRef: otherConsent, fulfillmentRef: "" });
    const submitted = await ready.agent.post("/v1/tasks", {
      ...cancellation,
      operation: "subscription.cancel",
      parameters: { subscription_ref: "membership" },
    });
    const otherId = String(submitted.json["task_id"]);
    await reaches(otherId, "approval_required");
    await person.decide(await person.approvalFor(otherId), "approved");
    const { fence } = await row(otherId);
    await until(
      () => row(otherId),
      (t) => t.fence > fence + 1,
      "two looks at the other account's task",
    );
    expect(await row(taskId)).toMatchObject({ state: "executing", submitted: 0, suspect: 1 });
    expect(await row(otherId)).toMatchObject({ state: "executing", submitted: 0, suspect: 0 });
    expect(counters()).toMatchObject({ submits: 0 });
    ready.world.advance(6 * MINUTE);
    await reaches(taskId, "succeeded");
    await reaches(otherId, "succeeded");
    expect(counters()).toMatchObject({ orderSubmits: 1, orders: 1, cancels: 1 });
  });

  it("a withdrawal meanwhile says that it is being found out; a task without a record is the holder's to tell", async () => {
    const taskId = await pending();
    ready.world.shop.control.readBack("down");
    const copy = await backup();
    await restore(copy);
    const answer = await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {});
    expect(answer.json).toMatchObject({ state: "approval_required", withdrawal: "being_read_back" });
    // A held wish was never prepared.
    const held = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const heldId = String(held.json["task_id"]);
    const again = join(copies, "two");
    expect((await backupStore(ready.world.dataDir, again, now())).ok).toBe(true);
    await restore(again);
    // The lost store may have prepared and submitted it: it is not closed, and no site is asked.
    const asked = await reviewed(heldId);
    expect(asked).toMatchObject({ suspect: 1, state: held.json["state"], due_at: asked.request_expires_at });
    const person = await Person.signIn(ready.world);
    expect((await person.get(`/tasks/${heldId}`)).json).toMatchObject({ asks_what_was_seen: true });
    ready.world.advance(asked.request_expires_at - now());
    expect(await reaches(heldId, "cancelled")).toMatchObject({ reason: "closed_by_restore", review_at: null });
  });

  it("the holder's own word ends what no reading settles: done closes it, not done lets it go on", async () => {
    const taskId = await pending();
    const held = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const heldId = String(held.json["task_id"]);
    const copy = await backup();
    ready.world.shop.control.readBack("down");
    await restore(copy);
    const person = await Person.signIn(ready.world);
    // The site is still being asked about the one: nothing is asked of the holder yet.
    expect((await person.post(`/tasks/${taskId}/looked`, { found: "done" })).status).toBe(409);
    await reviewed(heldId);
    expect((await person.post("/tasks/task_none/looked", { found: "done" })).status).toBe(404);
    expect((await person.post(`/tasks/${heldId}/looked`, { found: "perhaps" })).status).toBe(400);
    expect((await person.post(`/tasks/${heldId}/looked`, { found: "done", sure: true })).status).toBe(400);
    const gone = await person.post(`/tasks/${heldId}/looked`, { found: "done" });
    expect(gone.json).toMatchObject({ state: "cancelled", reason: "closed_by_restore", needs_review: false });
    expect((await person.post(`/tasks/${heldId}/looked`, { found: "not_done" })).status).toBe(409);
    const receipt = await until(
      () => person.get(`/tasks/${heldId}`),
      (r) => r.json["receipt"] !== undefined,
      "the receipt",
    );
    expect(receipt.json["receipt"]).toMatchObject({ outcome: "cancelled" });
    // Many fruitless readings later the other is put to the holder too.
    await inStore(ready.world.gateway, (db) =>
      db.updateTable("task").set({ review_at: now() }).where("task_id", "=", taskId).execute(),
    );
    expect((await person.post(`/tasks/${taskId}/looked`, { found: "not_done" })).status).toBe(200);
    expect(await row(taskId)).toMatchObject({ suspect: 0, review_at: null, state: "approval_required" });
    ready.world.shop.control.readBack("up");
    await person.decide(await person.approvalFor(taskId), "approved");
    await reaches(taskId, "succeeded");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("one that waited for a sign-in goes on when there is one, and ends with its request when there is none", async () => {
    const taskId = await pending();
    const core = ready.world.gateway.core;
    const lost = async (connection: "connected" | "reauthentication_required") => {
      await inStore(ready.world.gateway, async (db) => {
        await db.updateTable("connection").set({ state: connection }).execute();
        const waits = { state: "authentication_required", suspect: 1, review_at: now(), due_at: null } as const;
        await db.updateTable("task").set(waits).where("task_id", "=", taskId).execute();
      });
      return core.store.as("system", () =>
        core.store.transaction(async (tx) => clearSuspicion(core, tx, await readTask(tx, taskId))),
      );
    };
    await lost("reauthentication_required");
    const waiting = await row(taskId);
    expect(waiting).toMatchObject({ state: "authentication_required", suspect: 0, due_at: waiting.request_expires_at });
    await lost("connected");
    expect((await row(taskId)).state).not.toBe("authentication_required");
    ready.world.advance(0);
    await reaches(taskId, "approval_required");
  });

  it("a site that asks for a sign-in while it is read back has the holder asked", async () => {
    const taskId = await pending();
    const copy = await backup();
    await restore(copy);
    ready.world.shop.control.endSession();
    ready.world.advance(6 * MINUTE);
    const waits = await until(
      () => row(taskId),
      (t) => t.continuation_ref !== null,
      "a hand-off",
    );
    expect(waits).toMatchObject({ suspect: 1, state: "approval_required" });
  });

  it("grants, sign-ins and credentials end unless they are kept", async () => {
    const copy = await backup();
    await restore(copy, "end");
    expect((await ready.person.get("/inbox")).status).toBe(401);
    const consent = await ready.world.gateway.core.store.db
      .selectFrom("consent")
      .select("state")
      .where("consent_ref", "=", ready.consentRef)
      .executeTakeFirstOrThrow();
    expect(consent.state).toBe("revoked");
    const person = await Person.signIn(ready.world);
    expect((await person.get("/inbox")).status).toBe(200);
  });
});

describe("a backup", () => {
  it("comes to its end beside a writer that never rests", async () => {
    const dataDir = mkdtempSync(join(copies, "busy-"));
    const writer = new DatabaseSync(join(dataDir, "gateway.db"));
    writer.exec("pragma journal_mode = wal; create table t (b blob)");
    for (let n = 0; n < 400; n += 1) writer.exec("insert into t values (randomblob(8000))");
    let isCopying = true;
    const write = (): void => {
      writer.exec("insert into t values (randomblob(10))");
      if (isCopying) setImmediate(write);
    };
    write();
    try {
      expect(await backupStore(dataDir, join(copies, "of-busy"), now())).toMatchObject({ ok: true });
    } finally {
      isCopying = false;
      setImmediate(() => writer.close());
    }
  });

  it("is refused over another, and nothing damaged or missing is put back", async () => {
    const copy = await backup();
    expect(await backupStore(ready.world.dataDir, copy, now())).toEqual({ ok: false, reason: "target_exists" });
    expect(await backupStore(copies, join(copies, "x"), now())).toEqual({ ok: false, reason: "no_store" });
    const target = { dataDir: join(copies, "target"), existing: "refuse", grants: "end", now: now() } as const;
    expect(await restoreStore({ from: copies, ...target })).toMatchObject({ reason: { kind: "no_backup" } });
    expect(await restoreStore({ from: copy, ...target, dataDir: ready.world.dataDir })).toMatchObject({
      reason: { kind: "store_in_use", held: { pid: process.pid } },
    });
    expect(await restoreStore({ from: copy, ...target })).toMatchObject({ ok: true });
    expect(await restoreStore({ from: copy, ...target })).toMatchObject({ reason: { kind: "store_exists" } });
    truncateSync(join(copy, "gateway.db"), 8_192);
    expect(await restoreStore({ from: copy, ...target, dataDir: join(copies, "other") })).toMatchObject({
      reason: { kind: "damaged" },
    });
  });
});
