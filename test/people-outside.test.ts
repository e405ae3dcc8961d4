import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { findChromium } from "@countersign/route-browser";
import { assert, type JsonObject } from "@countersign/wire";
import { chromium } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { OUTSIDE_SIGN_IN_LIFE_MS } from "../packages/gateway/src/limits.ts";
import { orderRequest } from "./support/agent.ts";
import { type OutsideProvider, startOutsideProvider } from "./support/outside-provider.ts";
import { PasskeyDevice } from "./support/passkey-device.ts";
import { Visitor } from "./support/visitor.ts";
import { readyWorld } from "./support/world.ts";

let outside: OutsideProvider;
let ready: Awaited<ReturnType<typeof readyWorld>>;

beforeEach(async () => {
  outside = await startOutsideProvider();
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  ready = await readyWorld({
    openid: outside.setting,
    console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES },
  });
  outside.serve(ready.world.issuer);
});
afterEach(async () => {
  await ready.world.close();
  await outside.close();
});

async function begin(visitor: Visitor, back = "/agents"): Promise<string> {
  const begun = await visitor.post("/sign-in/outside/begin", { back });
  expect(begun.status, begun.text).toBe(200);
  return String(begun.json["url"]);
}

async function brought(visitor: Visitor, back?: string): Promise<Record<string, string>> {
  return Object.fromEntries(await outside.visit(await begin(visitor, back)));
}

const finish = (visitor: Visitor, answer: JsonObject) => visitor.post("/sign-in/outside/finish", answer);

it("a person whom the operator named signs in by the outside provider, and is back where they wanted to go", async () => {
  const visitor = new Visitor(ready.world.issuer);
  expect((await visitor.get("/sign-in")).json).toEqual({ outside: { title: "Acme ID" } });
  const url = new URL(await begin(visitor));
  expect(url.searchParams.get("code_challenge_method")).toBe("S256");
  expect(url.searchParams.get("redirect_uri")).toBe(`${ready.world.issuer}/outside-sign-in`);
  expect((url.searchParams.get("state") ?? "").length).toBeGreaterThan(30);
  expect((url.searchParams.get("nonce") ?? "").length).toBeGreaterThan(30);
  const done = await finish(visitor, await brought(visitor));
  expect([done.status, done.json]).toEqual([200, { back: "/agents" }]);
  expect((await visitor.get("/session")).json).toMatchObject({ began: "outside" });
});

it("an answer counts once, in its time, in the browser that began; whoever else brings it gets the one refusal", async () => {
  const visitor = new Visitor(ready.world.issuer);
  const answer = await brought(visitor);
  const thief = new Visitor(ready.world.issuer);
  expect((await finish(thief, answer)).json["reason"]).toBe("forbidden");
  await begin(thief);
  expect((await finish(thief, answer)).json["reason"]).toBe("forbidden");
  expect((await finish(visitor, answer)).status).toBe(200);

  // Two codes for one sign-in, as of a page that was loaded twice: the second is one too many.
  const twice = new Visitor(ready.world.issuer);
  const url = await begin(twice);
  const codes = [Object.fromEntries(await outside.visit(url)), Object.fromEntries(await outside.visit(url))];
  const kept = new Map(twice.cookies);
  expect((await finish(twice, codes[0] ?? {})).status).toBe(200);
  for (const [name, value] of kept) twice.cookies.set(name, value);
  expect((await finish(twice, codes[1] ?? {})).json["reason"]).toBe("forbidden");

  const late = new Visitor(ready.world.issuer);
  const old = await brought(late);
  ready.world.advance(OUTSIDE_SIGN_IN_LIFE_MS);
  expect((await finish(late, old)).json["reason"]).toBe("forbidden");
});

it("a code of another sign-in, a foreign issuer and an unknown subject are refused alike", async () => {
  const visitor = new Visitor(ready.world.issuer);
  const one = await brought(visitor);
  const two = await brought(visitor);
  // The code of one sign-in with the state of another: its nonce and its verifier do not fit.
  expect((await finish(visitor, { ...one, code: two["code"] ?? "" })).json["reason"]).toBe("forbidden");
  const three = await brought(visitor);
  expect((await finish(visitor, { ...three, iss: "http://127.0.0.1:1" })).json["reason"]).toBe("forbidden");
  outside.subject = "mallory";
  const unknown = await brought(visitor);
  expect((await finish(visitor, unknown)).json["reason"]).toBe("forbidden");
  expect(visitor.cookies.has("__Host-countersign")).toBe(false);
  for (const line of ready.world.logLines) {
    expect(line).not.toContain(String(unknown["code"]));
    expect(line).not.toContain("mallory");
  }
});

it("the way back is a path of ours whatever was asked", async () => {
  for (const back of ["//evil.example", "https://evil.example/", "/\\evil.example", "/tasks?x=1"]) {
    const visitor = new Visitor(ready.world.issuer);
    expect((await finish(visitor, await brought(visitor, back))).json).toEqual({ back: "/" });
  }
});

it("a provider that is away says so, and nothing else is lost", async () => {
  await outside.close();
  const visitor = new Visitor(ready.world.issuer);
  expect((await visitor.post("/sign-in/outside/begin", { back: "/" })).json["reason"]).toBe("site_unavailable");
  expect((await visitor.byLink((await ready.world.gateway.signInLink()).reveal())).status).toBe(204);
});

it("APR-3 an outside sign-in alone never satisfies the policy passkey, and a passkey made in its session settles", async () => {
  await askGateway(ready.world.dataDir, { command: "policy_set", operation: "retail.order.submit", policy: "passkey" });
  const visitor = new Visitor(ready.world.issuer);
  await finish(visitor, await brought(visitor));
  const task = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(task.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  const view = await ready.person.approvalFor(taskId);
  const href = `/approvals/${String(view["action_id"])}/decision`;
  const action = view["action"] as { private: { display_text: string } };
  const decision = (passkey?: JsonObject): JsonObject => ({
    decision: "approved",
    action_digest: String(view["action_digest"]),
    surface: { version: "test", display_digest: action.private.display_text, build_digest: "A".repeat(43) },
    ...(passkey === undefined ? {} : { passkey }),
  });
  expect((await visitor.post(href, decision())).json["reason"]).toBe("passkey_required");
  const device = new PasskeyDevice(ready.world.issuer);
  const asked = (await visitor.post("/passkeys/begin")).json["options"] as JsonObject;
  const made = await visitor.post("/passkeys/finish", { label: "Laptop", answer: device.register(asked) });
  expect(made.json["standing"]).toBe("settling");
  const signed = device.approve(String(view["action_digest"]));
  expect((await visitor.post(href, decision(signed))).json["reason"]).toBe("passkey_refused");
});

it("in a real browser: from the page that was asked for, to the provider, and back to it", async () => {
  const found = findChromium(process.env);
  assert(found.ok, "a Chromium is installed");
  const browser = await chromium.launch({
    executablePath: found.value,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${ready.world.issuer}/agents`);
    if (process.env["COUNTERSIGN_PICTURES"] !== undefined)
      await page.screenshot({ path: `${process.env["COUNTERSIGN_PICTURES"]}/people-outside.png`, fullPage: true });
    await page.getByRole("button", { name: "Sign in with Acme ID" }).click();
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    expect(page.url()).toBe(`${ready.world.issuer}/agents`);
    await page.goto(`${ready.world.issuer}/outside-sign-in?code=x&state=y`);
    expect(page.url()).toBe(`${ready.world.issuer}/outside-sign-in`);
    await page.getByText("That sign-in was not taken").waitFor();
  } finally {
    await browser.close();
  }
});
