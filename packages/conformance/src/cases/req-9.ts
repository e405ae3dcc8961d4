import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { ORDERS_LIST } from "../shop/practice.ts";
import { brief, type Desk } from "../stage/desk.ts";
import { inMs } from "../stage/requests.ts";

const HOUR_MS = 3_600_000;

/** REQ-9: what makes a task, and what does not. */
export const req9: ConformanceCase = {
  id: "REQ-9",
  requirements: ["REQ-9", "REC-1"],
  group: "Requests",
  claim:
    "Bad shape and foreign references make no task; failing grant, limit or time makes one with reason and receipt.",
  async run(scene) {
    const desk = await scene.desk({ operations: [ORDERS_LIST] });
    const before = await taskIds(desk);
    scene.did("sent a bad body, bad parameters, and a reference of nobody's");
    const refused = [
      await desk.port.submit("{"),
      await desk.port.submit("[]"),
      await desk.port.submit(desk.list({ parameters: { limit: 0 } })),
      await desk.port.submit(desk.list({ account_ref: "acct_conformance_unknown" })),
    ];
    for (const answer of refused) {
      check(answer.status >= 400 && answer.status < 500, "it is refused", brief(answer));
      check(answer.body["task_id"] === undefined, "and names no task", brief(answer));
    }
    checkEqual((await taskIds(desk)).length, before.length, "no task was made");
    scene.did("sent an order without a grant for orders, and a read whose time is past");
    await stops(desk, desk.order(), "denied", "operation_not_granted");
    await stops(desk, desk.list({ expires_at: inMs(-HOUR_MS) }), "expired", "request_expired");
  },
};

async function stops(desk: Desk, request: Parameters<Desk["submit"]>[0], state: "denied" | "expired", reason: string) {
  const { taskId } = await desk.submit(request);
  const body = await desk.reaches(taskId, [state]);
  checkEqual(body["reason"], reason, "the task reports its reason");
  const { record } = await desk.receipt(taskId);
  checkEqual(record["outcome"], state, "its receipt has the outcome");
  checkEqual(record["reason"], reason, "and the reason");
}

async function taskIds(desk: Desk): Promise<readonly string[]> {
  const { body } = await desk.port.tasks();
  return Array.isArray(body["tasks"]) ? body["tasks"].map((task) => JSON.stringify(task)) : [];
}
