import { authorityPoint, buildProtocols, definePlugin, gatewayPlugin } from "@countersign/plugin";
import { verifyBundle } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromKernel } from "../packages/gateway/src/gateway.ts";
import { addPerson, newSignInLink } from "../packages/gateway/src/people/people.ts";
import { orderRequest } from "./support/agent.ts";
import { type Issuer, makeIssuer, statements, type Watched } from "./support/authority.ts";
import { type Reply, until } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { readyWorld } from "./support/world.ts";

// An outside authority at the practice shop, end to end: the agent brings what it signed, the account holder has
// enrolled it, and the gateway believes the proof and nothing else.

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let issuer: Issuer;
let watched: Watched;

beforeEach(async () => {
  issuer = await makeIssuer();
  watched = statements();
  ready = await readyWorld({ authorities: new Map([["mandates", watched.authority]]) });
});
afterEach(() => ready.world.close());

const counters = () => ready.world.shop.control.counters();

const DAY_MS = 24 * 3_600_000;

/** Makes every enrolment a day older, instead of letting everything else age by a day. */
async function aDayLater(): Promise<void> {
  const { store } = ready.world.gateway.core;
  await store.as("system", async () => {
    const rows = await store.db.selectFrom("authority_enrolment").selectAll().execute();
    for (const row of rows)
      await store.db
        .updateTable("authority_enrolment")
        .set({
          enrolled_at: row.enrolled_at - DAY_MS,
          removed_at: row.removed_at === null ? null : row.removed_at - DAY_MS,
        })
        .where("enrolment_ref", "=", row.enrolment_ref)
        .execute();
  });
}

async function enrol(by: Issuer = issuer, change: JsonObject = {}): Promise<Reply> {
  const reply = await enrolNow(by, change);
  await aDayLater();
  return reply;
}

function enrolNow(by: Issuer = issuer, change: JsonObject = {}): Promise<Reply> {
  return ready.person.post("/authorities/mandates/enrol", {
    operations: ["retail.order.submit"],
    parameters: { jwk: { ...by.publicJwk } },
    label: "My mandates",
    ...change,
  });
}

async function pending(change: JsonObject = {}): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}

async function digestOf(taskId: string): Promise<string> {
  const { db } = ready.world.gateway.core.store;
  const rows = await ready.world.gateway.core.store.as("system", () =>
    db.selectFrom("action").select("digest").where("task_id", "=", taskId).where("status", "=", "pending").execute(),
  );
  return rows[0]?.digest ?? "";
}

function bring(taskId: string, evidence: unknown, authority = "mandates"): Promise<Reply> {
  return ready.agent.post(`/v1/tasks/${taskId}/evidence`, { authority, evidence });
}

async function outcome(taskId: string): Promise<JsonObject> {
  return ready.agent.reaches(taskId);
}

const MANDATE = { payee: "shop.example", max_minor: 6000, jti: "m-1" };
async function payee(taskId: string): Promise<string> {
  const view = await ready.person.approvalFor(taskId);
  return String(((view["action"] as JsonObject)["terms"] as JsonObject)["payee"]);
}

describe("APR-3 an authority that the account holder enrolled", () => {
  it("approves the record that its statement names: one order, an approval that names it, evidence that verifies", async () => {
    expect((await enrol()).status).toBe(200);
    const taskId = await pending();
    const reply = await bring(taskId, await issuer.exact(await digestOf(taskId)));
    expect([reply.status, reply.json["state"]]).toEqual([200, "executing"]);
    expect(await outcome(taskId)).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    // Once when it came, and once more just before the boundary.
    expect(watched.asked).toBe(2);
    const bundle = await until(
      () => ready.person.get(`/tasks/${taskId}/bundle`),
      (r) => r.status === 200,
      "the signed receipt",
    );
    const { pin } = ready.world.gateway.core.keys;
    const report = await verifyBundle(bundle.text, { pin, issuer: ready.world.issuer });
    expect(report).toMatchObject({ ok: true, value: { proves: "approval", receipt: "succeeded" } });
    if (report.ok) {
      expect(report.value.notes).toContain("decided_by_authority");
      expect(report.value.records.approval?.auth).toMatchObject({
        method: "authority",
        uv: false,
        authority: "mandates",
      });
      expect(report.value.level).toBe("L2");
    }
  });

  it("is listed, enrolled with public parameters, and removed by the account holder alone", async () => {
    const before = (await ready.person.get("/authorities")).json["authorities"] as JsonObject[];
    expect(before).toEqual([
      { authority: "mandates", title: "Test mandates", available_operations: expect.any(Array) },
    ]);
    const offered = before[0]?.["available_operations"] as JsonObject[];
    expect(offered.map((o) => o["id"])).toContain("retail.order.submit");
    expect(offered.every((o) => o["effect"] === "commit")).toBe(true);
    // What no destination of this gateway can do is nothing to choose.
    expect(offered.map((o) => o["id"])).not.toContain("banking.transfer.submit");
    expect((await enrol(issuer, { parameters: { jwk: { kty: "RSA" } } })).json).toMatchObject({
      reason: "invalid_request",
      problems: [{ pointer: "/parameters" }],
    });
    expect((await enrol(issuer, { operations: ["retail.orders.list"] })).json).toMatchObject({
      problems: [{ pointer: "/operations/0" }],
    });
    expect(
      (await ready.person.post("/authorities/unknown/enrol", { operations: ["x"], parameters: {}, label: "x" })).status,
    ).toBe(404);
    await enrol();
    const listed = (await ready.person.get("/authorities")).json["authorities"] as JsonObject[];
    expect(listed[0]).toMatchObject({ enrolment: { label: "My mandates", operations: ["retail.order.submit"] } });
    for (const path of ["/trusted/v1/authorities/mandates/enrol", "/trusted/v1/authorities/mandates/remove"])
      expect((await ready.agent.post(path, {})).status).toBe(403);
    await ready.person.post("/authorities/mandates/remove");
    const after = (await ready.person.get("/authorities")).json["authorities"] as JsonObject[];
    expect(after[0]).not.toHaveProperty("enrolment");
  });
});

describe("APR-3 an enrolment settles for a day", () => {
  it("the first counts after a day, and its view says from when", async () => {
    const reply = await enrolNow();
    expect(reply.json).not.toHaveProperty("enrolment");
    const settling = reply.json["settling"] as JsonObject;
    expect(Date.parse(String(settling["counts_from"])) - Date.parse(String(settling["enrolled_at"]))).toBe(DAY_MS);
    const taskId = await pending();
    const evidence = await issuer.exact(await digestOf(taskId));
    expect((await bring(taskId, evidence)).json["reason"]).toBe("authority_not_enrolled");
    expect(watched.asked).toBe(0);
    await aDayLater();
    expect((await bring(taskId, evidence)).status).toBe(200);
    expect(await outcome(taskId)).toMatchObject({ state: "succeeded" });
  });

  it("a stolen session's own key decides nothing at once, and the holder's goes on meanwhile", async () => {
    await enrol();
    const thief = await makeIssuer();
    const reply = await enrolNow(thief, { label: "Not theirs" });
    expect(reply.json).toMatchObject({ enrolment: { label: "My mandates" }, settling: { label: "Not theirs" } });
    const [first, second] = [await pending(), await pending({ parameters: { max_total_minor: 5999 } })];
    expect((await bring(first, await thief.exact(await digestOf(first)))).json["reason"]).toBe("evidence_refused");
    expect((await bring(first, await issuer.exact(await digestOf(first)))).status).toBe(200);
    expect(await outcome(first)).toMatchObject({ state: "succeeded" });
    await ready.agent.reaches(second, "approval_required");
    // Again and again: each attempt starts its day anew, and none ends the one that counts.
    expect((await enrolNow(thief, { label: "Again" })).json).toMatchObject({
      enrolment: { label: "My mandates" },
      settling: { label: "Again" },
    });
    await aDayLater();
    expect((await ready.person.get("/authorities")).json["authorities"]).toMatchObject([
      { enrolment: { label: "Again" } },
    ]);
    expect((await bring(second, await issuer.exact(await digestOf(second)))).json["reason"]).toBe("evidence_refused");
  });

  it("removing is immediate, for what counts and for what was to count", async () => {
    await enrol();
    await enrolNow();
    const removed = (await ready.person.post("/authorities/mandates/remove")).json;
    expect(removed).toMatchObject({ authority: "mandates", title: "Test mandates" });
    expect(Object.keys(removed).filter((member) => member === "enrolment" || member === "settling")).toEqual([]);
    await aDayLater();
    const taskId = await pending();
    const reply = await bring(taskId, await issuer.exact(await digestOf(taskId)));
    expect(reply.json["reason"]).toBe("authority_not_enrolled");
  });
});

describe("APR-3 evidence that does not count leaves the record waiting", () => {
  async function refused(taskId: string, reply: Reply, reason: string): Promise<void> {
    expect(reply.json["reason"]).toBe(reason);
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
    expect(counters().submits).toBe(0);
  }

  it("not enrolled, removed, or enrolled for another operation", async () => {
    const taskId = await pending();
    const evidence = await issuer.exact(await digestOf(taskId));
    await refused(taskId, await bring(taskId, evidence), "authority_not_enrolled");
    await refused(taskId, await bring(taskId, evidence, "unheard-of"), "authority_not_enrolled");
    await enrol(issuer, { operations: ["subscription.cancel"] });
    await refused(taskId, await bring(taskId, evidence), "authority_not_enrolled");
    await enrol();
    await ready.person.post("/authorities/mandates/remove");
    await refused(taskId, await bring(taskId, evidence), "authority_not_enrolled");
    expect(watched.asked).toBe(0);
  });

  it("enrolled by somebody else only", async () => {
    const { core } = ready.world.gateway;
    const other = await core.store.as("system", () =>
      addPerson(core, core.store.db, { tenantId: ready.world.gateway.owner.tenantId, name: "Another" }),
    );
    const link = await core.store.as("system", () => newSignInLink(core, other.personId));
    const stranger = await Person.withLink(ready.world, link.reveal());
    const enrolled = await stranger.post("/authorities/mandates/enrol", {
      operations: ["retail.order.submit"],
      parameters: { jwk: { ...issuer.publicJwk } },
      label: "Theirs",
    });
    expect(enrolled.status).toBe(200);
    await aDayLater();
    const taskId = await pending();
    await refused(taskId, await bring(taskId, await issuer.exact(await digestOf(taskId))), "authority_not_enrolled");
  });

  it("another key, another record, a denial, nonsense", async () => {
    await enrol();
    const taskId = await pending();
    const digest = await digestOf(taskId);
    const forger = await makeIssuer();
    await refused(taskId, await bring(taskId, await forger.exact(digest)), "evidence_refused");
    await refused(taskId, await bring(taskId, await issuer.exact("A".repeat(43))), "evidence_refused");
    await refused(taskId, await bring(taskId, await issuer.exact(digest, "denied")), "evidence_denied");
    for (const nonsense of ["", "a.b.c", null, true, { approved: true }, ["approved"]])
      await refused(taskId, await bring(taskId, nonsense), "evidence_refused");
    await refused(taskId, await bring(taskId, "x".repeat(60_000)), "invalid_request");
    await refused(
      taskId,
      await ready.agent.post(`/v1/tasks/${taskId}/evidence`, { authority: "mandates", evidence: "x", approved: true }),
      "invalid_request",
    );
  });

  it("an authority that throws, or meddles with the record, has approved nothing", async () => {
    await enrol();
    const taskId = await pending();
    const digest = await digestOf(taskId);
    watched.before = () => {
      throw new Error("secret of the authority's");
    };
    const reply = await bring(taskId, await issuer.exact(digest));
    await refused(taskId, reply, "authority_unavailable");
    expect(reply.text).not.toContain("secret");
    expect(ready.world.logLines.join("\n")).not.toContain("secret of the authority's");
    watched.before = (record) => {
      Object.assign(record, { task_id: "task_other" });
    };
    await refused(taskId, await bring(taskId, await issuer.exact(digest)), "evidence_refused");
  });

  it("an authority that rewrites the record has rewritten its own copy", async () => {
    await enrol();
    const taskId = await pending();
    watched.before = (record) => {
      Object.assign(record, { account_holder: "somebody", task_id: "task_other" });
    };
    const mandate = await issuer.mandate({ ...MANDATE, payee: await payee(taskId) });
    expect((await bring(taskId, mandate)).status).toBe(200);
    expect(await outcome(taskId)).toMatchObject({ state: "succeeded" });
    const bundle = await until(
      () => ready.person.get(`/tasks/${taskId}/bundle`),
      (r) => r.status === 200,
      "the signed receipt",
    );
    const { pin } = ready.world.gateway.core.keys;
    expect(await verifyBundle(bundle.text, { pin, issuer: ready.world.issuer })).toMatchObject({ ok: true });
  });

  it("where a passkey is demanded no authority is enough, by tenant or by grant", async () => {
    await enrol();
    const { core, owner } = ready.world.gateway;
    const demand = (policy: "passkey" | "authority") =>
      core.store.as("system", () =>
        core.store.transaction(async (tx) => {
          await tx.deleteFrom("approval_policy").execute();
          await tx
            .insertInto("approval_policy")
            .values({ tenant_id: owner.tenantId, operation: "retail.order.submit", policy, set_at: 1 })
            .execute();
        }),
      );
    await demand("passkey");
    const taskId = await pending();
    const evidence = await issuer.exact(await digestOf(taskId));
    await refused(taskId, await bring(taskId, evidence), "passkey_required");
    expect(watched.asked).toBe(0);
    await demand("authority");
    // What was frozen under the passkey's demand still needs one.
    await refused(taskId, await bring(taskId, evidence), "passkey_required");
    expect(watched.asked).toBe(0);
    const later = await pending({ parameters: { max_total_minor: 5999 } });
    const view = await ready.person.approvalFor(later);
    expect(view["policy"]).toBe("authority");
    expect((await ready.person.decide(view, "approved")).json["reason"]).toBe("authority_required");
    expect((await bring(later, await issuer.exact(await digestOf(later)))).status).toBe(200);
    expect(await outcome(later)).toMatchObject({ state: "succeeded" });
  });

  it("PUB-1 for a task of somebody else it answers as for none", async () => {
    const taskId = await pending();
    const body = { authority: "mandates", evidence: "x" };
    const unknown = await ready.agent.post("/v1/tasks/task_unknown/evidence", body);
    expect(unknown.status).toBe(404);
    await ready.person.decide(await ready.person.approvalFor(taskId), "denied");
    await enrol();
    expect((await bring(taskId, await issuer.exact("A".repeat(43)))).json["reason"]).toBe("conflict");
  });
});

describe("APR-6 U26 what an authority has consumed is consumed once", () => {
  it("one mandate brought for two tasks at once: one order, the other is denied", async () => {
    await enrol();
    const [first, second] = [await pending(), await pending({ parameters: { quantity: 1, max_total_minor: 5999 } })];
    const mandate = await issuer.mandate({ ...MANDATE, payee: await payee(first) });
    const replies = await Promise.all([bring(first, mandate), bring(second, mandate)]);
    expect(replies.map((r) => r.status)).toContain(200);
    const ends = [];
    for (const [taskId, reply] of [
      [first, replies[0]],
      [second, replies[1]],
    ] as const)
      ends.push(reply?.status === 200 ? await outcome(taskId) : reply?.json);
    expect(ends.filter((e) => e?.["state"] === "succeeded")).toHaveLength(1);
    expect(ends.map((e) => e?.["reason"])).toContain("evidence_used");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    const third = await pending({ parameters: { max_total_minor: 5998 } });
    expect((await bring(third, mandate)).json["reason"]).toBe("evidence_used");
    expect(counters().submits).toBe(1);
  });

  it("the same evidence brought for one task many times at once: one approval, one order", async () => {
    await enrol();
    const taskId = await pending();
    const mandate = await issuer.mandate({ ...MANDATE, payee: await payee(taskId), jti: "m-2" });
    const replies = await Promise.all(Array.from({ length: 10 }, () => bring(taskId, mandate)));
    expect(replies.some((r) => r.status === 200)).toBe(true);
    expect(await outcome(taskId)).toMatchObject({ state: "succeeded" });
    const { core } = ready.world.gateway;
    const { approvals, uses } = await core.store.as("system", async () => ({
      approvals: await core.store.db
        .selectFrom("approval")
        .select("approval_ref")
        .where("task_id", "=", taskId)
        .execute(),
      uses: await core.store.db.selectFrom("authority_use").selectAll().execute(),
    }));
    expect(approvals).toHaveLength(1);
    expect(uses).toMatchObject([{ authority: "mandates", key: "mandate:m-2", task_id: taskId }]);
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });
});

describe("APR-5 an authority is asked again just before the boundary", () => {
  it("evidence that stopped counting after the approval: denied, nothing left", async () => {
    await enrol();
    const taskId = await pending();
    watched.before = () => {
      if (watched.asked > 1) throw new Error("revoked");
    };
    await bring(taskId, await issuer.exact(await digestOf(taskId)));
    expect(await outcome(taskId)).toMatchObject({ state: "denied", reason: "authority_unavailable" });
    expect(counters().submits).toBe(0);
  });

  it("an authority removed while it was being asked: denied, nothing left", async () => {
    await enrol();
    const taskId = await pending();
    watched.before = async () => {
      if (watched.asked > 1) await ready.person.post("/authorities/mandates/remove");
    };
    await bring(taskId, await issuer.exact(await digestOf(taskId)));
    expect(await outcome(taskId)).toMatchObject({ state: "denied", reason: "authority_not_enrolled" });
    expect(watched.asked).toBe(2);
    expect(counters().submits).toBe(0);
  });

  it("an authority removed after its approval: denied, nothing left", async () => {
    await enrol();
    const taskId = await pending();
    ready.world.shop.control.delay(1_500, { at: "page" });
    await bring(taskId, await issuer.exact(await digestOf(taskId)));
    await ready.person.post("/authorities/mandates/remove");
    expect(await outcome(taskId)).toMatchObject({ state: "denied", reason: "authority_not_enrolled" });
    expect(counters().submits).toBe(0);
  });

  it("U29 terms that moved after its approval ask anew, and the old statement is of no use", async () => {
    await enrol();
    const taskId = await pending();
    const evidence = await issuer.exact(await digestOf(taskId));
    ready.world.shop.control.total(100);
    await bring(taskId, evidence);
    await ready.agent.reaches(taskId, "approval_required");
    expect((await bring(taskId, evidence)).json["reason"]).toBe("evidence_refused");
    expect(counters().submits).toBe(0);
    expect((await bring(taskId, await issuer.exact(await digestOf(taskId)))).status).toBe(200);
    expect(await outcome(taskId)).toMatchObject({ state: "succeeded" });
  });
});

describe("APR-3 gateway.authority is the host's to fill", () => {
  const plugin = definePlugin({
    manifest: { id: "authority.mandates", version: "1", title: "Mandates", opens: [], uses: [authorityPoint] },
    contribute: (put) =>
      put(authorityPoint, { id: "mandates", key: "mandates", order: 200, value: statements().authority }),
  });

  it("a plugin that the host trusts reaches the gateway; another fails the build", () => {
    const built = buildProtocols([gatewayPlugin, plugin], { trusted: ["authority.mandates"] });
    expect(built.ok && [...(fromKernel(built.kernel).authorities ?? new Map()).keys()]).toEqual(["mandates"]);
    expect(buildProtocols([gatewayPlugin, plugin]).ok).toBe(false);
  });
});
