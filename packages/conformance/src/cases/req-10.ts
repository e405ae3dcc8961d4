import { isJsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { brief } from "../stage/desk.ts";
import { objectOf } from "../stage/requests.ts";

const ROWS = 2;

/** REQ-10: a read's data. */
export const req10: ConformanceCase = {
  id: "REQ-10",
  requirements: ["REQ-10", "REC-2"],
  group: "Requests",
  claim: "A read returns the destination's own rows, typed, and none of them enters its receipt.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did(`read the last ${ROWS} orders`);
    const { taskId } = await desk.submit(desk.list({ parameters: { limit: ROWS } }));
    await desk.reaches(taskId, ["succeeded"]);
    const answer = await desk.port.result(taskId);
    const { orders } = objectOf(answer.body["result"]);
    check(answer.status === 200 && Array.isArray(orders), "the result can be read", brief(answer));
    const shown = (await scene.shop.orders()).slice(0, ROWS);
    const read = orders.map((row) =>
      isJsonObject(row) ? [row["order_number"] ?? null, row["total_minor"] ?? null] : [],
    );
    checkEqual(
      read,
      shown.map((order) => [order.number, order.totalMinor]),
      "the rows are the shop's newest, as the shop has them",
    );
    const { jws, record } = await desk.receipt(taskId);
    for (const { number } of shown)
      check(
        !JSON.stringify(record).includes(number) && !jws.includes(number),
        "no row of the result is in the receipt",
      );
    check(record["action_digest"] === undefined, "a read's receipt names no action");
  },
};
