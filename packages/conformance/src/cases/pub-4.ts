import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { LAMP } from "../shop/practice.ts";

const RAISE_MINOR = 200;

/** PUB-4: the price moves between the approval and the commitment. */
export const pub4: ConformanceCase = {
  id: "PUB-4",
  requirements: ["PUB-4", "APR-4", "APR-5"],
  group: "Published behaviours",
  claim: "Terms that changed after the approval pause the task and ask again; the old approval is dead.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId, approval } = await desk.pending();
    scene.did(`the shop's total rose by ${RAISE_MINOR} after the holder saw it; the holder approved what they saw`);
    await scene.shop.set({ switch: "total", deltaMinor: RAISE_MINOR });
    await desk.approve(approval);
    const paused = await desk.look(taskId, ["approval_required"]);
    check(paused["state"] === "approval_required", "the task pauses and asks again", paused);
    const again = await desk.asked(taskId);
    check(again.ref !== approval.ref, "it is another record that now waits");
    check(again.changed === "asked_again", "the page says that terms moved");
    checkEqual(again.terms["total_minor"] ?? null, LAMP.totalMinor + RAISE_MINOR, "the new record has the new total");
    check((await desk.holder.decide(approval, "approved")) === "refused", "the old record can no longer be approved");
    check((await scene.counted()).submits === 0, "nothing was submitted on the old approval");
    scene.did("the holder approved the new terms");
    await desk.approve(again);
    await desk.reaches(taskId, ["succeeded"]);
    const { submits, orders } = await scene.counted();
    check(submits === 1 && orders === 1, "one order was placed");
    const [newest] = await scene.shop.orders();
    check(newest?.totalMinor === LAMP.totalMinor + RAISE_MINOR, "at the approved total", {
      total: newest?.totalMinor ?? null,
    });
  },
};
