import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";
import { loseAnswer, readableAgain } from "../stage/lost-answer.ts";
import { objectOf } from "../stage/requests.ts";

const HELD_LOOK_MS = 2_000;

/** STA-7, lessons U02 and U10: the same wish from an agent that forgot its key. */
export const sta7: ConformanceCase = {
  id: "STA-7",
  requirements: ["STA-7", "U02", "U10"],
  group: "Outcomes",
  claim: "An equal wish under a fresh key waits while its twin is unresolved, and names it; nothing is ordered twice.",
  async run(scene) {
    const desk = await scene.desk();
    const first = desk.order();
    const { taskId } = await desk.submit(first);
    await desk.reaches(taskId, ["approval_required"]);
    const approval = await desk.asked(taskId);
    await loseAnswer(scene, desk, taskId, approval);
    scene.did("the agent asked for the same thing under a fresh key");
    const { taskId: twin } = await desk.submit(desk.order({ parameters: objectOf(first["parameters"]) }));
    check(twin !== taskId, "it is a task of its own");
    const held = await desk.look(twin, ["approval_required", "executing"], HELD_LOOK_MS);
    check(held["state"] === "received", "it is held", held);
    checkEqual(held["held_by"] ?? null, taskId, "and names the twin that it waits for");
    check((await desk.port.tasks()).text.includes(taskId), "an agent that forgot finds its open task in its list");
    check((await scene.counted()).submits === 1, "nothing was submitted for it");
    await readableAgain(scene);
    await desk.reaches(taskId, ["succeeded"], READ_BACK_MS);
    scene.did("the first was found; the second went on");
    const going = await desk.reaches(twin, ["approval_required"]);
    check(going["held_by"] === undefined, "once its twin is settled it is held no longer", going);
    await desk.port.cancel(twin);
    check((await scene.counted()).orders === 1, "the shop has one order");
  },
};
