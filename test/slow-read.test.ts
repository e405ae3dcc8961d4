import type { Route } from "@countersign/plugin";
import { createHttpRoute } from "@countersign/route-http";
import { assert } from "@countersign/wire";
import { afterEach, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let letGo: () => void = () => {};
afterEach(async () => {
  letGo();
  await ready.world.close();
});

/** A gateway whose site opens only once it is let go. */
async function begin(): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const http = createHttpRoute();
  const route: Route = {
    ...http,
    async open(...given) {
      await gone;
      return http.open(...given);
    },
  };
  ready = await readyWorld({ routes: () => [route] });
}

async function list(): Promise<string> {
  const refs = { accountRef: ready.accountRef, consentRef: ready.consentRef, fulfillmentRef: "" };
  const request = orderRequest(refs, { operation: "retail.orders.list", parameters: {} });
  const submitted = await ready.agent.post("/v1/tasks", { ...request, parameters: {} });
  assert(submitted.status === 201, `the task is taken: ${submitted.text}`);
  return String(submitted.json["task_id"]);
}

const told = (taskId: string) =>
  inStore(ready.world.gateway, (db) =>
    db.selectFrom("task_event").select(["state", "at"]).where("task_id", "=", taskId).orderBy("seq").execute(),
  );

it("STA-1 a read at a slow site is seen at work meanwhile", async () => {
  await begin();
  const taskId = await list();
  await ready.agent.reaches(taskId, "executing");
  letGo();
  await ready.agent.reaches(taskId, "succeeded");
  const events = await told(taskId);
  expect(events.map((event) => event.state)).toEqual(["received", "validating", "executing", "succeeded"]);
});

it("STA-1 a read at a quick site has gone the same way, all of it stored at its end", async () => {
  await begin();
  letGo();
  const taskId = await list();
  await ready.agent.reaches(taskId, "succeeded");
  const [, ...way] = (await told(taskId)).filter((event) => event.state !== "received").map((event) => event.state);
  expect(way).toEqual(["executing", "succeeded"]);
});
