import type { ConformanceCase } from "../case.ts";
import { check, NotApplicable } from "../check.ts";

/** MFA-3, lessons U39 and U40: a link that is handed on is worth nothing. */
export const mfa3: ConformanceCase = {
  id: "MFA-3",
  requirements: ["MFA-3", "U39", "U40"],
  group: "Sign-in hand-off",
  claim: "A hand-off belongs to one person, one task and the browser session that began it, and is used up at its end.",
  async run(scene) {
    const desk = await scene.desk();
    const { elsewhere } = desk.holder;
    if (scene.stage.second === undefined && elsewhere === undefined)
      throw new NotApplicable("the driver has neither a second holder nor a second session");
    await scene.shop.endSessions();
    const { taskId } = await desk.submit(desk.order());
    const waiting = await desk.reaches(taskId, ["authentication_required"]);
    const ref = String(waiting["continuation_ref"]);
    if (scene.stage.second !== undefined) {
      scene.did("the holder of another tenant opened the reference");
      const stranger = await scene.stage.second.holder.beginSignIn(ref);
      check(stranger === "refused", "another person cannot begin it");
    }
    check((await desk.holder.beginSignIn(ref)) === "begun", "its own person begins it");
    if (elsewhere !== undefined) {
      scene.did("the same person opened it in another browser session");
      const other = await elsewhere();
      check((await other.beginSignIn(ref)) === "refused", "another session cannot take over what one has begun");
    }
    scene.did("the session that began it finished it");
    await desk.holder.signIn(ref);
    const resumed = await desk.reaches(taskId, ["approval_required"]);
    check(resumed["state"] === "approval_required", "the task goes on after it", resumed);
    check((await desk.holder.beginSignIn(ref)) === "refused", "what is finished cannot be begun again");
  },
};
