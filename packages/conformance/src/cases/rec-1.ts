import type { JsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { ORDER, ORDERS_LIST } from "../shop/practice.ts";
import { objectOf } from "../stage/requests.ts";

const ALWAYS = ["task_id", "operation", "account_ref", "finished_at", "outcome", "source"] as const;

/** REC-1 and REC-3: what a receipt has, and what it cannot have. */
export const rec1: ConformanceCase = {
  id: "REC-1",
  requirements: ["REC-1", "REC-3"],
  group: "Receipts",
  claim:
    "A receipt names task, operation, account, approval, times, outcome and confirmation; what cannot be is absent.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did("ordered; refused another order; read");
    const { taskId, approval } = await desk.pending();
    await desk.approve(approval);
    await desk.reaches(taskId, ["succeeded"]);
    const ordered = await recordOf(taskId, ORDER, "succeeded");
    const [newest] = await scene.shop.orders();
    check(typeof ordered["approval_ref"] === "string", "a commitment names its approval", ordered);
    check(typeof ordered["commit_started_at"] === "string", "and when it began", ordered);
    checkEqual(objectOf(ordered["destination"])["confirmation"] ?? null, newest?.number ?? "", "and the confirmation");
    absent(ordered, ["reason"], "a success");

    const refused = await desk.pending();
    check((await desk.holder.decide(refused.approval, "denied")) === "taken", "the holder refuses");
    await desk.reaches(refused.taskId, ["denied"]);
    const denied = await recordOf(refused.taskId, ORDER, "denied");
    checkEqual(denied["reason"] ?? null, "refused_by_holder", "a refused task says why");
    absent(denied, ["destination", "commit_started_at", "attempt"], "a refused task");

    const { taskId: readId } = await desk.submit(desk.list());
    await desk.reaches(readId, ["succeeded"]);
    const read = await recordOf(readId, ORDERS_LIST, "succeeded");
    absent(read, ["action_digest", "approval_ref", "approval_digest", "commit_started_at", "reason"], "a read");

    async function recordOf(id: string, operation: string, outcome: string): Promise<JsonObject> {
      const { record } = await desk.receipt(id);
      for (const member of ALWAYS) check(record[member] !== undefined, `a receipt has ${member}`, record);
      checkEqual(record["task_id"] ?? null, id, "the receipt is of this task");
      checkEqual(record["operation"] ?? null, operation, "of its operation");
      checkEqual(record["account_ref"] ?? null, desk.refs.accountRef, "of its account");
      checkEqual(record["outcome"] ?? null, outcome, "with its outcome");
      checkEqual(record["source"] ?? null, "gateway", "and says that it is the gateway's own record");
      return record;
    }
  },
};

function absent(record: JsonObject, members: readonly string[], what: string): void {
  for (const member of members) check(!Object.hasOwn(record, member), `${what} has no ${member}`, record);
}
