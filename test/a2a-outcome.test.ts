import { ORCHESTRATION_URI } from "@countersign/a2a";
import { createEgress, type Egress, type Guard } from "@countersign/gateway";
import type { JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type A2aReady, a2aWorld, orderData, sending, wireOf } from "./support/a2a.ts";
import { call, stateOf, stream } from "./support/a2a-wire.ts";
import { until } from "./support/http.ts";
import { openReceiver, type Receiver } from "./support/webhook.ts";

const MINUTE = 60_000;
let ready: A2aReady;
let receiver: Receiver;
/** From the next submission on the shop's history is down. */
let blackout = false;
beforeAll(async () => {
  const egress = (guard: Guard): Egress => {
    const real = createEgress(guard);
    return {
      ...real,
      async sendOnce(request, mayLeave) {
        const answer = await real.sendOnce(request, mayLeave);
        if (blackout) ready.world.shop.control.readBack("down");
        return answer;
      },
    };
  };
  ready = await a2aWorld({ egress, taskWebhooks: "loopback_too" });
  receiver = await openReceiver();
});
beforeEach(() => {
  receiver.delivered.length = 0;
  receiver.answer = { status: 204 };
});
afterAll(async () => {
  await receiver.close();
  await ready.world.close();
});

const exact = (task: JsonObject) => (task["metadata"] as JsonObject)[ORCHESTRATION_URI] as JsonObject;
const order = (configuration?: JsonObject) => sending(orderData(ready), {}, configuration);
const taskIn = async (params: JsonObject) => {
  const { result, error } = await call(wireOf(ready, "JSONRPC"), "SendMessage", params);
  expect(error).toBeUndefined();
  return result["task"] as JsonObject;
};
const statesPushed = () =>
  receiver.delivered.map(({ body }) => stateOf((JSON.parse(body) as JsonObject)["statusUpdate"]));

it("STA-4 a lost answer is WORKING and never FAILED, forbids another try, is pushed once, and ends when it is read back", async () => {
  const wire = wireOf(ready, "HTTP+JSON");
  const task = await taskIn(order({ taskPushNotificationConfig: { url: receiver.url } }));
  const id = String(task["id"]);
  const responses = stream(wire, "SubscribeToTask", { id });
  await responses.next();
  ready.world.shop.control.commitThenDrop({ times: 1 });
  blackout = true;
  const before = ready.world.shop.control.counters().submits;
  await ready.person.decide(await ready.person.approvalFor(id), "approved");
  await ready.agent.reaches(id, "outcome_unknown");
  const now = (await call(wire, "GetTask", { id })).result;
  expect(stateOf(now)).toBe("TASK_STATE_WORKING");
  expect(exact(now)).toMatchObject({ state: "outcome_unknown", retry: "forbidden" });
  expect((await call(wire, "CancelTask", { id })).error?.reason).toBe("TASK_NOT_CANCELABLE");
  const isUnknown = ({ body }: { readonly body: string }) => body.includes("outcome_unknown");
  await until(
    async () => receiver.delivered.filter(isUnknown).length,
    (n) => n > 0,
    "the push of an unknown outcome",
  );
  ready.world.advance(3 * MINUTE);
  blackout = false;
  ready.world.shop.control.readBack("up");
  ready.world.advance(10 * MINUTE);
  await ready.agent.tokenFor(ready.url);
  const seen: string[] = [];
  for await (const one of responses) if (one["statusUpdate"] !== undefined) seen.push(stateOf(one["statusUpdate"]));
  expect(seen.at(-1)).toBe("TASK_STATE_COMPLETED");
  expect(seen).not.toContain("TASK_STATE_FAILED");
  expect(ready.world.shop.control.counters().submits).toBe(before + 1);
  await until(
    async () => statesPushed(),
    (states) => states.includes("TASK_STATE_COMPLETED"),
    "the push of the end",
  );
  expect(receiver.delivered.filter(isUnknown)).toHaveLength(1);
});

describe("pushes", () => {
  it("U53 a receiver that fails is told again, with the same id and a fresh time; what becomes of it touches no task", async () => {
    ready = { ...ready, token: await ready.agent.tokenFor(ready.url) };
    receiver.answer = { status: 500 };
    const task = await taskIn(order());
    const taskId = String(task["id"]);
    const config = { taskId, id: "one", url: receiver.url };
    const wire = wireOf(ready, "JSONRPC");
    expect((await call(wire, "CreateTaskPushNotificationConfig", config)).error).toBeUndefined();
    await call(wire, "CancelTask", { id: taskId });
    await until(
      async () => receiver.delivered.length,
      (n) => n > 0,
      "the first try",
    );
    receiver.answer = { status: 204 };
    ready.world.advance(MINUTE);
    await until(
      async () => receiver.delivered.length,
      (n) => n > 1,
      "the second try",
    );
    const [first, second] = receiver.delivered;
    expect(second?.id).toBe(first?.id);
    expect(second?.timestamp).not.toBe(first?.timestamp);
    expect(second?.headers["countersign-signature"]).not.toBe(first?.headers["countersign-signature"]);
    const again = await call(wireOf(ready, "JSONRPC"), "GetTask", { id: taskId });
    expect(stateOf(again.result)).toBe("TASK_STATE_CANCELED");
  });

  it("AUT-4 credentials of a push are in no log and in no file in clear", async () => {
    const { filesBelow, leaks } = await import("./support/leaks.ts");
    const task = await taskIn(order());
    const secrets = { credentials: "canary-credentials-1", token: "canary-token-2" };
    const wire = wireOf(ready, "JSONRPC");
    const made = await call(wire, "CreateTaskPushNotificationConfig", {
      taskId: String(task["id"]),
      url: receiver.url,
      token: secrets.token,
      authentication: { scheme: "Bearer", credentials: secrets.credentials },
    });
    const places = new Map<string, string | Uint8Array>([
      ["log", ready.world.logLines.join("\n")],
      ["answer", JSON.stringify(made.body)],
      ...filesBelow(ready.world.dataDir),
    ]);
    expect(leaks(secrets, places)).toEqual([]);
    await call(wire, "CancelTask", { id: String(task["id"]) });
  });
});
