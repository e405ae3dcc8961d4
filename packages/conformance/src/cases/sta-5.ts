import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";
import { brief } from "../stage/desk.ts";
import { loseAnswer, readableAgain } from "../stage/lost-answer.ts";

/** STA-5: cancelling says which it was. */
export const sta5: ConformanceCase = {
  id: "STA-5",
  requirements: ["STA-5", "U24"],
  group: "Outcomes",
  claim: "Cancelling withdraws what was not submitted, and says of what was submitted that it was.",
  async run(scene) {
    const desk = await scene.desk();
    const waiting = await desk.pending();
    scene.did("the agent cancelled an order that waited for its decision");
    const withdrawn = await desk.port.cancel(waiting.taskId);
    checkEqual(withdrawn.body["state"], "cancelled", "it is withdrawn");
    checkEqual(withdrawn.body["reason"], "withdrawn_by_agent", "by the agent, which is no refusal of the holder's");
    check((await desk.holder.decide(waiting.approval, "approved")) === "refused", "it cannot be approved afterwards");
    check((await scene.counted()).submits === 0, "nothing was submitted");
    const { taskId, approval } = await desk.pending();
    await loseAnswer(scene, desk, taskId, approval);
    scene.did("the agent cancelled an order whose outcome is unknown");
    const unknown = await desk.port.cancel(taskId);
    checkEqual(unknown.body["state"] ?? null, "outcome_unknown", "it says that the outcome is unknown");
    await readableAgain(scene);
    await desk.reaches(taskId, ["succeeded"], READ_BACK_MS);
    scene.did("the agent cancelled an order that was done");
    const done = await desk.port.cancel(taskId);
    check(done.body["state"] === "succeeded", "it says that it is done", brief(done));
    check((await scene.counted()).orders === 1, "the shop has the one order");
  },
};
