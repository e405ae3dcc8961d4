import { createHttpRoute } from "@countersign/route-http";
import { assert, type JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CONTINUATION_LIFE_MS } from "../packages/gateway/src/limits.ts";
import { addPerson, addTenant, newSignInLink } from "../packages/gateway/src/people/people.ts";
import type { Point } from "../packages/gateway/src/points.ts";
import { hoursAhead, orderRequest } from "./support/agent.ts";
import { type Reply, send, until } from "./support/http.ts";
import { LiveWindow } from "./support/live.ts";
import { Person, pageHeaders } from "./support/person.ts";
import { STAND_IN, type StandIn, standIn } from "./support/stand-in.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let site: StandIn;
let atPoint: (point: Point) => Promise<void> | void;
beforeEach(async () => {
  site = standIn();
  atPoint = () => {};
  ready = await readyWorld({
    sites: [site.site],
    destinations: [STAND_IN],
    routes: () => [createHttpRoute(), site.route],
    reach: (point) => atPoint(point),
  });
});
afterEach(() => ready.world.close());

/** A first connection at the stand-in, asked for and not yet begun. */
async function asked(person: Person = ready.person): Promise<{ readonly ref: string; readonly accountRef: string }> {
  const reply = await person.post("/connections", { destination: "stand-in", route: "browser" });
  return { ref: String(reply.json["continuation_ref"]), accountRef: String(reply.json["account_ref"]) };
}
const begin = (ref: string, person: Person = ready.person) => person.post(`/continuations/${ref}/begin`);
const complete = (ref: string, person: Person = ready.person) => person.post(`/continuations/${ref}/complete`);
async function connect(name: string): Promise<string> {
  const { ref, accountRef } = await asked();
  site.who = { name, details: [] };
  await begin(ref);
  const done = await complete(ref);
  assert(done.json["outcome"] === "connected", `connected: ${done.text}`);
  return accountRef;
}
/** An account at the stand-in with a grant for what it offers, and a request for a read. */
async function granted(name: string, change: JsonObject = {}) {
  const accountRef = await connect(name);
  const operations = ["retail.orders.list", "subscription.cancel"];
  const consentRef = await ready.agent.askGrant({ destination: "stand-in", operations, ...change });
  await ready.person.grant(consentRef, accountRef);
  return { accountRef, consentRef };
}
function reading(refs: { readonly accountRef: string; readonly consentRef: string }, change: JsonObject = {}) {
  const request = orderRequest({ ...refs, fulfillmentRef: "" });
  return { ...request, operation: "retail.orders.list", parameters: {}, ...change };
}
async function ask(body: object): Promise<string> {
  const reply = await ready.agent.post("/v1/tasks", body);
  expect(reply.status, reply.text).toBe(201);
  return String(reply.json["task_id"]);
}
/** A read that found the session gone, with the continuation that the agent is told. */
async function waiting(refs: { readonly accountRef: string; readonly consentRef: string }, change: JsonObject = {}) {
  site.good.clear();
  const taskId = await ask(reading(refs, change));
  const task = await ready.agent.reaches(taskId, "authentication_required");
  return { taskId, ref: String(task["continuation_ref"]) };
}
const connections = async (person: Person = ready.person) =>
  (await person.get("/accounts")).json["accounts"] as {
    account_ref: string;
    name: string;
    connections: { state: string; reason?: string; next_step?: string }[];
  }[];
const connectionOf = async (accountRef: string) =>
  (await connections()).find((a) => a.account_ref === accountRef)?.connections[0];
const row = (ref: string) =>
  inStore(ready.world.gateway, (db) =>
    db.selectFrom("continuation").selectAll().where("continuation_ref", "=", ref).executeTakeFirstOrThrow(),
  );
const sameAnswer = (a: Reply, b: Reply) => expect([a.status, a.text]).toEqual([b.status, b.text]);

async function stranger(): Promise<Person> {
  const { core } = ready.world.gateway;
  const link = await core.store.as("system", async () => {
    const tenantId = await addTenant(core, core.store.db, "Elsewhere");
    const { personId } = await addPerson(core, core.store.db, { tenantId, name: "Stranger" });
    return newSignInLink(core, personId);
  });
  return Person.withLink(ready.world, link.reveal());
}

describe("a continuation's link alone is worth nothing", () => {
  it("U38 MFA-3 fetched twenty times by what previews links, it is unspent and unchanged, and then it works", async () => {
    const { ref } = await asked();
    const before = await row(ref);
    const bots = [
      "Slackbot-LinkExpanding 1.0",
      "Twitterbot/1.0",
      "facebookexternalhit/1.1",
      "BarracudaCentral",
      "curl/8",
    ];
    const { issuer } = ready.world;
    for (const agent of bots) {
      for (const method of ["GET", "HEAD"]) {
        for (const path of [`/continuations/${ref}`, `/trusted/v1/continuations/${ref}`]) {
          const headers = { "user-agent": agent, cookie: ready.person.cookie };
          await send(issuer, method, path, {
            headers: path.startsWith("/trusted") ? headers : { "user-agent": agent },
          });
        }
      }
    }
    expect(await row(ref)).toEqual(before);
    site.who = { name: "Alex", details: [] };
    expect((await begin(ref)).status).toBe(200);
    expect((await complete(ref)).json).toMatchObject({ outcome: "connected", account_name: "Alex" });
  });

  it("U40 U49 MFA-3 opened by another signed-in person, it answers as an unknown one does, byte for byte", async () => {
    const { ref } = await asked();
    await begin(ref);
    site.who = { name: "Alex", details: [] };
    const other = await stranger();
    const attempts = [
      (r: string) => other.get(`/continuations/${r}`),
      (r: string) => begin(r, other),
      (r: string) => complete(r, other),
      (r: string) => other.post(`/continuations/${r}/form`, { values: { code: "1" } }),
    ];
    for (const attempt of attempts) sameAnswer(await attempt(ref), await attempt("cont_unknown"));
    await expect(LiveWindow.open(other, ref)).rejects.toThrow();
    expect((await row(ref)).completed_at).toBeNull();
    expect(await connections(other)).toEqual([]);
    // Nobody's attempt shows at its owner's: what is not theirs has told nothing.
    expect((await ready.person.get(`/continuations/${ref}`)).json["tried_elsewhere_at"]).toBeUndefined();
  });

  it("U41 posted without a cookie, or before anybody has begun it, it yields nothing", async () => {
    const { ref } = await asked();
    site.who = { name: "Alex", details: [] };
    for (const verb of ["begin", "complete", "form"]) {
      const headers = pageHeaders(ready.world.issuer);
      const bare = await send(ready.world.issuer, "POST", `/trusted/v1/continuations/${ref}/${verb}`, {
        headers,
        body: "{}",
      });
      expect(bare.status, verb).toBe(401);
    }
    sameAnswer(await complete(ref), await complete("cont_unknown"));
    expect((await row(ref)).session_hash).toBeNull();
  });

  it("MFA-1 U49 to an agent a continuation's reference opens nothing", async () => {
    const { ref } = await asked();
    const replies = [
      await ready.agent.get(`/v1/continuations/${ref}`),
      await ready.agent.get(`/trusted/v1/continuations/${ref}`),
      await ready.agent.post(`/trusted/v1/continuations/${ref}/begin`, {}, { cookie: ready.person.cookie }),
      await ready.agent.post(`/trusted/v1/continuations/${ref}/complete`, {}, pageHeaders(ready.world.issuer)),
    ];
    expect(replies.map((r) => r.status)).toEqual([404, 403, 403, 403]);
  });
});

describe("a continuation belongs to the browser session that began it", () => {
  it("U39 MFA-3 begun in one browser, finished in another: nothing is attached, and both are told", async () => {
    const { ref, accountRef } = await asked();
    await begin(ref);
    const window = await LiveWindow.open(ready.person, ref);
    const other = await Person.signIn(ready.world);
    site.who = { name: "Somebody", details: [] };
    for (const attempt of [await complete(ref, other), await begin(ref, other)]) {
      expect(attempt.status).toBe(409);
      expect(attempt.json["reason"]).toBe("begun_elsewhere");
    }
    await expect(LiveWindow.open(other, ref)).rejects.toThrow();
    expect(await connectionOf(accountRef)).toBeUndefined();
    expect((await ready.person.get(`/continuations/${ref}`)).json["tried_elsewhere_at"]).toBeDefined();
    await until(
      async () => window.told.join("\n"),
      (told) => told.includes("tried_elsewhere"),
      "the notice in the first window",
    );
    window.close();
    const done = await complete(ref);
    expect(done.json).toMatchObject({ outcome: "connected", account_name: "Somebody" });
    expect(done.json["tried_elsewhere_at"]).toBeDefined();
  });

  it("MFA-3 starting again in the same browser is free; looking is free; only completing spends it", async () => {
    const { ref } = await asked();
    for (let i = 0; i < 3; i += 1) expect((await begin(ref)).status).toBe(200);
    expect((await complete(ref)).json).toEqual({ outcome: "not_signed_in" });
    site.who = { name: "Alex", details: [] };
    expect((await complete(ref)).json).toMatchObject({ outcome: "connected" });
    expect((await begin(ref)).status).toBe(410);
    expect((await complete(ref)).status).toBe(410);
  });

  it("MFA-3 completed twice at once: one", async () => {
    const { ref, accountRef } = await asked();
    await begin(ref);
    site.who = { name: "Alex", details: [] };
    const answers = await Promise.all(Array.from({ length: 6 }, () => complete(ref)));
    expect(answers.filter((a) => a.json["outcome"] === "connected")).toHaveLength(1);
    expect(answers.filter((a) => a.status === 410)).toHaveLength(5);
    const uses = await inStore(ready.world.gateway, (db) =>
      db.selectFrom("continuation_use").selectAll().where("continuation_ref", "=", ref).execute(),
    );
    expect(uses).toHaveLength(1);
    expect((await connectionOf(accountRef))?.state).toBe("connected");
  });

  it("MFA-3 it expires between the beginning and the end: nothing is attached", async () => {
    const { ref, accountRef } = await asked();
    await begin(ref);
    site.who = { name: "Alex", details: [] };
    ready.world.advance(CONTINUATION_LIFE_MS);
    expect((await complete(ref)).status).toBe(410);
    expect((await begin(ref)).status).toBe(410);
    expect((await ready.person.get(`/continuations/${ref}`)).json["state"]).toBe("expired");
    expect(await connectionOf(accountRef)).toBeUndefined();
  });

  it("MFA-3 U49 one whose task has ended meanwhile is over, and leaves the inbox", async () => {
    const refs = await granted("Alex");
    const { taskId, ref } = await waiting(refs);
    await begin(ref);
    expect((await ready.person.get("/inbox")).text).toContain(ref);
    expect((await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {})).json["state"]).toBe("cancelled");
    expect((await complete(ref)).status).toBe(410);
    expect((await ready.person.get("/inbox")).text).not.toContain(ref);
    expect((await connectionOf(refs.accountRef))?.state).toBe("reauthentication_required");
  });
});

describe("after a continuation everything is judged again", () => {
  it("MFA-3 the session is verified at the site, and the task then goes on", async () => {
    const refs = await granted("Alex");
    const { taskId, ref } = await waiting(refs);
    await begin(ref);
    site.who = undefined;
    expect((await complete(ref)).json).toEqual({ outcome: "not_signed_in" });
    expect((await ready.agent.task(taskId)).json["state"]).toBe("authentication_required");
    site.who = { name: "Alex", details: [] };
    await complete(ref);
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  });

  it("MFA-3 CON-1 it cannot revive a revoked grant", async () => {
    const refs = await granted("Alex");
    const { taskId, ref } = await waiting(refs);
    await begin(ref);
    // Revoked in the very moment: the completing transaction finds it so, not an earlier look.
    await inStore(ready.world.gateway, (db) =>
      db
        .updateTable("consent")
        .set({ state: "revoked", revoked_at: 1 })
        .where("consent_ref", "=", refs.consentRef)
        .execute(),
    );
    expect((await complete(ref)).json).toMatchObject({ outcome: "connected" });
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "grant_revoked" });
    expect(site.opened).toEqual([]);
  });

  it("MFA-3 it cannot revive an expired grant, nor a request that has run out", async () => {
    const short = await granted("Alex", { expires_at: hoursAhead(1 / 60) });
    const long = await granted("Bea");
    const first = await waiting(short);
    const second = await waiting(long, { expires_at: hoursAhead(1 / 60) });
    for (const { ref } of [first, second]) await begin(ref);
    ready.world.advance(61_000);
    site.who = { name: "Alex", details: [] };
    await complete(first.ref);
    expect(await ready.agent.reaches(first.taskId)).toMatchObject({ state: "denied", reason: "grant_expired" });
    expect((await complete(second.ref)).status).toBe(410);
    expect((await ready.agent.reaches(second.taskId))["state"]).toBe("expired");
    expect(site.opened).toEqual([]);
  });

  it("MFA-3 U44 signed in as another account than the one connected before: refused with both names, nothing attached", async () => {
    const refs = await granted("Alex (a…@stand-in.example)");
    const { taskId, ref } = await waiting(refs);
    await begin(ref);
    site.who = { name: "Company card", details: [] };
    expect((await complete(ref)).json).toEqual({
      outcome: "other_account",
      account_name: "Company card",
      expected_name: "Alex (a…@stand-in.example)",
    });
    expect(await connectionOf(refs.accountRef)).toMatchObject({ state: "reauthentication_required" });
    expect((await ready.agent.task(taskId)).json["state"]).toBe("authentication_required");
    expect((await row(ref)).completed_at).toBeNull();
    site.who = { name: "Alex (a…@stand-in.example)", details: [] };
    expect((await complete(ref)).json).toMatchObject({ outcome: "connected" });
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  });

  it("U44 where the site has a key for the account, a new name is the same account, and an equal name may be another", async () => {
    const { ref, accountRef } = await asked();
    await begin(ref);
    site.who = { name: "Alex", key: "k-1", details: [] };
    await complete(ref);
    const again = async () => {
      const reply = await ready.person.post("/connections", {
        destination: "stand-in",
        route: "browser",
        account_ref: accountRef,
      });
      const next = String(reply.json["continuation_ref"]);
      await begin(next);
      return (await complete(next)).json;
    };
    site.who = { name: "Alex Newname", key: "k-1", details: [] };
    expect(await again()).toMatchObject({ outcome: "connected", account_name: "Alex Newname" });
    site.who = { name: "Alex Newname", key: "k-2", details: [] };
    expect(await again()).toMatchObject({ outcome: "other_account" });
  });

  it("U44 the account's name is the site's own: nobody else can give it one, and the grant and the decision show it", async () => {
    const { agent, person } = ready;
    const named = await agent.post("/v1/consents", {
      destination: "stand-in",
      operations: ["retail.orders.list"],
      purpose: "p",
      expires_at: hoursAhead(1),
      account_name: "The company",
    });
    expect(named.status).toBe(400);
    const refs = await granted("Alex of the site");
    const consent = await person.get(`/consents/${refs.consentRef}`);
    expect(consent.json["account"]).toMatchObject({ name: "Alex of the site" });
    const taskId = await ask({
      ...reading(refs),
      operation: "subscription.cancel",
      parameters: { subscription_ref: "membership" },
    });
    expect((await person.approvalFor(taskId))["account"]).toMatchObject({ name: "Alex of the site" });
  });
});

describe("connections have a state of their own", () => {
  it("MFA-4 the session ends while a decision is awaited: the decision stands, and after the sign-in the same record goes through", async () => {
    const { agent, person, world } = ready;
    const taskId = await ask(orderRequest(ready));
    const view = await person.approvalFor(taskId);
    world.shop.control.endSession();
    await person.decide(view, "approved");
    const task = await agent.reaches(taskId, "authentication_required");
    expect(await connectionOf(ready.accountRef)).toMatchObject({
      state: "reauthentication_required",
      reason: "the site asked for a sign-in",
    });
    expect((await person.get(`/approvals/${String(view["action_id"])}`)).json["status"]).toBe("approved");
    expect(world.shop.control.counters().submits).toBe(0);
    await person.signInAtShop(String(task["continuation_ref"]));
    expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    const after = await person.get(`/approvals/${String(view["action_id"])}`);
    expect(after.json).toMatchObject({ status: "approved", action_digest: view["action_digest"] });
    expect(world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("MFA-4 APR-4 and when the terms have moved meanwhile, the old decision counts for nothing", async () => {
    const { agent, person, world } = ready;
    const taskId = await ask(orderRequest(ready));
    const view = await person.approvalFor(taskId);
    world.shop.control.endSession();
    await person.decide(view, "approved");
    const task = await agent.reaches(taskId, "authentication_required");
    world.shop.control.total(200);
    await person.signInAtShop(String(task["continuation_ref"]));
    await agent.reaches(taskId, "approval_required");
    expect((await person.approvalFor(taskId))["action_id"]).not.toBe(view["action_id"]);
    expect(world.shop.control.counters().submits).toBe(0);
  });

  it("MFA-4 an unknown outcome gets a continuation to read back with, and a new one when the first has run out", async () => {
    const { agent, person, world } = ready;
    const taskId = await ask(orderRequest(ready));
    const view = await person.approvalFor(taskId);
    world.shop.control.commitThenDrop({ times: 1 });
    atPoint = (point) => {
      if (point === "send.after") world.shop.control.endSession();
    };
    await person.decide(view, "approved");
    const withRef = (not: string) =>
      until(
        async () => {
          ready.world.advance(1_000);
          return inStore(world.gateway, (db) =>
            db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
          );
        },
        (t) => t.state === "outcome_unknown" && t.continuation_ref !== null && t.continuation_ref !== not,
        "a continuation to read back with",
      );
    const first = await withRef("");
    expect((await agent.task(taskId)).json).toMatchObject({ continuation_ref: first.continuation_ref });
    ready.world.advance(CONTINUATION_LIFE_MS);
    const second = await withRef(String(first.continuation_ref));
    await person.signInAtShop(String(second.continuation_ref));
    const settled = await until(
      () => person.get(`/tasks/${taskId}`),
      (r) => r.json["state"] === "succeeded",
      "the order that was placed",
    );
    expect(settled.json).toMatchObject({ state: "succeeded" });
    expect(world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("U43 one broken connection of three: the others work, and the list says which, why, and what to do", async () => {
    const all = [await granted("One"), await granted("Two"), await granted("Three")];
    const broken = [...site.good].find((value) => value.includes("Two")) ?? "";
    site.good.delete(broken);
    const tasks = await Promise.all(all.map((refs) => ask(reading(refs))));
    const states = [];
    for (const taskId of tasks) states.push((await ready.agent.reaches(taskId, "authentication_required"))["state"]);
    expect(states).toEqual(["succeeded", "authentication_required", "succeeded"]);
    const listed = (await connections()).filter(
      (a) => a.name !== "" && all.some((r) => r.accountRef === a.account_ref),
    );
    expect(listed.map((a) => a.connections[0]?.state)).toEqual(["connected", "reauthentication_required", "connected"]);
    expect(listed[1]?.connections[0]?.reason).toBe("the site asked for a sign-in");
    expect(listed[1]?.connections[0]?.next_step).toContain("Sign in at the site again");
  });

  it("U43 a kept session that cannot be read breaks its own connection only", async () => {
    const [bad, good] = [await granted("Bad"), await granted("Good")];
    await inStore(ready.world.gateway, async (db) => {
      const connection = await db
        .selectFrom("connection")
        .select("material_ref")
        .where("account_ref", "=", bad.accountRef)
        .executeTakeFirstOrThrow();
      const sealed = new Uint8Array(40);
      await db.updateTable("vault").set({ sealed }).where("ref", "=", String(connection.material_ref)).execute();
    });
    const [first, second] = [await ask(reading(bad)), await ask(reading(good))];
    expect((await ready.agent.reaches(first, "authentication_required"))["state"]).toBe("authentication_required");
    expect(await ready.agent.reaches(second)).toMatchObject({ state: "succeeded" });
    expect(await connectionOf(bad.accountRef)).toMatchObject({ reason: "the kept session cannot be read" });
  });

  it("U42 an account disconnected before the commit: denied at once, nothing submitted, and it stays disconnected", async () => {
    const { agent, person, world } = ready;
    const taskId = await ask(orderRequest(ready));
    const view = await person.approvalFor(taskId);
    expect((await person.post(`/accounts/${ready.accountRef}/disconnect`)).status).toBe(204);
    await person.decide(view, "approved");
    expect(await agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "account_disconnected" });
    expect(world.shop.control.counters().submits).toBe(0);
    expect((await connectionOf(ready.accountRef))?.state).toBe("disconnected");
    const next = await ask({ ...reading(ready), account_ref: ready.accountRef });
    expect(await agent.reaches(next)).toMatchObject({ state: "denied", reason: "account_disconnected" });
  });

  it("U42 disconnected between the last look and the boundary: the transaction itself sees it", async () => {
    const { agent, person, world } = ready;
    const taskId = await ask(orderRequest(ready));
    const view = await person.approvalFor(taskId);
    atPoint = async (point) => {
      if (point === "boundary.before") await person.post(`/accounts/${ready.accountRef}/disconnect`);
    };
    await person.decide(view, "approved");
    expect(await agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "account_disconnected" });
    expect(world.shop.control.counters().submits).toBe(0);
  });

  it("U45 two tasks of an account never share a live session, and a save that breaks leaves the last good state", async () => {
    const refs = await granted("Alex");
    const [material = ""] = [...site.good];
    site.onRead = () => new Promise((resolve) => setImmediate(resolve));
    site.keeps = async () => {
      throw new Error("the browser died in the middle of it");
    };
    const tasks = await Promise.all([ask(reading(refs)), ask(reading(refs)), ask(reading(refs))]);
    for (const taskId of tasks) expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(site.together()).toBe(1);
    expect(site.opened).toEqual([material, material, material]);
  });
});

describe("what an agent sees of it", () => {
  it("MFA-1 AUT-4 a status and one opaque reference: no address, no name, no session, in any body", async () => {
    const name = "Alex Canaryname";
    const refs = await granted(name);
    const { taskId, ref } = await waiting(refs);
    await begin(ref);
    const own = await row(ref);
    const paths = [
      `/v1/tasks/${taskId}`,
      "/v1/tasks",
      `/v1/tasks/${taskId}/result`,
      `/v1/tasks/${taskId}/receipt`,
      "/v1/accounts",
      `/v1/accounts/${refs.accountRef}/capabilities`,
      `/v1/consents/${refs.consentRef}`,
    ];
    const seen = await Promise.all(paths.map((path) => ready.agent.get(path)));
    const text = seen.map((reply) => reply.text).join("\n");
    for (const hidden of [name, "/continuations", "/trusted", own.session_hash ?? "-", "stand-in.example"])
      expect(text.includes(hidden), hidden).toBe(false);
    expect(seen[0]?.json).toEqual({
      task_id: taskId,
      request_id: expect.any(String),
      revision: expect.any(Number),
      state: "authentication_required",
      operation: "retail.orders.list",
      account_ref: refs.accountRef,
      continuation_ref: ref,
      next_step: expect.any(String),
      poll_after_ms: 2_000,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });
});
