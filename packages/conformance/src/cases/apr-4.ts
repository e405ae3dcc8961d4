import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { LAMP } from "../shop/practice.ts";
import type { Desk } from "../stage/desk.ts";
import { objectOf } from "../stage/requests.ts";
import type { Scene } from "../stage/scene.ts";

/** APR-4, lessons U28: the rules by which terms may differ from the approved ones. */
export const apr4: ConformanceCase = {
  id: "APR-4",
  requirements: ["APR-4", "REC-1", "U28"],
  group: "Approval",
  claim: "One minor unit more asks again, one less commits and is recorded; another item or currency never commits.",
  async run(scene) {
    const desk = await scene.desk();
    await asksAgain(scene, desk, "the total rose by one minor unit", { switch: "total", deltaMinor: 1 });
    await asksAgain(scene, desk, "the item got another title", {
      switch: "title",
      text: "Trail Lamp 200 (refurbished)",
    });
    scene.did("the shop charged in another currency than the request names");
    const { taskId: foreign } = await desk.submit(desk.order({ parameters: { currency: "USD" } }));
    const end = await desk.look(foreign, ["approval_required"]);
    check(end["state"] === "failed" || end["state"] === "denied", "it is stopped, and the holder is not asked", end);
    check((await scene.counted()).submits === 0, "none of these was submitted");
    scene.did("the total fell by one minor unit after the approval");
    const { taskId, approval } = await desk.pending();
    await scene.shop.set({ switch: "total", deltaMinor: -1 });
    await desk.approve(approval);
    await desk.reaches(taskId, ["succeeded"]);
    const { record } = await desk.receipt(taskId);
    const observed = objectOf(record["observed"]);
    checkEqual(observed["total_minor"] ?? null, LAMP.totalMinor - 1, "the receipt says what was charged");
    check((await scene.counted()).submits === 1, "one order was submitted");
  },
};

async function asksAgain(scene: Scene, desk: Desk, what: string, setting: Parameters<Scene["shop"]["set"]>[0]) {
  scene.did(`after the approval ${what}`);
  const { taskId, approval } = await desk.pending();
  await scene.shop.set(setting);
  await desk.approve(approval);
  const paused = await desk.look(taskId, ["approval_required"]);
  check(paused["state"] === "approval_required", "the task asks again", paused);
  const again = await desk.asked(taskId);
  check(again.ref !== approval.ref, "on another record");
  await desk.port.cancel(taskId);
  await scene.shop.calm();
}
