import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { LAMP } from "../shop/practice.ts";

const NEVER_ASKED_MS = 1_500;
const RAISE_MINOR = 500;

/** REQ-8: the request's own ceiling. */
export const req8: ConformanceCase = {
  id: "REQ-8",
  requirements: ["REQ-8", "PUB-4"],
  group: "Requests",
  claim: "A total above the request's own maximum is denied as over_limit and never put to the person.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did(`asked for a lamp of ${LAMP.totalMinor} with a maximum of ${LAMP.totalMinor - 1}`);
    const { taskId } = await desk.submit(desk.order({ parameters: { max_total_minor: LAMP.totalMinor - 1 } }));
    const end = await desk.look(taskId, ["approval_required"]);
    check(end["state"] === "denied", "it is denied", end);
    checkEqual(end["reason"], "over_limit", "because it is above the limit");
    check((await desk.holder.approvalFor(taskId, NEVER_ASKED_MS)) === undefined, "the holder is not asked");
    scene.did(`let a price rise by ${RAISE_MINOR} above the maximum after the approval`);
    const raised = await desk.pending({ parameters: { max_total_minor: LAMP.totalMinor } });
    await scene.shop.set({ switch: "total", deltaMinor: RAISE_MINOR });
    await desk.approve(raised.approval);
    const late = await desk.look(raised.taskId, ["approval_required"]);
    check(late["state"] === "denied" && late["reason"] === "over_limit", "it is denied, not asked again", late);
    check((await scene.counted()).submits === 0, "nothing was submitted");
  },
};
