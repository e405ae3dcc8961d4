import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";
import { loseAnswer, readableAgain } from "../stage/lost-answer.ts";

/** CON-5: revoking does not undo, and does not blind. */
export const con5: ConformanceCase = {
  id: "CON-5",
  requirements: ["CON-5", "CON-1", "STA-3"],
  group: "Consent and authority",
  claim: "After a revocation an open submission is still read back, and ends as what it was.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId, approval } = await desk.pending();
    await loseAnswer(scene, desk, taskId, approval);
    scene.did("revoked the grant while the outcome was unknown");
    await desk.holder.revoke(desk.refs.consentRef);
    await readableAgain(scene);
    const end = await desk.look(taskId, ["succeeded"], READ_BACK_MS);
    check(end["state"] === "succeeded", "the order that was placed is found, although the grant is revoked", end);
    const { submits, orders } = await scene.counted();
    check(submits === 1 && orders === 1, "one submission, one order");
  },
};
