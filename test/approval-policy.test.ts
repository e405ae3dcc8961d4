import { practiceShop } from "@countersign/adapter-practice-shop";
import type { CommitAdapter, Site } from "@countersign/plugin";
import { OPERATIONS, type Operation, verifyBundle } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { enrolCredential, revokeCredential } from "../packages/gateway/src/approval/credentials.ts";
import type { Owner } from "../packages/gateway/src/core.ts";
import { addPerson } from "../packages/gateway/src/people/people.ts";
import { orderRequest } from "./support/agent.ts";
import { type Authenticator, makeAuthenticator } from "./support/authenticator.ts";
import { type Reply, until } from "./support/http.ts";
import { readyWorld, type WorldOptions } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
afterEach(() => ready.world.close());

const DAY_MS = 24 * 3_600_000;
const BUILD = "A".repeat(43);
const counters = () => ready.world.shop.control.counters();

async function open(options: WorldOptions = {}): Promise<void> {
  ready = await readyWorld(options);
}

async function submitted(change: JsonObject = {}): Promise<string> {
  const reply = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  expect(reply.status).toBe(201);
  return String(reply.json["task_id"]);
}

async function pending(): Promise<{ readonly taskId: string; readonly view: JsonObject }> {
  const taskId = await submitted();
  await ready.agent.reaches(taskId, "approval_required");
  return { taskId, view: await ready.person.approvalFor(taskId) };
}

const demand = (policy: "session" | "authority" | "passkey") =>
  askGateway(ready.world.dataDir, { command: "policy_set", operation: "retail.order.submit", policy });

/** Decides as the page of the next issue will: with a passkey and the page's own build. */
function decideWith(
  view: JsonObject,
  passkey: JsonObject,
  decision: "approved" | "denied" = "approved",
): Promise<Reply> {
  const action = view["action"] as { private: { display_text: string } };
  const surface = { version: "test", display_digest: action.private.display_text, build_digest: BUILD };
  return ready.person.decide(view, decision, { surface, passkey });
}

async function enrolled(
  standing: "confirmed" | "settling" = "confirmed",
  owner: Owner = ready.world.gateway.owner,
): Promise<Authenticator> {
  const { core } = ready.world.gateway;
  const authenticator = await makeAuthenticator(ready.world.issuer);
  const row = await core.store.as("system", () =>
    enrolCredential(core, owner, {
      credentialId: authenticator.credentialId,
      publicKey: authenticator.publicKey,
      rpId: "localhost",
      origin: ready.world.issuer,
      attestation: "none",
      label: "Laptop",
      standing,
    }),
  );
  expect(row.ok).toBe(true);
  return authenticator;
}

function somebodyElse(): Promise<Owner> {
  const { core, owner } = ready.world.gateway;
  return core.store.as("system", () =>
    addPerson(core, core.store.db, { tenantId: owner.tenantId, name: "Somebody else" }),
  );
}

describe("APR-3 the policy in force is the tightest of three", () => {
  it("asks for a passkey before money leaves where nobody says otherwise, and a session alone does not do", async () => {
    await open({ approvals: {} });
    const { taskId, view } = await pending();
    expect(view).toMatchObject({ policy: "passkey", action: { limits: { approval: "passkey" } } });
    expect((await ready.person.decide(view, "approved")).json["reason"]).toBe("passkey_required");
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
    expect((await decideWith(view, await (await enrolled()).answer(String(view["action_digest"])))).status).toBe(200);
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("the operator tightens it by the command; what is approved already is asked anew, and the old approval is dead", async () => {
    await open();
    const { taskId, view } = await pending();
    expect(view["policy"]).toBe("session");
    expect(view["action"]).toMatchObject({ limits: { approval: "session" } });
    ready.world.shop.control.delay(1_500, { at: "page" });
    expect((await ready.person.decide(view, "approved")).status).toBe(200);
    expect(await demand("passkey")).toMatchObject({ ok: true, value: { policy: "passkey" } });
    await ready.agent.reaches(taskId, "approval_required");
    expect(counters().submits).toBe(0);
    const second = await ready.person.approvalFor(taskId);
    expect(second["action_id"]).not.toBe(view["action_id"]);
    expect(second).toMatchObject({ policy: "passkey", action: { limits: { approval: "passkey" } } });
    expect((await ready.person.decide(view, "approved")).json["reason"]).toBe("record_superseded");
    expect((await ready.person.decide(second, "approved")).json["reason"]).toBe("passkey_required");
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
    const capabilities = await ready.agent.get(`/v1/accounts/${ready.accountRef}/capabilities`);
    expect(capabilities.json["operations"]).toContainEqual(
      expect.objectContaining({ operation: "retail.order.submit", approval: "passkey" }),
    );
    expect((await decideWith(second, await (await enrolled()).answer(String(second["action_digest"])))).status).toBe(
      200,
    );
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("the command lists, sets and clears it, refuses unknown operations, and cannot say that nobody is asked", async () => {
    await open();
    const { dataDir } = ready.world;
    const list = async () => (await askGateway(dataDir, { command: "policy_list" })) as { value: JsonObject };
    await demand("passkey");
    expect((await list()).value["operations"]).toContainEqual({ operation: "retail.order.submit", policy: "passkey" });
    await askGateway(dataDir, { command: "policy_clear", operation: "retail.order.submit" });
    expect((await list()).value["operations"]).toContainEqual({ operation: "retail.order.submit", policy: "session" });
    expect(
      await askGateway(dataDir, { command: "policy_set", operation: "retail.orders.list", policy: "passkey" }),
    ).toMatchObject({ ok: false, reason: { reason: "no_such_operation" } });
    expect(
      await askGateway(dataDir, { command: "policy_set", operation: "retail.order.submit", policy: "none" as never }),
    ).toMatchObject({ ok: false, reason: { reason: "bad_command" } });
  });

  it("the person tightens it in the grant; an agent cannot ask for less or for anything", async () => {
    await open();
    const asked = await ready.agent.post("/v1/consents", {
      destination: "practice-shop",
      operations: ["retail.order.submit"],
      purpose: "Errands",
      expires_at: "2030-01-01T00:00:00Z",
      approval: "none",
    });
    expect(asked.json).toMatchObject({ status: 400, problems: [{ pointer: "/approval", rule: "unknown member" }] });
    const consentRef = await ready.agent.askGrant({
      destination: "practice-shop",
      operations: ["retail.order.submit"],
    });
    expect((await ready.person.grant(consentRef, ready.accountRef, { approval: "none" })).status).toBe(400);
    expect((await ready.person.grant(consentRef, ready.accountRef, { approval: "passkey" })).status).toBe(200);
    const reply = await ready.agent.post("/v1/tasks", orderRequest({ ...ready, consentRef }));
    const taskId = String(reply.json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    expect(view["policy"]).toBe("passkey");
    expect((await ready.person.decide(view, "approved")).json["reason"]).toBe("passkey_required");
  });
});

describe("APR-3 a passkey", () => {
  it("decides with the person verified, and the evidence says so offline", async () => {
    await open();
    await demand("passkey");
    const authenticator = await enrolled();
    const { taskId, view } = await pending();
    const decided = await decideWith(view, await authenticator.answer(String(view["action_digest"])));
    expect(decided.json).toMatchObject({ status: "approved", decided_by: "passkey" });
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    const bundle = await until(
      () => ready.person.get(`/tasks/${taskId}/bundle`),
      (r) => r.status === 200,
      "the signed receipt",
    );
    const options = { pin: ready.world.gateway.core.keys.pin, issuer: ready.world.issuer, passkeyRequired: () => true };
    const report = await verifyBundle(bundle.text, options);
    expect(report).toMatchObject({ ok: true, value: { level: "L3", proves: "approval", receipt: "succeeded" } });
  });

  it("a session alone is refused and the record stays; to refuse, a session is enough", async () => {
    await open();
    await demand("passkey");
    const { taskId, view } = await pending();
    const tried = await ready.person.decide(view, "approved");
    expect([tried.status, tried.json["reason"]]).toEqual([403, "passkey_required"]);
    expect((await ready.person.approvalFor(taskId))["action_id"]).toBe(view["action_id"]);
    expect((await ready.person.decide(view, "denied")).status).toBe(200);
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "refused_by_holder" });
  });

  it("a passkey's signature says no yes and no no, so a refusal that brings one is not taken", async () => {
    await open();
    await demand("passkey");
    const authenticator = await enrolled();
    const { taskId, view } = await pending();
    const reply = await decideWith(view, await authenticator.answer(String(view["action_digest"])), "denied");
    expect(reply.json).toMatchObject({ reason: "invalid_request", problems: [{ pointer: "/passkey" }] });
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
  });

  it("a demand that is taken back still holds for what was frozen under it", async () => {
    await open();
    await demand("passkey");
    const { taskId, view } = await pending();
    await askGateway(ready.world.dataDir, { command: "policy_clear", operation: "retail.order.submit" });
    expect((await ready.person.approvalFor(taskId))["policy"]).toBe("passkey");
    expect((await ready.person.decide(view, "approved")).json["reason"]).toBe("passkey_required");
    const answered = await (await enrolled()).answer(String(view["action_digest"]));
    expect((await decideWith(view, answered)).status).toBe(200);
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  });

  it("every assertion but the right one is refused, and the record stays", async () => {
    await open();
    await demand("passkey");
    const authenticator = await enrolled();
    const { taskId, view } = await pending();
    const digest = String(view["action_digest"]);
    const good = await authenticator.answer(digest);
    const stranger = await makeAuthenticator(ready.world.issuer);
    const young = await enrolled("settling");
    const gone = await enrolled();
    const other = await enrolled("confirmed", await somebodyElse());
    const { core, owner } = ready.world.gateway;
    await core.store.as("system", () =>
      core.store.transaction((tx) => revokeCredential(core, tx, owner, gone.credentialId)),
    );
    const attempts: readonly [string, JsonObject][] = [
      ["of another record", await authenticator.answer("B".repeat(43))],
      ["made at another origin", await authenticator.answer(digest, { origin: "https://evil.example" })],
      ["touched, the person not verified", await authenticator.answer(digest, { user: "present" })],
      ["a creation, not an assertion", await authenticator.answer(digest, { ceremony: "webauthn.create" })],
      ["of a passkey that was never enrolled", await stranger.answer(digest)],
      ["under another's name", { ...(await stranger.answer(digest)), credential_id: authenticator.credentialId }],
      ["of somebody else's passkey", await other.answer(digest)],
      ["of a passkey enrolled just now", await young.answer(digest)],
      ["of a revoked passkey", await gone.answer(digest)],
      ["with another signature", { ...good, signature: "MEUCIQ" }],
    ];
    for (const [name, passkey] of attempts) {
      const reply = await decideWith(view, passkey);
      expect([reply.status, reply.json["reason"]], name).toEqual([403, "passkey_refused"]);
    }
    const unnamed = await ready.person.decide(view, "approved", { passkey: good });
    expect(unnamed.json).toMatchObject({ status: 400, problems: [{ pointer: "/surface/build_digest" }] });
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
    expect(counters().submits).toBe(0);
    expect((await decideWith(view, good)).status).toBe(200);
  });

  it("one that nothing older confirmed decides after a day", async () => {
    await open();
    await demand("passkey");
    const young = await enrolled("settling");
    const { view } = await pending();
    const answer = await young.answer(String(view["action_digest"]));
    const { core } = ready.world.gateway;
    const enrolledAgo = (ms: number) =>
      core.store.as("system", () =>
        core.store.db
          .updateTable("credential")
          .set({ enrolled_at: core.now() - ms })
          .execute(),
      );
    await enrolledAgo(DAY_MS - 60_000);
    expect((await decideWith(view, answer)).json["reason"]).toBe("passkey_refused");
    await enrolledAgo(DAY_MS);
    expect((await decideWith(view, answer)).status).toBe(200);
  });
});

describe("APR-1 policy none: nobody is asked, and everything else is as it is", () => {
  const unasked: readonly Operation[] = OPERATIONS.map((o) =>
    o.effect === "commit" && o.id === "retail.order.submit" ? { ...o, approval: "none" } : o,
  );

  it("one frozen record, one submission, no approval anywhere; the receipt verifies and claims none", async () => {
    await open({ catalogue: unasked, approvals: {} });
    const taskId = await submitted();
    expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    const task = await ready.agent.task(taskId);
    expect(task.json).not.toHaveProperty("approval_ref");
    const story = await ready.person.get(`/tasks/${taskId}`);
    const states = (story.json["events"] as { state: string }[]).map((e) => e.state);
    expect(states).not.toContain("approval_required");
    expect((await ready.person.get("/inbox")).text).not.toContain('"approval"');
    const { core } = ready.world.gateway;
    const rows = await core.store.as("system", async () => ({
      actions: await core.store.db.selectFrom("action").selectAll().where("task_id", "=", taskId).execute(),
      approvals: await core.store.db.selectFrom("approval").selectAll().execute(),
      submissions: await core.store.db.selectFrom("submission").selectAll().execute(),
    }));
    expect([rows.actions.length, rows.approvals.length, rows.submissions.length]).toEqual([1, 0, 1]);
    const view = await ready.person.get(`/approvals/${rows.actions[0]?.action_id}`);
    expect(view.json).toMatchObject({ status: "not_required", policy: "none" });
    const bundle = await until(
      () => ready.person.get(`/tasks/${taskId}/bundle`),
      (r) => r.status === 200,
      "the signed receipt",
    );
    const report = await verifyBundle(bundle.text, { pin: core.keys.pin, issuer: ready.world.issuer });
    expect(report).toMatchObject({ ok: true, value: { proves: "receipt", receipt: "succeeded" } });
    expect(report.ok && report.value.notes).toContain("nobody_asked");
    expect(report.ok && report.value.records.receipt).not.toHaveProperty("approval_ref");
  });

  it("limits, grant and the tenant's demand hold all the same", async () => {
    await open({ catalogue: unasked, approvals: {} });
    const over = await submitted({ parameters: { max_total_minor: 4989 } });
    expect(await ready.agent.reaches(over)).toMatchObject({ state: "denied", reason: "over_limit" });
    await demand("session");
    const asked = await submitted();
    expect(await ready.agent.reaches(asked, "approval_required")).toMatchObject({ state: "approval_required" });
    expect(counters().submits).toBe(0);
  });

  it("a policy tightened while it is under way asks before anything leaves", async () => {
    await open({ catalogue: unasked, approvals: {}, shopSite: meddling(async () => void (await demand("session"))) });
    const taskId = await submitted();
    expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({ state: "approval_required" });
    expect(counters().submits).toBe(0);
  });

  it.each([
    ["terms that move once are frozen anew", 1, "succeeded", 1],
    ["terms that never stand still are given up", Number.POSITIVE_INFINITY, "failed", 0],
  ] as const)("%s", async (_name, moves, end, orders) => {
    let moved = 0;
    const move = async (): Promise<void> => {
      if (moved < moves) ready.world.shop.control.total(++moved);
    };
    await open({ catalogue: unasked, approvals: {}, shopSite: meddling(move) });
    const taskId = await submitted();
    const settled = await until(
      () => ready.agent.task(taskId),
      (reply) => {
        ready.world.advance(1_000);
        return ["succeeded", "failed"].includes(String(reply.json["state"]));
      },
      "the end of the task",
    );
    expect(settled.json["state"]).toBe(end);
    if (end === "failed") expect(settled.json["reason"]).toBe("terms_inconsistent");
    expect(counters()).toMatchObject({ submits: orders, orders });
  });
});

describe("APR-2 U17 a plugin cannot have another record committed than the one that was approved", () => {
  it("one that changes the amount between preparation and commit: nothing leaves, and the person is asked anew", async () => {
    await open({
      shopSite: meddling(async (record) => {
        Object.assign(record["terms"] as JsonObject, { total_minor: 1 });
      }),
    });
    const { taskId, view } = await pending();
    await ready.person.decide(view, "approved");
    await ready.agent.reaches(taskId, "approval_required");
    const states = (await ready.person.get(`/tasks/${taskId}`)).json["events"] as { state: string }[];
    expect(states.map((e) => e.state).filter((s) => s === "approval_required").length).toBeGreaterThan(1);
    expect(counters().submits).toBe(0);
  });
});

describe("APR-1 U27 amounts that contradict each other", () => {
  it("never reach the page: the task fails its validation and nobody is asked", async () => {
    const prepare = (real: Commit): Commit => ({
      ...real,
      async prepare(...given) {
        const ready = await real.prepare(...given);
        if (ready.kind !== "ready") return ready;
        const terms = ready.terms as JsonObject;
        return { ...ready, terms: { ...terms, total_minor: Number(terms["total_minor"]) - 1000 } };
      },
    });
    await open({ shopSite: changed(prepare) });
    const taskId = await submitted();
    expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({
      state: "failed",
      reason: "terms_inconsistent",
    });
    expect((await ready.person.get("/inbox")).text).not.toContain('"approval"');
    expect(counters().submits).toBe(0);
  });
});

type Commit = CommitAdapter<JsonObject>;

/** The practice shop with its committing adapters changed: a plugin that is not what it should be. */
function changed(change: (real: Commit) => Commit): Site {
  return {
    ...practiceShop,
    entries: practiceShop.entries.map((entry) => ({
      ...entry,
      operations: entry.operations.map((operation) =>
        operation.effect === "commit" ? change(operation as Commit) : operation,
      ),
    })) as unknown as Site["entries"],
  };
}

/** Something is done to the record or the world just before the committing request. */
function meddling(meddle: (record: JsonObject) => Promise<void>): Site {
  return changed((real) => ({
    ...real,
    async hold(ctx, session, record, state) {
      const held = await real.hold(ctx, session, record, state);
      await meddle(record as unknown as JsonObject);
      return held;
    },
  }));
}
