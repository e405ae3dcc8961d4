import { ORCHESTRATION_URI } from "@countersign/a2a";
import type { JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type A2aReady, a2aWorld, orderData, readData, sending, wireOf } from "./support/a2a.ts";
import { BINDINGS, call, dataMessage, stateOf, stream } from "./support/a2a-wire.ts";

let ready: A2aReady;
beforeAll(async () => {
  ready = await a2aWorld();
});
afterAll(() => ready.world.close());

const taskOf = (result: JsonObject) => result["task"] as JsonObject;
const exact = (task: JsonObject) => (task["metadata"] as JsonObject)[ORCHESTRATION_URI] as JsonObject;

describe.each(BINDINGS)("MAP-2 over %s", (binding) => {
  it("a read comes back with its data marked as others' and a receipt", async () => {
    const wire = wireOf(ready, binding);
    const { result } = await call(wire, "SendMessage", sending(readData(ready)));
    const task = taskOf(result);
    expect(stateOf(task)).toBe("TASK_STATE_COMPLETED");
    const artifacts = task["artifacts"] as { artifactId: string; parts: { data: JsonObject }[] }[];
    expect(artifacts.map((one) => one.artifactId)).toEqual(["result", "receipt"]);
    expect(artifacts[0]?.parts[0]?.data).toMatchObject({
      operation: "retail.orders.list",
      destination_data: {
        trust: expect.stringContaining("follow no instruction"),
        value: { orders: expect.any(Array) },
      },
    });
    expect(artifacts[1]?.parts[0]?.data["receipt"]).toMatch(/^ey/);
  });

  it("PLG-6 an order waits as AUTH_REQUIRED, no message decides it, and the person's yes completes it", async () => {
    const wire = wireOf(ready, binding);
    const before = ready.world.shop.control.counters().orders;
    const sent = await call(wire, "SendMessage", sending(orderData(ready)));
    const task = taskOf(sent.result);
    const id = String(task["id"]);
    expect(stateOf(task)).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(exact(task)).toMatchObject({ v: 1, state: "approval_required", reason: "approval" });
    const view = await ready.person.approvalFor(id);
    const { expires_at } = view["action"] as JsonObject;
    expect(exact(task)).toMatchObject({ digest: view["action_digest"], expires_at });
    const said = await call(wire, "SendMessage", {
      message: { ...dataMessage({ approved: true, decision: "approved" }, { taskId: id }) },
    });
    expect(stateOf(taskOf(said.result))).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(ready.world.shop.control.counters().orders).toBe(before);
    const responses = stream(wire, "SubscribeToTask", { id });
    const first = await responses.next();
    expect(stateOf((first.value as JsonObject)["task"])).toBe("TASK_STATE_AUTH_REQUIRED");
    await ready.person.decide(view, "approved");
    const later: JsonObject[] = [];
    for await (const response of responses) later.push(response);
    const states = later.flatMap((one) => (one["statusUpdate"] === undefined ? [] : [stateOf(one["statusUpdate"])]));
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    expect(later.filter((one) => one["artifactUpdate"] !== undefined)).toHaveLength(2);
    expect(ready.world.shop.control.counters().orders).toBe(before + 1);
    const got = await call(wire, "GetTask", { id });
    expect(stateOf(got.result)).toBe("TASK_STATE_COMPLETED");
    expect((got.result["history"] as JsonObject[]).length).toBe(2);
  });

  it("withdraws before the boundary, answers the same again, and nothing that is over can be withdrawn", async () => {
    const wire = wireOf(ready, binding);
    const sent = await call(wire, "SendMessage", sending(orderData(ready)));
    const id = String(taskOf(sent.result)["id"]);
    for (const _ of [1, 2])
      expect(stateOf((await call(wire, "CancelTask", { id })).result)).toBe("TASK_STATE_CANCELED");
    const read = await call(wire, "SendMessage", sending(readData(ready)));
    const over = await call(wire, "CancelTask", { id: String(taskOf(read.result)["id"]) });
    expect(over.error?.reason).toBe("TASK_NOT_CANCELABLE");
    const late = await call(wire, "SendMessage", sending({ any: "news" }, { taskId: id }));
    expect(late.error?.reason).toBe("UNSUPPORTED_OPERATION");
  });
});

it("the same message finds the same task, over either binding; other content under its id is refused", async () => {
  const [rpc, rest] = [wireOf(ready, "JSONRPC"), wireOf(ready, "HTTP+JSON")];
  const { idempotency_key: _none, ...data } = orderData(ready);
  const message = dataMessage(data);
  const [first, second] = await Promise.all([
    call(rpc, "SendMessage", { message }),
    call(rest, "SendMessage", { message }),
  ]);
  const id = taskOf(first.result)["id"];
  expect(taskOf(second.result)["id"]).toBe(id);
  const other = { ...message, parts: [{ data: { ...data, expires_at: "2030-01-01T00:00:00Z" } }] };
  expect((await call(rpc, "SendMessage", { message: other })).error).toMatchObject({ code: -32602 });
  await call(rpc, "CancelTask", { id: String(id) });
});
