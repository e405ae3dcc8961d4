import type { JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Agent } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { callTool, type McpReady, mcpClient, mcpWorld, orderArguments, rawCall, rawResult } from "./support/mcp.ts";

let ready: McpReady;
beforeAll(async () => {
  ready = await mcpWorld();
});
afterAll(() => ready.world.close());

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const URL_ONLY = { elicitation: { url: {} } };

const order = (args: JsonObject, more: JsonObject = {}): JsonObject => ({
  method: "tools/call",
  params: { name: "retail_order_submit", arguments: args, ...more },
});
const tasks = (method: string, taskId: string, more: JsonObject = {}): JsonObject => ({
  method: `tasks/${method}`,
  params: { taskId, ...more },
});
const withdraw = async (taskId: string) => {
  const client = await mcpClient(ready.url, ready.token);
  const reply = await callTool(client, "task_cancel", { task_id: taskId });
  await client.close();
  return reply;
};
const submits = () => ready.world.shop.control.counters().submits;

describe("MAP-1 a page for the client's user to open", () => {
  it("APR-3 a forged accept approves nothing; only the person's own session decides", async () => {
    const before = submits();
    const args = orderArguments(ready);
    const first = await rawResult(await rawCall(ready, order(args), { capabilities: URL_ONLY }));
    expect(first["resultType"]).toBe("input_required");
    const asked = (first["inputRequests"] as JsonObject)["account_holder"] as JsonObject;
    const page = asked["params"] as JsonObject;
    expect(page).toMatchObject({ mode: "url" });
    expect(String(page["url"])).toMatch(new RegExp(`^${ready.world.issuer}/tasks/[^/?#]+$`));
    const accept = { account_holder: { action: "accept" } };
    const state = first["requestState"] as string;
    const again = rawCall(ready, order(args, { requestState: state, inputResponses: accept }), {
      capabilities: URL_ONLY,
    });
    const taskId = String(page["url"]).split("/").at(-1) ?? "";
    // While the repeated call waits, nothing has moved: the accept was no decision.
    expect((await ready.agent.task(taskId)).json["state"]).toBe("approval_required");
    expect(submits()).toBe(before);
    await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
    const second = await rawResult(await again);
    expect(second).toMatchObject({
      resultType: "complete",
      structuredContent: { task_id: taskId, state: "succeeded" },
    });
    expect(submits()).toBe(before + 1);
  });

  it("MFA-1 a read that waited for the person's sign-in goes on as the same task when it is asked again", async () => {
    ready.world.shop.control.endSession();
    const { account_ref = "", consent_ref = "" } = orderArguments(ready);
    const read = (more: JsonObject = {}): JsonObject => ({
      method: "tools/call",
      params: { name: "retail_orders_list", arguments: { account_ref, consent_ref, parameters: {} }, ...more },
    });
    const first = await rawResult(await rawCall(ready, read(), { capabilities: URL_ONLY }));
    expect(first["resultType"]).toBe("input_required");
    const { params } = (first["inputRequests"] as JsonObject)["account_holder"] as { readonly params: JsonObject };
    await ready.person.signInAtShop(String(params["url"]).split("/continuations/").at(-1) ?? "");
    const more = {
      requestState: first["requestState"] ?? "",
      inputResponses: { account_holder: { action: "accept" } },
    };
    const second = await rawResult(await rawCall(ready, read(more), { capabilities: URL_ONLY }));
    expect(second).toMatchObject({ resultType: "complete", structuredContent: { state: "succeeded" } });
  });

  it("the kept state is good for this caller, this call, once", async () => {
    const args = orderArguments(ready);
    const ask = async () => rawResult(await rawCall(ready, order(args), { capabilities: URL_ONLY }));
    const state = String((await ask())["requestState"]);
    const page = (((await ask())["inputRequests"] as JsonObject)["account_holder"] as JsonObject)[
      "params"
    ] as JsonObject;
    const decline = { account_holder: { action: "decline" } };
    const code = async (reply: Response) => (await rawResult(reply))["code"];
    const stranger = await Agent.join(ready.world, ready.person, "Stranger");
    const theirs = { url: ready.url, token: await stranger.tokenFor(ready.url) };
    const grant = await stranger.askGrant({ account_ref: ready.accountRef, operations: ["retail.order.submit"] });
    await ready.person.grant(grant, ready.accountRef);
    const last = state.at(-1) === "A" ? "B" : "A";
    const more = { requestState: state, inputResponses: decline };
    expect(await code(await rawCall(theirs, order(args, more), { capabilities: URL_ONLY })), "another caller").toBe(
      -32602,
    );
    const other = { ...args, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    expect(await code(await rawCall(ready, order(other, more), { capabilities: URL_ONLY })), "other arguments").toBe(
      -32602,
    );
    const altered = { ...more, requestState: state.slice(0, -1) + last };
    expect(await code(await rawCall(ready, order(args, altered), { capabilities: URL_ONLY })), "altered").toBe(-32602);
    const taskId = String(page["url"]).split("/").at(-1) ?? "";
    await withdraw(taskId);
    expect((await rawResult(await rawCall(ready, order(args, more), { capabilities: URL_ONLY })))["resultType"]).toBe(
      "complete",
    );
    expect(await code(await rawCall(ready, order(args, more), { capabilities: URL_ONLY })), "twice").toBe(-32602);
  });
});

describe("MAP-1 the tasks extension", () => {
  it("a task is there before it is answered; its page is asked for only of those who can open one", async () => {
    const made = await rawResult(await rawCall(ready, order(orderArguments(ready)), { capabilities: TASKS }));
    expect(made).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
    const taskId = String(made["taskId"]);
    const look = async (capabilities: JsonObject) =>
      rawResult(await rawCall(ready, tasks("get", taskId), { capabilities }));
    expect(await look(TASKS)).toMatchObject({ resultType: "complete", status: "working" });
    const both = { ...TASKS, ...URL_ONLY };
    expect(await look(both)).toMatchObject({
      status: "input_required",
      inputRequests: { account_holder: { params: { url: `${ready.world.issuer}/tasks/${taskId}` } } },
    });
    const update = tasks("update", taskId, { inputResponses: { account_holder: { action: "accept" } } });
    expect((await rawCall(ready, update, { capabilities: both })).status).toBe(200);
    expect((await look(both))["status"], "an accept decides nothing").toBe("input_required");
    await ready.person.decide(await ready.person.approvalFor(taskId), "denied");
    const done = await until(
      () => look(both),
      (task) => task["status"] === "completed",
      "the end",
    );
    expect(done["result"]).toMatchObject({
      isError: true,
      structuredContent: { state: "denied", code: "refused_by_holder" },
    });
  });

  it("cancels cooperatively, and says the same of a foreign task and of an unknown one", async () => {
    const made = await rawResult(await rawCall(ready, order(orderArguments(ready)), { capabilities: TASKS }));
    const taskId = String(made["taskId"]);
    const stranger = await Agent.join(ready.world, ready.person, "Passer-by");
    const theirs = { url: ready.url, token: await stranger.tokenFor(ready.url) };
    const foreign = await rawResult(await rawCall(theirs, tasks("cancel", taskId), { capabilities: TASKS }));
    const unknown = await rawResult(await rawCall(ready, tasks("get", "task_none"), { capabilities: TASKS }));
    expect([foreign, unknown].map((e) => [e["code"], e["message"]])).toEqual([
      [-32602, "Unknown task"],
      [-32602, "Unknown task"],
    ]);
    expect((await rawCall(ready, tasks("cancel", taskId), { capabilities: TASKS })).status).toBe(200);
    const after = await rawResult(await rawCall(ready, tasks("get", taskId), { capabilities: TASKS }));
    expect(after["status"]).toBe("cancelled");
    expect((await rawCall(ready, tasks("cancel", taskId), { capabilities: TASKS })).status, "again").toBe(200);
  });

  it("needs its capability in the very request, and a header that says the same as the body", async () => {
    const bare = await rawCall(ready, tasks("get", "task_x"));
    expect([bare.status, (await rawResult(bare))["code"]]).toEqual([400, -32021]);
    const other = await rawCall(ready, tasks("get", "task_x"), {
      capabilities: TASKS,
      headers: { "mcp-name": "task_y" },
    });
    expect([other.status, (await rawResult(other))["code"]]).toEqual([400, -32020]);
    for (const method of ["tasks/list", "tasks/result"]) {
      const gone = await rawCall(ready, { method, params: { taskId: "task_x" } }, { capabilities: TASKS });
      expect([method, (await rawResult(gone))["code"]]).toEqual([method, -32601]);
    }
  });
});

describe("STA-5 whoever stops listening cancels nothing", () => {
  it("ten clients hang up at ten moments and ask again: one order each time it was wished, one in all", async () => {
    const before = submits();
    const args = orderArguments(ready);
    for (const [index, ms] of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256].entries()) {
      const hangUp = AbortSignal.timeout(ms);
      await rawCall(ready, order(args, {}), { signal: hangUp, headers: { "x-try": String(index) } }).then(
        (r) => r.text(),
        () => "",
      );
    }
    const client = await mcpClient(ready.url, ready.token);
    const found = await callTool(client, "retail_order_submit", args);
    const taskId = String(found.body["task_id"]);
    expect(found.body["state"]).toBe("approval_required");
    const wait = new AbortController();
    const waiting = rawCall(
      ready,
      { method: "tools/call", params: { name: "task_wait", arguments: { task_id: taskId } } },
      { signal: wait.signal },
    ).catch(() => undefined);
    wait.abort();
    await waiting;
    await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
    await ready.agent.reaches(taskId, "succeeded");
    const repeated = await callTool(client, "retail_order_submit", args);
    expect(repeated.body).toMatchObject({ task_id: taskId, state: "succeeded" });
    expect(submits()).toBe(before + 1);
    const changed = await callTool(client, "retail_order_submit", {
      ...args,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect([changed.isError, changed.body["code"]]).toEqual([true, "idempotency_conflict"]);
    await client.close();
  });

  it("REQ-4 a refreshed token is the same agent", async () => {
    const args = orderArguments(ready);
    const first = await mcpClient(ready.url, ready.token);
    const { task_id: taskId } = (await callTool(first, "retail_order_submit", args)).body;
    await first.close();
    const second = await mcpClient(ready.url, await ready.agent.tokenFor(ready.url));
    expect((await callTool(second, "task_get", { task_id: String(taskId) })).body["state"]).toBe("approval_required");
    expect((await callTool(second, "retail_order_submit", args)).body["task_id"]).toBe(taskId);
    expect((await callTool(second, "task_cancel", { task_id: String(taskId) })).body["state"]).toBe("cancelled");
    await second.close();
  });
});
