import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { createHttpRoute } from "@countersign/route-http";
import { assert, err } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { pinHost } from "../packages/gateway/src/egress/guard.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { filesBelow, leaks } from "./support/leaks.ts";
import { LiveWindow, signInLive } from "./support/live.ts";
import { Person } from "./support/person.ts";
import { bankCode, waitsForBank } from "./support/verification.ts";
import { openWorld, type World } from "./support/world.ts";

/** A real browser on a busy machine. */
const TEST_MS = 180_000;
const REACH_MS = 60_000;
const VERIFICATION = "/checkout/verification/";

let world: World;
let person: Person;
let agent: Agent;
let refs: { readonly accountRef: string; readonly consentRef: string; readonly fulfillmentRef: string };
let profileRoot: string;

beforeAll(async () => {
  profileRoot = mkdtempSync(join(tmpdir(), "countersign-browsers-"));
  const chromium = findChromium(process.env);
  assert(chromium.ok, "these tests need Chromium");
  world = await openWorld({
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
  person = await Person.signIn(world);
  agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination: "practice-shop", route: "browser" });
  await signInLive(person, String(begun.json["continuation_ref"]));
  const accountRef = String(begun.json["account_ref"]);
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
  await person.grant(consentRef, accountRef);
  const { references } = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json;
  const home = (references as { ref: string; label: string }[]).find(({ label }) => label === "Home");
  assert(home !== undefined, "the account has a home address");
  refs = { accountRef, consentRef, fulfillmentRef: home.ref };
}, TEST_MS);

afterAll(async () => {
  await world?.close();
  rmSync(profileRoot, { recursive: true, force: true });
});

let before: { readonly submits: number; readonly orders: number };
beforeEach(() => {
  before = world.shop.control.counters();
});
const arrived = () => {
  const { submits, orders } = world.shop.control.counters();
  return { submits: submits - before.submits, orders: orders - before.orders };
};

async function reaches(taskId: string, ...states: string[]) {
  return until(
    () => agent.task(taskId),
    (r) => states.includes(String(r.json["state"])),
    `${taskId} in ${states.join(" or ")}`,
    REACH_MS,
  );
}

/** An order by the shop's pages that has been sent and waits at the bank's page; with the person's window on it. */
async function waits(): Promise<{ readonly taskId: string; readonly ref: string; readonly window: LiveWindow }> {
  world.shop.control.verifyPayment({ times: 1 });
  const submitted = await agent.post("/v1/tasks", orderRequest(refs));
  const taskId = String(submitted.json["task_id"]);
  await reaches(taskId, "approval_required");
  await person.decide(await person.approvalFor(taskId), "approved");
  const ref = await until(
    () => agent.task(taskId),
    (r) => r.json["continuation_ref"] !== undefined,
    "the verification",
    REACH_MS,
  ).then(() => waitsForBank(agent, taskId));
  const begun = await person.post(`/continuations/${ref}/begin`);
  expect(begun.json, begun.text).toMatchObject({ mode: "live", kind: "verification" });
  const window = await LiveWindow.open(person, ref);
  await until(
    async () => window.path,
    (path) => path.startsWith(VERIFICATION),
    "the bank's page",
    REACH_MS,
  );
  await window.shows(window.path);
  return { taskId, ref, window };
}

it(
  "MFA-6 MFA-2 the person types the bank's code into the very page that waits; a wrong one first; one order",
  async () => {
    const { taskId, ref, window } = await waits();
    expect((await agent.task(taskId)).json["state"]).toBe("executing");
    const early = await person.post(`/continuations/${ref}/complete`);
    expect(early.json).toMatchObject({ outcome: "not_verified" });
    const code = bankCode(person);
    const wrong = code === "314159" ? "271828" : "314159";
    const { moves } = window;
    window.type(wrong);
    window.press("Enter");
    await until(
      async () => world.shop.control.counters().wrongCodes,
      (n) => n === 1,
      "the wrong code at the bank",
      REACH_MS,
    );
    // Its address is the same: what is typed before it has come again goes nowhere.
    await until(
      async () => window.moves,
      (now) => now > moves,
      "the bank's page once more",
      REACH_MS,
    );
    await window.shows(window.path);
    window.type(code);
    window.press("Enter");
    await until(
      async () => window.path,
      (path) => path.endsWith("/confirmed"),
      "the shop's confirmation",
      REACH_MS,
    );
    const done = await person.post(`/continuations/${ref}/complete`);
    expect(done.json).toMatchObject({ outcome: "verified", task_state: "succeeded" });
    expect((await reaches(taskId, "succeeded")).json["continuation_ref"]).toBeUndefined();
    expect(arrived()).toEqual({ submits: 1, orders: 1 });
    // Pages that the gateway opened to look were not the person's.
    expect(window.told.join("\n")).not.toContain('/orders"');
    window.close();
    const bundle = await person.get(`/tasks/${taskId}/bundle`);
    const places = new Map<string, string | Uint8Array>([
      ...filesBelow(world.dataDir),
      ["log", world.logLines.join("\n")],
      ["bundle", bundle.text],
      ["told", window.told.join("\n")],
    ]);
    expect(leaks({ code, wrong }, places)).toEqual([]);
  },
  TEST_MS,
);

it(
  "MFA-6 STA-4 the gateway restarts while the page waits: the page is gone, the outcome unknown, and the order is found",
  async () => {
    const { taskId, ref, window } = await waits();
    window.close();
    await world.restart();
    await reaches(taskId, "outcome_unknown");
    expect((await person.post(`/continuations/${ref}/begin`)).status).toBe(410);
    world.shop.control.bankApproves();
    await reaches(taskId, "succeeded");
    expect(arrived()).toEqual({ submits: 1, orders: 1 });
  },
  TEST_MS,
);
