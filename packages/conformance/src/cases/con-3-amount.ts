import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { LAMP } from "../shop/practice.ts";

/** CON-3: the amount that a grant allows for one action. */
export const con3Amount: ConformanceCase = {
  id: "CON-3.amount",
  requirements: ["CON-3"],
  group: "Consent and authority",
  claim: "A grant's limit per action is enforced: what asks for more is denied as over_limit and never submitted.",
  async run(scene) {
    const limits = { max_total_minor: LAMP.totalMinor, currency: LAMP.currency };
    const desk = await scene.desk({ limits });
    scene.did(`asked for up to ${LAMP.totalMinor + 1} under a grant of ${LAMP.totalMinor}, and in another currency`);
    for (const parameters of [
      { max_total_minor: LAMP.totalMinor + 1 },
      { max_total_minor: LAMP.totalMinor, currency: "USD" },
    ]) {
      const { taskId } = await desk.submit(desk.order({ parameters }));
      const end = await desk.look(taskId, ["approval_required"]);
      check(end["state"] === "denied", "it is denied and not asked", end);
      checkEqual(end["reason"], "over_limit", "because it is above the grant's limit");
    }
    scene.did("asked for exactly the limit");
    const { taskId, approval } = await desk.pending({ parameters: { max_total_minor: LAMP.totalMinor } });
    await desk.approve(approval);
    await desk.reaches(taskId, ["succeeded"]);
    const { submits } = await scene.counted();
    check(submits === 1, "what is within the limit is done, and nothing else");
  },
};
