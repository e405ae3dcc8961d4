import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { objectOf } from "../stage/requests.ts";

/** What a task may tell an agent (docs: the Task of the HTTP binding). */
const ALLOWED: ReadonlySet<string> = new Set([
  "task_id",
  "request_id",
  "state",
  "operation",
  "account_ref",
  "reason",
  "approval_ref",
  "continuation_ref",
  "next_step",
  "poll_after_ms",
  "revision",
  "created_at",
  "updated_at",
  "receipt_ref",
]);

/** MFA-1: what an agent learns of a sign-in. */
export const mfa1: ConformanceCase = {
  id: "MFA-1",
  requirements: ["MFA-1", "MFA-4", "AUT-4"],
  group: "Sign-in hand-off",
  claim: "When the destination wants the person, the agent gets a status and one opaque reference, and nothing else.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did("the shop ended the account's session; then an order was asked for");
    await scene.shop.endSessions();
    const { taskId } = await desk.submit(desk.order());
    const waiting = await desk.reaches(taskId, ["authentication_required"]);
    const extra = Object.keys(waiting).filter((member) => !ALLOWED.has(member));
    check(extra.length === 0, "the task has no member beyond the profile's", { extra, task: waiting });
    const ref = waiting["continuation_ref"];
    check(typeof ref === "string" && /^[A-Za-z0-9._~-]{8,128}$/.test(ref), "one opaque reference", waiting);
    check(!/https?:|"(fields|url|code|password)"/i.test(JSON.stringify(waiting)), "no address and no field", waiting);
    scene.did("the holder signed in by the hand-off");
    await desk.holder.signIn(ref);
    const resumed = objectOf(await desk.reaches(taskId, ["approval_required"]));
    check(resumed["continuation_ref"] === undefined, "the task goes on, and the reference is gone", resumed);
  },
};
