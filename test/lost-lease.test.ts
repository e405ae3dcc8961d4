import type { Route } from "@countersign/plugin";
import { createHttpRoute } from "@countersign/route-http";
import { expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld, type World } from "./support/world.ts";

it("STA-2 trouble of a worker whose task another has taken changes nothing of it", async () => {
  const held: { world?: World } = {};
  const http = createHttpRoute();
  // While this worker was away another one has taken the task, and crossed.
  const route: Route = {
    ...http,
    async open(...args) {
      if (held.world === undefined) return http.open(...args);
      await inStore(held.world.gateway, (db) =>
        db
          .updateTable("task")
          .set((eb) => ({ fence: eb("fence", "+", 1), lease_owner: "another", lease_until: Number.MAX_SAFE_INTEGER }))
          .execute(),
      );
      throw new Error("the connection was cut while we stood still");
    },
  };
  const ready = await readyWorld({ routes: () => [route] });
  held.world = ready.world;
  try {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await until(
      async () => ready.world.logLines.join("\n"),
      (text) => text.includes("task.lease_lost"),
      "the worker to notice",
    );
    const row = await inStore(ready.world.gateway, (db) =>
      db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ tries: 0, state: "validating", lease_owner: "another" });
  } finally {
    await ready.world.close();
  }
});
