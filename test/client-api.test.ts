import { inspect } from "node:util";
import {
  type Client,
  type Clock,
  type ConsentAsk,
  createClient,
  memoryOfIds,
  refreshingToken,
  type TaskView,
  verifyWebhook,
  type Wish,
} from "@countersign/client";
import {
  accountsView,
  capabilitiesView,
  consentView,
  receiptView,
  resultView,
  taskChanged,
  taskView,
  withdrawnView,
} from "@countersign/profile";
import { assert, type JsonObject, type Result, secret } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import type { ConsentRequest } from "../packages/gateway/src/consent/consents.ts";
import { hoursAhead } from "./support/agent.ts";
import { type Cut, type CuttingProxy, openCuttingProxy } from "./support/cutting-proxy.ts";
import { until } from "./support/http.ts";
import { openReceiver } from "./support/webhook.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let proxy: CuttingProxy;
/** Real time, without the long pauses between tries. */
const hasty: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms <= 10_000 ? Math.min(ms, 20) : ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

beforeEach(async () => {
  ready = await readyWorld({ taskWebhooks: "loopback_too" });
  proxy = await openCuttingProxy(ready.world.issuer);
});
afterEach(async () => {
  await proxy.close();
  await ready.world.close();
});

const client = (gateway = ready.world.issuer, token = ready.agent.token): Client =>
  createClient({ gateway, token: secret(token), clock: hasty });
function order(change: Partial<Wish> = {}): Wish {
  return {
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    operation: "retail.order.submit",
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 6000,
      currency: "EUR",
      fulfillment_ref: ready.fulfillmentRef,
    },
    expires_at: hoursAhead(2),
    ...change,
  };
}
function value<T>(result: Result<T, unknown>): T {
  assert(result.ok, `a value: ${result.ok ? "" : JSON.stringify(result.reason)}`);
  return result.value;
}
const tasksInStore = () => inStore(ready.world.gateway, (db) => db.selectFrom("task").select("task_id").execute());
const approve = async (taskId: string) => ready.person.decide(await ready.person.approvalFor(taskId), "approved");

it("asks for grants with the members that the gateway takes", () => {
  expectTypeOf<keyof ConsentAsk>().toEqualTypeOf<keyof ConsentRequest>();
});

it("goes from what it may do to a receipt; every answer is what the contract says", async () => {
  const agent = client();
  const accounts = value(await agent.accounts());
  expect(() => accountsView.parse({ accounts })).not.toThrow();
  const accountRef = accounts[0]?.account_ref ?? "";
  const capabilities = capabilitiesView.parse(value(await agent.capabilities(accountRef)));
  expect(capabilities.operations.map((o) => o.operation)).toContain("retail.order.submit");
  const consents = value(await agent.consents());
  expect(consents.map((c) => consentView.parse(c).consent_ref)).toEqual([ready.consentRef]);

  const { task, replayed, idempotencyKey } = value(await agent.submit(order()));
  taskView.parse(task);
  expect([replayed, idempotencyKey]).toEqual([false, expect.stringMatching(/^wish_/)]);
  const seen: string[] = [];
  let approved: Promise<unknown> | undefined;
  const done = value(
    await agent.wait(task.task_id, {
      onChange(now) {
        taskView.parse(now);
        seen.push(now.state);
        if (now.state === "approval_required") approved ??= approve(now.task_id);
      },
    }),
  );
  await approved;
  expect(done.state).toBe("succeeded");
  expect(seen.at(-1)).toBe("succeeded");
  expect(seen).toContain("approval_required");
  expect(resultView.parse(value(await agent.result(task.task_id))).result).toMatchObject({ total_minor: 4990 });
  const receipt = await until(
    () => agent.receipt(task.task_id),
    (got) => got.ok,
    "the receipt",
  );
  receiptView.parse(value(receipt));
  expect(value(await agent.tasks()).map((t) => t.task_id)).toEqual([task.task_id]);
  expect(value(await agent.tasks({ state: "open" }))).toEqual([]);
  const late = withdrawnView.parse(value(await agent.cancel(task.task_id)));
  expect(late).toMatchObject({ state: "succeeded", withdrawal: "already_settled" });
});

describe("a line that breaks", () => {
  const CUTS: readonly (readonly [string, Cut])[] = [
    ["before anything is said", { at: "connect" }],
    ["after the first byte", { at: "request", bytes: 1 }],
    ["within the head", { at: "request", bytes: 200 }],
    ["within the body", { at: "request", bytes: 1_200 }],
    ["after the request, before the answer", { at: "answer", bytes: 0 }],
    ["after the answer's first byte", { at: "answer", bytes: 1 }],
    ["within the answer's head", { at: "answer", bytes: 300 }],
    ["before the answer's last byte", { at: "answer", bytes: -1 }],
  ];
  it.each(CUTS)("U14 %s: the wish is one task, and is told so", async (_, cut) => {
    proxy.cuts.push(cut);
    const submitted = value(await client(proxy.origin).submit(order()));
    expect(proxy.cut).toBe(1);
    expect(await tasksInStore()).toEqual([{ task_id: submitted.task.task_id }]);
  });

  it("U14 again and again: still one task, and the key is the same", async () => {
    for (const [, cut] of CUTS.slice(3, 7)) proxy.cuts.push(cut);
    const { task, replayed } = value(await client(proxy.origin).submit(order()));
    expect([proxy.cut, replayed]).toEqual([4, true]);
    expect(await tasksInStore()).toEqual([{ task_id: task.task_id }]);
  });

  it("for good: the caller hears that it may have arrived, and the same wish later is the same task", async () => {
    for (let i = 0; i < 20; i += 1) proxy.cuts.push({ at: "answer", bytes: 0 });
    const wish = order();
    const lost = await client(proxy.origin).submit(wish);
    expect(lost).toMatchObject({ ok: false, reason: { reason: "unreachable" } });
    // Another process of the agent, which kept nothing but the wish.
    const { task, replayed } = value(await client().submit(wish));
    expect(replayed).toBe(true);
    expect(await tasksInStore()).toEqual([{ task_id: task.task_id }]);
  });

  it("while it waits: it goes on after what it heard, and submits nothing", async () => {
    const agent = client(proxy.origin);
    const { task } = value(await agent.submit(order()));
    const states: TaskView["state"][] = [];
    let breaks = 0;
    let approved: Promise<unknown> | undefined;
    const waited = agent.wait(task.task_id, {
      onChange(now) {
        states.push(now.state);
        breaks += 1;
        proxy.breakAll();
        if (now.state === "approval_required") approved ??= approve(now.task_id);
      },
    });
    expect(value(await waited).state).toBe("succeeded");
    await approved;
    expect(breaks).toBeGreaterThan(1);
    expect(await tasksInStore()).toHaveLength(1);
    expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("a question to the account holder is not asked twice", async () => {
    const before = await inStore(ready.world.gateway, (db) => db.selectFrom("consent").select("consent_ref").execute());
    proxy.cuts.push({ at: "answer", bytes: 0 });
    const asked = await client(proxy.origin).askConsent({
      destination: "practice-shop",
      operations: ["retail.orders.list"],
      purpose: "To see what was bought",
      expires_at: hoursAhead(24),
    });
    expect(asked).toMatchObject({ ok: false, reason: { reason: "unreachable" } });
    const after = await inStore(ready.world.gateway, (db) => db.selectFrom("consent").select("consent_ref").execute());
    expect(after.length - before.length).toBe(1);
  });
});

describe("waiting", () => {
  it("is bounded, and its end cancels nothing", async () => {
    const { task } = value(await client().submit(order()));
    const waited = await client().wait(task.task_id, { timeoutMs: 300 });
    expect(waited).toMatchObject({ ok: false, reason: { reason: "timed_out" } });
    expect((await ready.agent.reaches(task.task_id, "approval_required"))["state"]).toBe("approval_required");
  });

  it("ends when it is aborted, and at what the caller waits for", async () => {
    const { task } = value(await client().submit(order()));
    const waits = client().wait(task.task_id, { until: (now) => now.state === "approval_required" });
    expect(value(await waits).state).toBe("approval_required");
    const stop = new AbortController();
    const waited = client().wait(task.task_id, { signal: stop.signal, onChange: () => stop.abort() });
    expect(await waited).toMatchObject({ ok: false, reason: { reason: "aborted" } });
    expect(value(await client().task(task.task_id)).state).toBe("approval_required");
  });

  it("goes on without a stream, by looking as often as the gateway says", async () => {
    const agent = createClient({
      gateway: ready.world.issuer,
      token: secret(ready.agent.token),
      clock: hasty,
      fetch: (input, init) =>
        String(input).endsWith("/events") ? Promise.resolve(new Response("", { status: 404 })) : fetch(input, init),
    });
    const { task } = value(await agent.submit(order()));
    expect(value(await agent.wait(task.task_id, { until: (t) => t.state === "approval_required" })).state).toBe(
      "approval_required",
    );
  });
});

describe("refusals", () => {
  it("are the API's own reasons, with where the rule was broken", async () => {
    const unknown = await client().task("task_unknown");
    expect(unknown).toEqual({
      ok: false,
      reason: { reason: "not_found", status: 404, title: "There is nothing here for you under that reference." },
    });
    const wish = order();
    value(await client().submit({ ...wish, idempotency_key: "key-1" }));
    const other = await client().submit(
      order({ idempotency_key: "key-1", parameters: { ...wish.parameters, quantity: 2 } }),
    );
    expect(other).toMatchObject({ ok: false, reason: { reason: "idempotency_conflict", status: 409 } });
    const bad = await client().submit(order({ parameters: { ...wish.parameters, colour: "red" } }));
    expect(bad).toMatchObject({
      ok: false,
      reason: { reason: "invalid_request", problems: [{ rule: "unknown member" }] },
    });
  });

  it("what is no gateway is told so, and a redirect is not followed", async () => {
    const agent = (answer: Response) =>
      createClient({ gateway: "https://gateway.example", token: secret("t"), clock: hasty, fetch: async () => answer });
    const page = await agent(new Response("<html>", { headers: { "content-type": "text/html" } })).task("task_1");
    expect(page).toMatchObject({ ok: false, reason: { reason: "unexpected_answer" } });
    const other = await agent(Response.json({ hello: "world" })).task("task_1");
    expect(other).toMatchObject({ ok: false, reason: { reason: "unexpected_answer" } });
    let redirect: RequestInit["redirect"];
    const asked = createClient({
      gateway: "https://gateway.example",
      token: secret("t"),
      clock: hasty,
      fetch: async (_input, init) => {
        redirect = init?.redirect;
        throw new TypeError("unexpected redirect");
      },
    });
    expect(await asked.task("task_1")).toMatchObject({ ok: false, reason: { reason: "unreachable" } });
    expect(redirect).toBe("error");
    expect(() => createClient({ gateway: "http://gateway.example", token: secret("t") })).toThrow(TypeError);
    expect(() => createClient({ gateway: "https://gateway.example/v1", token: secret("t") })).toThrow(TypeError);
  });

  it("U52 no error and no client shows a token", async () => {
    const canary = "canary-token-4711";
    const agent = createClient({
      gateway: ready.world.issuer,
      token: secret(canary),
      clock: hasty,
      fetch: async (input, init) => {
        if (String(input).endsWith("/v1/accounts")) throw new Error(`cannot send ${JSON.stringify(init?.headers)}`);
        return fetch(input, init);
      },
    });
    const shown = [await agent.task("task_1"), await agent.accounts(), agent].flatMap((one) => [
      inspect(one, { depth: 9, showHidden: true }),
      JSON.stringify(one) ?? "",
    ]);
    expect(shown.join("\n")).not.toContain("canary");
    expect(shown[0]).toContain("unauthenticated");
  });
});

describe("tokens", () => {
  async function credential(): Promise<JsonObject> {
    const added = await askGateway(ready.world.dataDir, { command: "agent_add", name: "Client" });
    assert(added.ok, "an agent can be asked for");
    const id = String(added.value["client_id"]);
    await ready.person.post(`/agents/${id}/decision`, { decision: "accept" });
    const given = await askGateway(ready.world.dataDir, { command: "agent_credential", client_id: id });
    assert(given.ok, "the credential can be fetched once");
    return given.value;
  }

  it("U48 twenty calls at once renew once; the next refresh token is kept before the token is used", async () => {
    const given = await credential();
    const order: string[] = [];
    const kept: string[] = [];
    const token = refreshingToken({
      clientId: String(given["client_id"]),
      tokenEndpoint: String(given["token_endpoint"]),
      resource: String(given["resource"]),
      refreshToken: secret(String(given["refresh_token"])),
      keep: async (next) => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push("kept");
        kept.push(next.reveal());
      },
    });
    let refuse = true;
    const agent = createClient({
      gateway: ready.world.issuer,
      token,
      clock: hasty,
      fetch: (input, init) => {
        order.push("sent");
        // One token that runs out on its way.
        if (refuse) {
          refuse = false;
          return Promise.resolve(new Response("{}", { status: 401 }));
        }
        return fetch(input, init);
      },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.accounts()));
    expect(answers.every((answer) => answer.ok)).toBe(true);
    expect(kept).toHaveLength(2);
    expect(new Set([...kept, String(given["refresh_token"])]).size).toBe(3);
    expect(order[0]).toBe("kept");
  });

  it("an agent that is no longer let in hears that it has no token", async () => {
    const given = await credential();
    await ready.person.post(`/agents/${String(given["client_id"])}/revoke`);
    const token = refreshingToken({
      clientId: String(given["client_id"]),
      tokenEndpoint: String(given["token_endpoint"]),
      resource: String(given["resource"]),
      refreshToken: secret(String(given["refresh_token"])),
      keep: () => {},
    });
    const agent = createClient({ gateway: ready.world.issuer, token, clock: hasty });
    expect(await agent.accounts()).toMatchObject({ ok: false, reason: { reason: "no_token" } });
  });
});

it("a webhook that the gateway sends is verified, once, and names the task that has moved", async () => {
  const hooks = await openReceiver();
  try {
    const agent = client();
    const { secret: text } = value(await agent.addWebhook(hooks.url));
    const { task } = value(await agent.submit(order()));
    const got = await until(
      async () => hooks.delivered.find((one) => one.body.includes("approval_required")),
      (one) => one !== undefined,
      "the webhook",
    );
    assert(got !== undefined, "it came");
    const seen = memoryOfIds();
    const options = { secret: secret(text), seen };
    const heard = value(await verifyWebhook(got, options));
    expect(taskChanged.parse(heard).data).toMatchObject({ task_id: task.task_id, state: "approval_required" });
    expect(value(await agent.task(heard.data.task_id)).revision).toBe(heard.data.revision);
    expect(await verifyWebhook(got, options)).toEqual({ ok: false, reason: "replayed" });
    const [hook] = value(await agent.webhooks());
    value(await agent.removeWebhook(hook?.webhook_id ?? ""));
    expect(value(await agent.webhooks())).toEqual([]);
  } finally {
    await hooks.close();
  }
});
