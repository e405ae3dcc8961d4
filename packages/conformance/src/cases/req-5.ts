import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { inMs } from "../stage/requests.ts";
import { sleep } from "../wait.ts";

const LIFE_MS = 6_000;
const AFTER_MS = 1_200;

/** REQ-5: the latest permitted commitment time. */
export const req5: ConformanceCase = {
  id: "REQ-5",
  requirements: ["REQ-5", "APR-6"],
  group: "Requests",
  claim: "After expires_at nothing is committed, whether the holder approves late or in time.",
  async run(scene) {
    const desk = await scene.desk();
    const expiresAt = inMs(LIFE_MS);
    const { taskId } = await desk.submit(desk.order({ expires_at: expiresAt }));
    const body = await desk.look(taskId, ["approval_required"]);
    const approval = body["state"] === "approval_required" ? await desk.holder.approvalFor(taskId, LIFE_MS) : undefined;
    scene.did(`waited until the request's time limit of ${LIFE_MS} ms had passed, then approved`);
    await sleep(Math.max(0, Date.parse(expiresAt) - Date.now()) + AFTER_MS);
    if (approval !== undefined) scene.saw("the late decision was", await desk.holder.decide(approval, "approved"));
    const end = await desk.look(taskId, ["expired"]);
    check(end["state"] === "expired", "the task is expired", end);
    check((await scene.counted()).submits === 0, "nothing was submitted");
  },
};
