import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";

const AT_ONCE = 20;

/** APR-6, lessons U22 and U23: one decision, used once. */
export const apr6: ConformanceCase = {
  id: "APR-6",
  requirements: ["APR-6", "U22", "U23"],
  group: "Approval",
  claim: "A refused task cannot commit, of many decisions at once one counts, and an approval serves one commitment.",
  async run(scene) {
    const desk = await scene.desk();
    const refused = await desk.pending();
    scene.did("the holder refused, refused again, then tried to approve");
    const twice = [
      await desk.holder.decide(refused.approval, "denied"),
      await desk.holder.decide(refused.approval, "denied"),
    ];
    checkEqual(twice, ["taken", "taken"], "the refusal is taken, and repeating it is the same answer");
    check((await desk.holder.decide(refused.approval, "approved")) === "refused", "it cannot be approved afterwards");
    const end = await desk.reaches(refused.taskId, ["denied"]);
    checkEqual(end["reason"], "refused_by_holder", "the task says that its holder refused");
    check((await scene.counted()).submits === 0, "nothing was submitted");
    scene.did(`${AT_ONCE} decisions at once, for and against`);
    const mixed = await desk.pending();
    const decisions = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, n) => {
        const decision = n % 2 === 0 ? ("approved" as const) : ("denied" as const);
        return { decision, answer: await desk.holder.decide(mixed.approval, decision) };
      }),
    );
    const taken = new Set(decisions.filter((d) => d.answer === "taken").map((d) => d.decision));
    checkEqual(taken.size, 1, "one of the two decisions is taken");
    const last = await desk.reaches(mixed.taskId, ["succeeded", "denied"]);
    const won = taken.has("approved") ? "succeeded" : "denied";
    checkEqual(last["state"], won, "and the task ends as it says");
    check((await scene.counted()).submits === (won === "succeeded" ? 1 : 0), "an approval is worth one submission");
  },
};
