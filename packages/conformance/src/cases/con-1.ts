import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";

/** CON-1: a revoked grant does nothing more, at once and for whatever still waits. */
export const con1: ConformanceCase = {
  id: "CON-1",
  requirements: ["CON-1", "U42"],
  group: "Consent and authority",
  claim: "Revocation blocks at once: what still waits is denied, and what is asked for afterwards is denied too.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId } = await desk.pending();
    scene.did("revoked the grant while an order waited for its decision, and submitted more in the same moment");
    await desk.holder.revoke(desk.refs.consentRef);
    for (const request of [desk.list(), desk.order()]) {
      const { answer, taskId: id } = await desk.submit(request);
      checkEqual(answer.body["state"], "denied", "what is submitted under it now is denied");
      checkEqual(answer.body["reason"], "grant_revoked", "because the grant was revoked");
      check(id !== taskId, "as a task of its own");
    }
    const waiting = await desk.reaches(taskId, ["denied"]);
    checkEqual(waiting["reason"], "grant_revoked", "what waited is denied, for the same reason");
    const grant = await desk.port.consent(desk.refs.consentRef);
    checkEqual(grant.body["state"], "revoked", "the agent is told that the grant is revoked");
    check((await scene.counted()).submits === 0, "nothing was submitted");
  },
};
