import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief } from "../stage/desk.ts";

const AT_ONCE = 20;

/** STA-2, lessons U01: what comes many times is done once. */
export const sta2: ConformanceCase = {
  id: "STA-2",
  requirements: ["STA-2", "REQ-4", "U01"],
  group: "Outcomes",
  claim: "Equal requests at once make one task, and one approved task makes exactly one submission.",
  async run(scene) {
    const desk = await scene.desk();
    const request = desk.order();
    scene.did(`sent ${AT_ONCE} equal requests at once`);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => desk.port.submit(request)));
    const made = answers.filter((answer) => answer.status === 201);
    check(made.length === 1, "one of them made the task", { made: made.length });
    for (const answer of answers)
      check(
        answer.status === 201 || (answer.status === 200 && answer.replayed),
        "the others are its replays",
        brief(answer),
      );
    const ids = new Set(answers.map((answer) => String(answer.body["task_id"])));
    check(ids.size === 1, "all of them name one task", { ids: [...ids] });
    const [taskId = ""] = ids;
    await desk.reaches(taskId, ["approval_required"]);
    await desk.approve(await desk.asked(taskId));
    await Promise.all(Array.from({ length: AT_ONCE }, () => desk.port.submit(request)));
    await desk.reaches(taskId, ["succeeded"]);
    const { submits, orders } = await scene.counted();
    check(submits === 1, "the shop received one submission");
    check(orders === 1, "and has one order");
  },
};
