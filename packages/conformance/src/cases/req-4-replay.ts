import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { brief } from "../stage/desk.ts";

/** Lessons U11: what a replay shows is the task, not the first answer. */
export const req4Replay: ConformanceCase = {
  id: "REQ-4.replay",
  requirements: ["REQ-4", "U11"],
  group: "Requests",
  claim: "A replay answers the existing task in its present state, and says that it is a replay.",
  async run(scene) {
    const desk = await scene.desk();
    const request = desk.order();
    const { taskId, answer } = await desk.submit(request);
    check(!answer.replayed, "the first answer does not say that it is a replay", brief(answer));
    await desk.reaches(taskId, ["approval_required"]);
    scene.did("repeated the request after the task had moved on");
    const waiting = await desk.port.submit(request);
    check(waiting.status === 200 && waiting.replayed, "the repeat is marked as a replay", brief(waiting));
    checkEqual(waiting.body["task_id"], taskId, "it is the same task");
    checkEqual(waiting.body["state"], "approval_required", "in its present state");
    await desk.port.cancel(taskId);
    scene.did("and again after the task had ended");
    const ended = await desk.port.submit(request);
    checkEqual(ended.body["task_id"], taskId, "it is still the same task");
    checkEqual(ended.body["state"], "cancelled", "in the state that it ended in");
    check((await scene.counted()).submits === 0, "no repeat submitted anything");
  },
};
