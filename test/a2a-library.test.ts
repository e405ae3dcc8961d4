import { randomUUID } from "node:crypto";
import { Role, SendMessageRequest, TaskState, verifyAgentCardSignature } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from "@a2a-js/sdk/client";
import { FACE_URI, KEYS_PATH } from "@countersign/a2a";
import type { JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type A2aReady, a2aWorld, orderData, readData } from "./support/a2a.ts";
import { BINDINGS, type BindingName, dataMessage } from "./support/a2a-wire.ts";

// The protocol's own library as the client: what it makes of our card, our tasks, our streams and our errors.

let ready: A2aReady;
beforeAll(async () => {
  ready = await a2aWorld({ taskWebhooks: "loopback_too" });
});
afterAll(() => ready.world.close());

async function clientOver(binding: BindingName): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${ready.token}`);
    return fetch(input, { ...init, headers });
  };
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports,
    preferredTransports: [binding as never],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(ready.world.issuer);
}

const asked = (data: JsonObject, change: JsonObject = {}) =>
  SendMessageRequest.fromJSON({ message: dataMessage(data, { messageId: randomUUID(), ...change }) });

describe.each(BINDINGS)("MAP-2 the protocol's own library over %s", (binding) => {
  it("asks, orders, follows the stream to the end, and finds the task", async () => {
    const client = await clientOver(binding);
    expect(client.transport.protocolName).toBe(binding);
    const accounts = await client.sendMessage(asked({ skill: "accounts" }));
    expect(accounts).toMatchObject({ role: Role.ROLE_AGENT });
    const seen: unknown[] = [];
    let id = "";
    for await (const response of client.sendMessageStream(asked(orderData(ready)))) {
      const { payload } = response;
      if (payload?.$case === "task") id = payload.value.id;
      if (payload?.$case === "statusUpdate") seen.push(payload.value.status?.state);
      const waits =
        (payload?.$case === "task" || payload?.$case === "statusUpdate") &&
        payload.value.status?.state === TaskState.TASK_STATE_AUTH_REQUIRED;
      if (waits) await ready.person.decide(await ready.person.approvalFor(id), "approved");
    }
    expect(seen.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
    const task = await client.getTask({ id, tenant: "" });
    expect(task.artifacts.map((one) => one.artifactId)).toEqual(["result", "receipt"]);
    const listed = await client.listTasks({
      tenant: "",
      contextId: task.contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      statusTimestampAfter: undefined,
    });
    expect([listed.totalSize, listed.tasks[0]?.id]).toEqual([1, id]);
    await expect(client.cancelTask({ id, tenant: "", metadata: undefined })).rejects.toThrow();
    await expect(client.getTask({ id: "no-such-task", tenant: "" })).rejects.toThrow();
  });

  it("activates an extension, names where it wants to hear of a task, and reads the private card", async () => {
    const client = await clientOver(binding);
    const serviceParameters = ServiceParameters.create(withA2AExtensions(FACE_URI));
    const sent = await client.sendMessage(asked(orderData(ready)), { serviceParameters });
    if (!("status" in sent)) throw new Error("an order is a task");
    expect(sent.metadata?.[FACE_URI]).toEqual({ v: 1, approval_url: `${ready.world.issuer}/tasks/${sent.id}` });
    const config = {
      tenant: "",
      id: "",
      taskId: sent.id,
      url: "http://127.0.0.1:9/x",
      token: "",
      authentication: undefined,
    };
    const made = await client.createTaskPushNotificationConfig({ ...config, id: "mine" });
    expect(made.id).toBe("mine");
    const named = { tenant: "", taskId: sent.id, id: "mine" };
    expect((await client.getTaskPushNotificationConfig(named)).url).toBe(config.url);
    const { configs } = await client.listTaskPushNotificationConfig({
      tenant: "",
      taskId: sent.id,
      pageSize: 0,
      pageToken: "",
    });
    expect(configs).toHaveLength(1);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await client.cancelTask({ id: sent.id, tenant: "", metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    const card = await client.getAgentCard();
    expect(card.skills.map((one) => one.id)).toContain("retail.order.submit");
    const read = await client.sendMessage(asked(readData(ready)));
    expect("status" in read && read.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });
});

it("the card's signature verifies over the card as it came", async () => {
  const { issuer } = ready.world;
  const card = (await (await fetch(`${issuer}/.well-known/agent-card.json`)).json()) as JsonObject;
  const { keys } = (await (await fetch(`${issuer}${KEYS_PATH}`)).json()) as { keys: JsonObject[] };
  const verify = verifyAgentCardSignature(async (kid) => keys.find((one) => one["kid"] === kid) as never);
  await verify(card as never);
  const skills = (card["skills"] as JsonObject[]).slice(1);
  await expect(verify({ ...card, skills } as never)).rejects.toThrow();
});
