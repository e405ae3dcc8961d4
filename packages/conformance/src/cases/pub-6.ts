import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { READ_BACK_MS } from "../limits.ts";
import { objectOf } from "../stage/requests.ts";

/** PUB-6: the shop takes the order and the answer is lost. */
export const pub6: ConformanceCase = {
  id: "PUB-6",
  requirements: ["PUB-6", "STA-3", "STA-4"],
  group: "Published behaviours",
  claim: "A lost checkout response is unknown, is read back at the destination, and is never submitted again.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId, approval } = await desk.pending();
    scene.did("the shop placed the order and cut the connection before answering");
    await scene.shop.set({ switch: "commitThenDrop", times: 1 });
    await desk.approve(approval);
    await desk.reaches(taskId, ["succeeded"], READ_BACK_MS);
    const states = await desk.trail(taskId);
    scene.saw("states", [...states]);
    check(states.includes("outcome_unknown"), "between, the outcome was unknown and said so");
    const { submits, orders } = await scene.counted();
    check(orders === 1, "the shop has one order");
    check(submits === 1, "and received one submission");
    const [newest] = await scene.shop.orders();
    const { record } = await desk.receipt(taskId);
    const destination = objectOf(record["destination"]);
    checkEqual(destination["confirmation"] ?? null, newest?.number ?? "", "the receipt names the shop's own order");
  },
};
