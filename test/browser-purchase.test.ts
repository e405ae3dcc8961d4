import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VaultRef } from "@countersign/plugin";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { createHttpRoute } from "@countersign/route-http";
import { assert, err, type JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { pinHost } from "../packages/gateway/src/egress/guard.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { filesBelow, leaks, signedParts } from "./support/leaks.ts";
import { LiveWindow, signInLive, type Typed } from "./support/live.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

const OPERATIONS = ["retail.orders.list", "retail.order.submit", "subscription.cancel"];
const SETTLED = ["succeeded", "denied", "expired", "failed", "cancelled"];
/** A real browser on a busy machine. */
const TEST_MS = 180_000;
const REACH_MS = 60_000;

let world: World;
let person: Person;
let agent: Agent;
let refs: { readonly accountRef: string; readonly consentRef: string; readonly fulfillmentRef: string };
let profileRoot: string;
const typed: Typed[] = [];
const tasks: string[] = [];

beforeAll(async () => {
  profileRoot = mkdtempSync(join(tmpdir(), "countersign-browsers-"));
  world = await openWorldWithBrowser();
  person = await Person.signIn(world);
  agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination: "practice-shop", route: "browser" });
  const accountRef = String(begun.json["account_ref"]);
  typed.push(await signInLive(person, String(begun.json["continuation_ref"])));
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: OPERATIONS });
  const granted = await person.grant(consentRef, accountRef);
  assert(granted.status === 200, `the grant is given: ${granted.text}`);
  const { references } = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json;
  const home = (references as { ref: string; label: string }[]).find(({ label }) => label === "Home");
  assert(home !== undefined, "the account has a home address");
  refs = { accountRef, consentRef, fulfillmentRef: home.ref };
}, TEST_MS);

afterAll(async () => {
  await world?.close();
  rmSync(profileRoot, { recursive: true, force: true });
});

let before: { readonly submits: number; readonly orders: number; readonly cancels: number };
beforeEach(() => {
  before = world.shop.control.counters();
});

function openWorldWithBrowser(): Promise<World> {
  const chromium = findChromium(process.env);
  assert(chromium.ok, "these tests need Chromium");
  return openWorld({
    routes: (guard) => [
      createHttpRoute(),
      createBrowserRoute({
        executablePath: chromium.value,
        sandbox: process.getuid?.() === 0 ? "off" : "on",
        profileRoot,
        resolve: async (host, port) => {
          const pinned = await pinHost(guard, host, port);
          return pinned.ok ? pinned : err("address_refused");
        },
      }),
    ],
  });
}

/** What arrived at the shop since the test began. */
function arrived() {
  const { submits, orders, cancels } = world.shop.control.counters();
  return {
    submits: submits - before.submits,
    orders: orders - before.orders,
    cancels: cancels - before.cancels,
  };
}

async function ask(request: JsonObject): Promise<string> {
  const submitted = await agent.post("/v1/tasks", request);
  expect(submitted.status, submitted.text).toBe(201);
  const taskId = String(submitted.json["task_id"]);
  tasks.push(taskId);
  return taskId;
}

async function reaches(taskId: string, state: string): Promise<JsonObject> {
  const reply = await until(
    () => agent.task(taskId),
    ({ json }) => json["state"] === state || SETTLED.includes(String(json["state"])),
    `${taskId} ${state}`,
    REACH_MS,
  );
  expect(reply.json["state"]).toBe(state);
  return reply.json;
}

async function approve(taskId: string): Promise<JsonObject> {
  await reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  const decided = await person.decide(view, "approved");
  expect(decided.status, decided.text).toBe(200);
  return view;
}

async function resultOf(taskId: string) {
  return (await agent.get(`/v1/tasks/${taskId}/result`)).json["result"];
}

function cancellation(): JsonObject {
  const { parameters: _, ...request } = orderRequest(refs);
  return { ...request, operation: "subscription.cancel", parameters: { subscription_ref: "membership" } };
}

it(
  "APR-1 STA-2 an order goes through the shop's own pages, once, after its exact terms were approved",
  async () => {
    const taskId = await ask(orderRequest(refs));
    await reaches(taskId, "approval_required");
    expect(arrived().submits).toBe(0);
    expect((await approve(taskId))["action"]).toMatchObject({
      route: { kind: "browser", origin: world.shop.origin },
      terms: { total_minor: 4990, currency: "EUR", lines: [{ ref: "TL-200" }, { ref: "standard" }] },
    });
    await reaches(taskId, "succeeded");
    expect(arrived()).toEqual({ submits: 1, orders: 1, cancels: 0 });
    const order_number = world.shop.control.orders()[0]?.number;
    expect(await resultOf(taskId)).toEqual({ order_number, currency: "EUR", total_minor: 4990 });
  },
  TEST_MS,
);

it(
  "STA-3 (U04) an order whose answer was lost is found at the shop and not sent again",
  async () => {
    world.shop.control.commitThenDrop({ times: 1 });
    const taskId = await ask(orderRequest(refs));
    await approve(taskId);
    await reaches(taskId, "succeeded");
    expect(arrived()).toEqual({ submits: 1, orders: 1, cancels: 0 });
    expect(await resultOf(taskId)).toMatchObject({ order_number: world.shop.control.orders()[0]?.number });
    // Receipts are signed in their turn: the one of the unknown outcome may still be the newest.
    await until(
      async () => signedParts((await agent.get(`/v1/tasks/${taskId}/receipt`)).text).join(),
      (said) => said.includes('"how":"read back at the site"'),
      "the receipt of the outcome",
      REACH_MS,
    );
  },
  TEST_MS,
);

it(
  "APR-5 a price that rose after the approval is put to the person again before anything is sent",
  async () => {
    const taskId = await ask(orderRequest(refs));
    await reaches(taskId, "approval_required");
    world.shop.control.price("TL-200", 100);
    const first = await approve(taskId);
    const again = await until(
      () => person.approvalFor(taskId).catch(() => first),
      (view) => view["action_id"] !== first["action_id"],
      "the new terms",
      REACH_MS,
    );
    expect(arrived().submits).toBe(0);
    expect(again["action"]).toMatchObject({ terms: { total_minor: 5090 } });
    expect((await person.decide(again, "denied")).status).toBe(200);
    await reaches(taskId, "denied");
    expect(arrived().submits).toBe(0);
    world.shop.control.price("TL-200", -100);
  },
  TEST_MS,
);

it(
  "U47 MFA-1 AUT-4 MFA-2 a session that the shop ended waits for the person at the shop's own page, and the task goes on",
  async () => {
    world.shop.control.endSession();
    const taskId = await ask(orderRequest(refs));
    const waiting = await reaches(taskId, "authentication_required");
    const ref = String(waiting["continuation_ref"]);
    typed.push(await signInLive(person, ref));
    await approve(taskId);
    await reaches(taskId, "succeeded");
    expect(arrived()).toEqual({ submits: 1, orders: 1, cancels: 0 });
    const again = await person.post(`/continuations/${ref}/begin`);
    expect(again.status, "MFA-3 a hand-off is spent once").toBe(410);
  },
  TEST_MS,
);

it(
  "MFA-3 a live view opens for the browser session that began it and for the gateway's own page alone",
  async () => {
    const begun = await person.post("/connections", { destination: "practice-shop", route: "browser" });
    const ref = String(begun.json["continuation_ref"]);
    await expect(LiveWindow.open(person, ref)).rejects.toThrow();
    expect((await person.post(`/continuations/${ref}/begin`)).status).toBe(200);
    const elsewhere = await Person.signIn(world);
    await expect(LiveWindow.open(elsewhere, ref)).rejects.toThrow();
    await expect(LiveWindow.open(person, ref, { origin: world.shop.origin })).rejects.toThrow();
    await expect(LiveWindow.open(person, ref, { cookie: "" })).rejects.toThrow();
    const window = await LiveWindow.open(person, ref);
    await window.shows("/sign-in");
    const other = await elsewhere.post(`/continuations/${ref}/complete`);
    expect(other).toMatchObject({ status: 409, json: { reason: "begun_elsewhere" } });
    // Both are told (U39).
    const own = await person.post(`/continuations/${ref}/complete`);
    expect(own.json).toEqual({ outcome: "not_signed_in", tried_elsewhere_at: expect.any(String) });
    window.close();
  },
  TEST_MS,
);

it(
  "a cancellation through the shop's pages succeeds with the reference that is read back",
  async () => {
    const taskId = await ask(cancellation());
    expect((await approve(taskId))["action"]).toMatchObject({ terms: { plan: "Trail Club" } });
    await reaches(taskId, "succeeded");
    expect(arrived()).toEqual({ submits: 1, orders: 0, cancels: 1 });
    expect(await resultOf(taskId)).toMatchObject({ cancellation_ref: expect.stringMatching(/^MC-[0-9A-F]{8}$/) });
  },
  TEST_MS,
);

it(
  "U47 AUT-4 MFA-2 what the person typed, and the session it opened, stand nowhere in plain text",
  async () => {
    const [first, second] = typed;
    assert(first !== undefined && second !== undefined, "the person signed in twice");
    expect(first.pictures).toBeGreaterThan(0);
    const secrets = {
      password: first.password,
      "first code": first.code,
      "second code": second.code,
      "session cookie": await sessionCookie(),
    };
    const told = new Map(typed.map((each, i) => [`what sign-in ${i} was told`, each.told.join("\n")]));
    const replies = new Map<string, string>();
    for (const taskId of tasks) {
      for (const part of ["", "/result", "/receipt"]) {
        const path = `/v1/tasks/${taskId}${part}`;
        replies.set(path, (await agent.get(path)).text);
      }
      for (const part of ["", "/bundle"]) {
        const path = `/tasks/${taskId}${part}`;
        replies.set(path, (await person.get(path)).text);
      }
    }
    for (const path of ["/inbox", "/accounts", "/consents", "/tasks"]) replies.set(path, (await person.get(path)).text);
    const capabilities = `/v1/accounts/${refs.accountRef}/capabilities`;
    replies.set(capabilities, (await agent.get(capabilities)).text);

    const files = filesBelow(world.dataDir, profileRoot);
    // The search is of the real files: those of the store, and those of a running browser.
    expect([...files.keys()].some((path) => path.startsWith(profileRoot))).toBe(true);
    expect(leaks({ "a task": tasks[0] ?? "" }, files)).not.toEqual([]);
    const places = new Map<string, string | Uint8Array>([...told, ...replies, ...files]);
    places.set("the log", world.logLines.join("\n"));
    expect(leaks(secrets, places)).toEqual([]);
    expect(world.shop.control.counters().foreignTokens).toBe(0);
  },
  TEST_MS,
);

async function sessionCookie(): Promise<string> {
  const { core, owner } = world.gateway;
  const { material_ref: ref } = await core.store.db
    .selectFrom("connection")
    .select("material_ref")
    .where("account_ref", "=", refs.accountRef)
    .where("route", "=", "browser")
    .executeTakeFirstOrThrow();
  const material = await core.vault.get(core.store.db, owner.tenantId, ref as VaultRef);
  assert(material.ok, "the material is kept");
  const value = /"name":"hh_session","value":"([^"]{20,})"/.exec(material.value.reveal())?.[1];
  assert(value !== undefined, "the shop's cookie is in the material");
  return value;
}
