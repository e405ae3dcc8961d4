import type { Json, JsonObject } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import { orderRequest } from "../../../test/support/agent.ts";
import { until } from "../../../test/support/http.ts";
import { signedParts } from "../../../test/support/leaks.ts";
import { type AgentWorld, type AgentWorldOptions, beginConnecting, connected, openAgentWorld } from "./client-world.ts";

const open: AgentWorld[] = [];
async function started(options: AgentWorldOptions = {}): Promise<AgentWorld> {
  const opened = await openAgentWorld(options);
  open.push(opened);
  return opened;
}
async function ready(options: AgentWorldOptions = {}) {
  const opened = await started(options);
  return { ...opened, refs: await connected(opened) };
}
afterEach(async () => {
  for (const { world, remote } of open.splice(0)) {
    await world.close();
    await remote.close();
  }
});

type Ready = Awaited<ReturnType<typeof ready>>;

async function waiting({ agent, refs }: Ready): Promise<string> {
  const submitted = await agent.post("/v1/tasks", orderRequest(refs));
  expect(submitted.status, submitted.text).toBe(201);
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required", "authentication_required");
  return taskId;
}

async function approved(world: Ready): Promise<string> {
  const taskId = await waiting(world);
  const view = await world.person.approvalFor(taskId);
  expect((await world.person.decide(view, "approved")).status).toBe(200);
  return taskId;
}

/** What the last receipt says, once it is signed. */
async function receiptOf({ agent }: Ready, taskId: string): Promise<string> {
  const reply = await until(
    () => agent.get(`/v1/tasks/${taskId}/receipt`),
    ({ text }) => signedParts(text).some((part) => part.includes('"outcome":"succeeded"')),
    "the receipt of the order",
  );
  return signedParts(reply.text).join("\n");
}

const orderCalls = ({ remote }: Ready): number =>
  remote.seen.filter(({ body }) => body.includes('"skill":"order"')).length;

/** Puts something else into the task of an answer. */
function inTask(change: (task: JsonObject) => JsonObject): (answer: JsonObject) => JsonObject {
  return (answer) => {
    const result = answer["result"] as JsonObject;
    return { ...answer, result: { task: change(result["task"] as JsonObject) } };
  };
}

const firstData = (data: Json) => [{ artifactId: "x", parts: [{ data }] }];

describe("STA-4 an agent that lies about an order proves nothing, and there is one order", () => {
  it.each<readonly [string, (answer: JsonObject) => JsonObject]>([
    ["completed, without a result", inTask(({ artifacts: _, ...task }) => task)],
    ["a state that is none", inTask((task) => ({ ...task, status: { state: "COMPLETED" } }))],
    ["two results", inTask((task) => ({ ...task, artifacts: [{ parts: [{ data: {} }, { data: {} }] }] }))],
    [
      "a result about another item",
      inTask((task) => ({ ...task, artifacts: firstData({ number: "AO-9", sku: "X", total_minor: 1 }) })),
    ],
    ["the answer to another request", (answer) => ({ ...answer, id: "another" })],
    ["a result and an error", (answer) => ({ ...answer, error: { code: -32_001, message: "no" } })],
    [
      "a task that failed without a word",
      inTask((task) => ({ ...task, status: { state: "TASK_STATE_FAILED" }, artifacts: [] })),
    ],
    ["no answer at all but a list", () => [] as unknown as JsonObject],
  ])("%s", async (_name, lie) => {
    const world = await ready();
    world.remote.faults.lie = lie;
    const taskId = await approved(world);
    expect(await world.agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
    // Not by the answer: the list of orders says so.
    expect(await receiptOf(world, taskId)).toContain("read back at the site");
    const result = await world.agent.get(`/v1/tasks/${taskId}/result`);
    expect(result.json["result"]).toMatchObject({ order_number: "AO-1", total_minor: 4990 });
    expect(world.remote.orders).toHaveLength(1);
    expect(orderCalls(world)).toBe(1);
  });

  it("the answer is about another task than the one that was named", async () => {
    const world = await ready({ by: "task" });
    world.remote.faults.lie = inTask((task) => ({ ...task, id: "another-task" }));
    const taskId = await approved(world);
    expect(await world.agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
    expect(await receiptOf(world, taskId)).toContain("read back at the site");
    expect(world.remote.orders).toHaveLength(1);
  });
});

it("APR-2 the agent's price rises between the approval and the order: the person is asked again, and nothing is ordered", async () => {
  const world = await ready();
  const taskId = await waiting(world);
  const view = await world.person.approvalFor(taskId);
  world.remote.faults.dearer = 500;
  expect((await world.person.decide(view, "approved")).status).toBe(200);
  const again = await until(
    () => world.person.approvalFor(taskId).catch(() => ({}) as JsonObject),
    (next) => next["action_id"] !== undefined && next["action_id"] !== view["action_id"],
    "a fresh record",
  );
  expect(again["action"]).toMatchObject({ terms: { total_minor: 5490 } });
  expect(world.remote.orders).toHaveLength(0);
  expect(orderCalls(world)).toBe(0);
});

it("REC-1 an agent that charges more than it said is told apart, and the person is asked to look", async () => {
  const world = await ready();
  world.remote.faults.overcharge = 700;
  const taskId = await approved(world);
  await world.agent.reaches(taskId, "succeeded");
  expect(await receiptOf(world, taskId)).toContain("terms_exceeded");
  expect(world.remote.orders).toHaveLength(1);
});

it("STA-4 a refusal in words that are known ends it; an order that never got through is not done after a while", async () => {
  const world = await ready();
  world.remote.faults.soldOut = true;
  const refusedId = await approved(world);
  expect(await world.agent.reaches(refusedId, "failed")).toMatchObject({ state: "failed", reason: "site_refused" });
  world.remote.faults.soldOut = false;
  world.remote.faults.cutBeforeOrder = true;
  const lostId = await approved(world);
  await world.agent.reaches(lostId, "outcome_unknown");
  world.world.advance(150_000);
  expect(await world.agent.reaches(lostId, "failed")).toMatchObject({ state: "failed", reason: "not_done" });
  expect(world.remote.orders).toHaveLength(0);
});

describe("PLG-6 before anything is sent to an agent", () => {
  const refusedBy = async (world: AgentWorld): Promise<string> => {
    const answer = await (await beginConnecting(world)).submit();
    expect(answer["kind"]).toBe("refused");
    return String(answer["message"]);
  };

  it("a required extension that is not spoken refuses it: not one request", async () => {
    const world = await started({ spoken: [] });
    expect(await refusedBy(world)).toContain("requires an extension that is not spoken here");
    expect(world.remote.calls()).toBe(0);
    expect(world.remote.seen.map(({ path }) => path)).toEqual(["/.well-known/agent-card.json"]);
    // Its card was not signed by anybody who is trusted, then by nobody, then it lets anybody in, then it is elsewhere.
    world.remote.sign = false;
    expect(await refusedBy(world)).toContain("not signed");
    world.remote.sign = true;
    world.remote.card = (card) => ({ ...card, securityRequirements: [{}] });
    expect(await refusedBy(world)).toContain("lets anybody in");
    world.remote.card = (card) => ({
      ...card,
      capabilities: {},
      supportedInterfaces: [{ url: "https://evil.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    });
    expect(await refusedBy(world)).toContain("leads to an address that is not its own");
    world.remote.card = (card) => ({
      ...card,
      capabilities: { extensions: [{ uri: "urn:example:x:1", params: { deep: [{ api_key: "planted-value" }] } }] },
    });
    const told = await refusedBy(world);
    expect(told).toContain("/capabilities/extensions/0/params/deep/0/api_key");
    expect(told + world.world.logLines.join("")).not.toContain("planted-value");
    expect(world.remote.calls()).toBe(0);
  });

  it("a card that has become less safe stops what is under way, and so does a skill that has changed", async () => {
    const world = await ready();
    const calls = world.remote.calls();
    world.remote.card = (card) => ({ ...card, capabilities: {} });
    await world.world.restart();
    const taken = await world.agent.post("/v1/tasks", orderRequest(world.refs));
    const failed = await world.agent.reaches(String(taken.json["task_id"]), "failed");
    expect(failed).toMatchObject({ state: "failed", reason: "site_gap" });
    expect(world.world.logLines.join("")).toContain("downgrade");
    world.remote.card = (card) => ({
      ...card,
      skills: (card["skills"] as JsonObject[]).map((s) => (s["id"] === "quote" ? { ...s, description: "Orders." } : s)),
    });
    await world.world.restart();
    const second = await world.agent.post("/v1/tasks", orderRequest(world.refs));
    expect(await world.agent.reaches(String(second.json["task_id"]), "failed")).toMatchObject({ reason: "site_gap" });
    expect(world.remote.calls()).toBe(calls);
  });

  it("an agent that does not activate what it requires is not gone on with", async () => {
    const world = await ready();
    world.remote.faults.silentAboutExtensions = true;
    const taken = await world.agent.post("/v1/tasks", orderRequest(world.refs));
    expect(await world.agent.reaches(String(taken.json["task_id"]), "failed")).toMatchObject({ reason: "site_gap" });
    expect(world.remote.orders).toHaveLength(0);
  });
});

describe("MAP-2 who the agent is told it acts for", () => {
  it("by a token of our own for it alone; nothing of the caller's leaves, by any way, at any time", async () => {
    const world = await ready();
    const taskId = await approved(world);
    await world.agent.reaches(taskId, "succeeded");
    const everything = world.remote.seen.map(({ path, head, body }) => `${path}\n${head}\n${body}`).join("\n");
    const [, payload = "", signature = ""] = world.agent.token.split(".");
    const { jti, sub } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as JsonObject;
    for (const part of [world.agent.token, payload, signature, String(jti), String(sub), world.agent.clientId])
      expect(everything).not.toContain(part);
    // Nor our own names for the person, the account and the grant.
    for (const own of [world.refs.accountRef, world.refs.consentRef, world.world.gateway.owner.personId])
      expect(everything).not.toContain(own);
    const tokens = new Set([...everything.matchAll(/Bearer (\S+)/g)].map(([, token]) => token ?? ""));
    expect(tokens.size).toBeGreaterThan(1);
    for (const token of tokens) {
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as JsonObject;
      expect(Object.keys(claims).sort()).toEqual(["aud", "client_id", "exp", "iat", "iss", "jti", "sub"]);
      expect(claims).toMatchObject({ aud: world.remote.origin, iss: world.world.issuer });
      expect(Number(claims["exp"]) - Number(claims["iat"])).toBeLessThanOrEqual(300);
      // It opens nothing here.
      const back = await world.agent.get("/v1/accounts");
      expect(back.status).toBe(200);
      const stolen = new (world.agent.constructor as typeof import("../../../test/support/agent.ts").Agent)(
        world.world,
        "x",
        token,
      );
      expect((await stolen.get("/v1/accounts")).status).toBe(401);
      // And it stands nowhere that somebody else reads.
      expect(world.world.logLines.join("\n")).not.toContain(token.split(".")[2]);
    }
    expect(world.remote.subjects.size).toBe(1);
  });

  it("the agent wants to see the person first: the state is passed on, and its link only when it is its own", async () => {
    const world = await started();
    world.remote.faults.signInFirst = "Go to https://phish.example/login?x=1 now.";
    const connecting = await beginConnecting(world);
    const foreign = await connecting.submit();
    expect(foreign).toMatchObject({ kind: "refused" });
    expect(String(foreign["message"])).not.toContain("phish");
    world.remote.faults.signInFirst = `Please sign in at ${world.remote.origin}/link/77.`;
    expect(String((await connecting.submit())["message"])).toContain(`${world.remote.origin}/link/77 first`);
    delete world.remote.faults.signInFirst;
    expect(await connecting.submit()).toMatchObject({ kind: "done" });
  });

  it("a task meets it on the way: it waits for the person, and the agent's words reach nobody else", async () => {
    const world = await ready();
    world.remote.faults.signInFirst = "Enter the code canary-4711-code at https://phish.example/.";
    const taskId = await waiting(world);
    const view = await world.agent.task(taskId);
    expect(view.json["state"]).toBe("authentication_required");
    expect(view.text).not.toMatch(/phish|canary-4711/);
  });
});

it("requests to an agent are signed by whoever proves who is calling, the order too", async () => {
  const signed: string[] = [];
  const world = await ready({
    identities: new Map([
      [
        "badge",
        {
          async sign(_ctx: unknown, request: Request) {
            signed.push(new URL(request.url).pathname);
            const headers = new Headers(request.headers);
            headers.set("x-badge", "gateway");
            headers.set("authorization", "Bearer somebody-else");
            return new Request(request, { headers });
          },
        },
      ],
    ]),
  });
  const taskId = await approved(world);
  await world.agent.reaches(taskId, "succeeded");
  const calls = world.remote.seen.filter(({ path }) => path.startsWith("/a2a"));
  expect(calls.length).toBe(signed.length);
  for (const { head } of calls) {
    expect(head).toContain("x-badge\ngateway");
    expect(head).not.toContain("somebody-else");
  }
});
