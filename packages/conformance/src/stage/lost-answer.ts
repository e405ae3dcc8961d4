import { SuiteTrouble } from "../check.ts";
import type { PendingApproval } from "../holder/holder.ts";
import { SETTLE_MS } from "../limits.ts";
import { until } from "../wait.ts";
import type { Desk } from "./desk.ts";
import type { Scene } from "./scene.ts";

const ANSWERING_MS = 2_500;

/**
 * Approves, and has the shop commit, keep the answer back, become unreadable meanwhile, and cut the connection: the
 * outcome is unknown and stays so until {@link readableAgain}.
 */
export async function loseAnswer(scene: Scene, desk: Desk, taskId: string, approval: PendingApproval): Promise<void> {
  const before = (await scene.shop.counters()).submits;
  await scene.shop.set({ switch: "delay", ms: ANSWERING_MS, at: "after_commit", times: 1 });
  await scene.shop.set({ switch: "commitThenDrop", times: 1 });
  await desk.approve(approval);
  const { fits } = await until(
    () => scene.shop.counters(),
    ({ submits }) => submits > before,
    SETTLE_MS,
  );
  if (!fits) throw new SuiteTrouble("the approved order did not reach the shop");
  await scene.shop.set({ switch: "readBack" });
  scene.did("the shop placed the order, cut the connection without an answer, and shows its orders to nobody");
  await desk.reaches(taskId, ["outcome_unknown"]);
}

export async function readableAgain(scene: Scene): Promise<void> {
  await scene.shop.set({ switch: "readBack", state: "up" });
  scene.did("the shop shows its orders again");
}
