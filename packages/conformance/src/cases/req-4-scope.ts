import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief } from "../stage/desk.ts";

/** Lessons U12: whose key it is. */
export const req4Scope: ConformanceCase = {
  id: "REQ-4.scope",
  requirements: ["REQ-4", "U12"],
  group: "Requests",
  claim: "A key belongs to one caller and one account: two callers' equal keys never meet.",
  async run(scene) {
    const desk = await scene.desk();
    const callers: [string, Awaited<ReturnType<typeof scene.desk>>][] = [];
    if (scene.stage.first.ports.length > 1)
      callers.push(["another agent of the same holder", await scene.desk({ agent: 1 })]);
    if (scene.stage.second !== undefined)
      callers.push(["another tenant's agent", await scene.desk({ actor: scene.stage.second })]);
    check(callers.length > 0, "there is another caller");
    const key = `key_shared_${crypto.randomUUID()}`;
    const { taskId } = await desk.submit(desk.list({ idempotency_key: key }));
    const ids = new Set([taskId]);
    for (const [who, other] of callers) {
      scene.did(`${who} used the same key for another record`);
      const answer = await other.port.submit(other.list({ idempotency_key: key, parameters: { limit: 2 } }));
      check(answer.status === 201 && !answer.replayed, "it is a task of its own, and no conflict", brief(answer));
      const id = String(answer.body["task_id"]);
      check(!ids.has(id), "with an id of its own", { task_id: id });
      ids.add(id);
    }
    scene.did("the same caller used the key on another account of the same holder");
    const account = await scene.stage.first.connect();
    const consentRef = await scene.stage.first.grantFor(desk.port, account.accountRef, {
      operations: ["retail.orders.list"],
    });
    const elsewhere = await desk.port.submit({
      ...desk.list({ idempotency_key: key }),
      account_ref: account.accountRef,
      consent_ref: consentRef,
    });
    check(elsewhere.status === 201, "the same key on another account is another task", brief(elsewhere));
  },
};
