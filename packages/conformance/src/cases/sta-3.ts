import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";
import { loseAnswer, readableAgain } from "../stage/lost-answer.ts";
import { sleep } from "../wait.ts";

const WATCHED_MS = 5_000;
const LOOK_MS = 500;

/** STA-3, lessons U06: time alone settles nothing. */
export const sta3: ConformanceCase = {
  id: "STA-3",
  requirements: ["STA-3", "U06"],
  group: "Outcomes",
  claim:
    "While the destination cannot be read the outcome stays unknown; nothing is submitted again and nothing guessed.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId, approval } = await desk.pending();
    await loseAnswer(scene, desk, taskId, approval);
    scene.did(`looked for ${WATCHED_MS / 1000} seconds, while every read-back failed`);
    for (let waited = 0; waited < WATCHED_MS; waited += LOOK_MS) {
      const { body } = await desk.port.task(taskId);
      check(body["state"] === "outcome_unknown", "it stays unknown", body);
      await sleep(LOOK_MS);
    }
    const { record } = await desk.receipt(taskId);
    check(record["outcome"] === "outcome_unknown", "there is a receipt that says so", record);
    check((await scene.counted()).submits === 1, "nothing was submitted again");
    await readableAgain(scene);
    await desk.reaches(taskId, ["succeeded"], READ_BACK_MS);
    const { submits, orders } = await scene.counted();
    check(submits === 1 && orders === 1, "it is found: one submission, one order");
  },
};
