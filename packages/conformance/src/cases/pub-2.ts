import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";

const SLOW_PAGE_MS = 2_000;

/** PUB-2: revoked between the approval and the commitment. */
export const pub2: ConformanceCase = {
  id: "PUB-2",
  requirements: ["PUB-2", "CON-1", "APR-5"],
  group: "Published behaviours",
  claim: "A grant revoked after the approval and before the commitment stops the task; nothing is submitted.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId, approval } = await desk.pending();
    scene.did("the shop was made slow, so that the approved task was on its way when the grant was revoked");
    await scene.shop.set({ switch: "delay", ms: SLOW_PAGE_MS, at: "page" });
    await desk.approve(approval);
    await desk.holder.revoke(desk.refs.consentRef);
    const end = await desk.reaches(taskId, ["denied"]);
    checkEqual(end["reason"], "grant_revoked", "the task says that its grant was revoked");
    const { submits } = await scene.counted();
    check(submits === 0, "nothing was submitted at the shop");
  },
};
