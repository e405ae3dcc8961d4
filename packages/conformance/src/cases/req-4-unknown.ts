import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";
import { brief } from "../stage/desk.ts";
import { loseAnswer, readableAgain } from "../stage/lost-answer.ts";
import { sleep } from "../wait.ts";

const REPEATS = 3;
const BETWEEN_MS = 700;

/** Lessons U05: an unknown outcome keeps its key. */
export const req4Unknown: ConformanceCase = {
  id: "REQ-4.unknown",
  requirements: ["REQ-4", "STA-3", "U05"],
  group: "Requests",
  claim: "While an outcome is unknown its key goes on naming its task; repeating it submits nothing.",
  async run(scene) {
    const desk = await scene.desk();
    const request = desk.order();
    const { taskId } = await desk.submit(request);
    await desk.reaches(taskId, ["approval_required"]);
    const approval = await desk.asked(taskId);
    await loseAnswer(scene, desk, taskId, approval);
    for (let n = 0; n < REPEATS; n += 1) {
      const again = await desk.port.submit(request);
      check(again.status === 200 && again.replayed, "the repeat is a replay", brief(again));
      checkEqual(again.body["task_id"], taskId, "of the same task");
      await sleep(BETWEEN_MS);
    }
    await readableAgain(scene);
    await desk.reaches(taskId, ["succeeded"], READ_BACK_MS);
    const { submits, orders } = await scene.counted();
    check(submits === 1 && orders === 1, "one submission, one order");
  },
};
