import type { JsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";

/** Each commits at the shop; none of these answers is a recognised confirmation or refusal. */
const ANSWERS: readonly (readonly [string, JsonObject])[] = [
  ["408", { switch: "commitThen", answer: 408 }],
  ["429", { switch: "commitThen", answer: 429 }],
  ["500", { switch: "commitThen", answer: 500 }],
  ["502", { switch: "commitThen", answer: 502 }],
  ["503", { switch: "commitThen", answer: 503 }],
  ["half of its answer", { switch: "commitThen", answer: "half_body" }],
  ["its sign-in page", { switch: "commitThen", answer: "sign_in_page" }],
  ["a cut connection", { switch: "commitThenDrop" }],
];

/** STA-4, lessons U08: what comes back after the boundary and is no recognised answer. */
export const sta4: ConformanceCase = {
  id: "STA-4",
  requirements: ["STA-4", "STA-3", "U08"],
  group: "Outcomes",
  claim: "After the boundary no error status and no broken answer is a failure: it is unknown, and is read back.",
  async run(scene) {
    const desk = await scene.desk();
    for (const [index, [what, fault]] of ANSWERS.entries()) {
      scene.did(`the shop placed the order and answered with ${what}`);
      const { taskId, approval } = await desk.pending();
      await scene.shop.set({ ...fault, times: 1 });
      await desk.approve(approval);
      const end = await desk.look(taskId, ["succeeded"], READ_BACK_MS);
      check(end["state"] === "succeeded", `an answer of ${what} is no failure: the order is found`, end);
      const states = await desk.trail(taskId);
      check(states.includes("outcome_unknown"), `after ${what} the outcome was unknown and said so`, [...states]);
      const { submits, orders } = await scene.counted();
      checkEqual([submits, orders], [index + 1, index + 1], `after ${what} nothing was submitted again`);
    }
    scene.evidence.splice(0, scene.evidence.length - 1);
    scene.did("the shop refused in its own words");
    const { taskId, approval } = await desk.pending();
    await scene.shop.set({ switch: "refuse", times: 1 });
    await desk.approve(approval);
    const end = await desk.reaches(taskId, ["failed"]);
    checkEqual(end["reason"], "site_refused", "a refusal that the shop itself makes is failed");
  },
};
