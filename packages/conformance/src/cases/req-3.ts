import type { JsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief } from "../stage/desk.ts";
import { objectOf, without } from "../stage/requests.ts";

/** REQ-3: parameters are judged by the operation's own schema. */
export const req3: ConformanceCase = {
  id: "REQ-3",
  requirements: ["REQ-3", "U19"],
  group: "Requests",
  claim: "Parameters are validated strictly by the operation's schema; unknown members and loose types are refused.",
  async run(scene) {
    const desk = await scene.desk();
    const good = objectOf(desk.order()["parameters"]);
    const tries: readonly (readonly [string, JsonObject])[] = [
      ["an unknown parameter", { ...good, gift_wrap: true }],
      ["quantity true", { ...good, quantity: true }],
      ['quantity "1"', { ...good, quantity: "1" }],
      ["quantity 0", { ...good, quantity: 0 }],
      ["no quantity", without(good, "quantity")],
      ["a negative maximum", { ...good, max_total_minor: -1 }],
      ["a currency that is none", { ...good, currency: "EURO" }],
    ];
    for (const [what, parameters] of tries) {
      scene.did(`sent an order with ${what}`);
      const answer = await desk.port.submit(rewritten(desk.order(), parameters));
      check(answer.status === 400 && answer.reason === "invalid_request", `${what} is refused`, brief(answer));
      const { problems } = answer.body;
      check(Array.isArray(problems) && problems.length > 0, "the refusal names the place and the rule", brief(answer));
    }
    scene.did("sent an order's parameters to a read, and an operation that is in no catalogue");
    const read = await desk.port.submit(rewritten(desk.list(), good));
    check(read.status === 400, "a read uses its own schema", brief(read));
    const unknown = await desk.port.submit({ ...desk.order(), operation: "retail.order.nonsense" });
    check(
      unknown.status === 400 && unknown.reason === "unknown_operation",
      "an unknown operation is said as such",
      brief(unknown),
    );
  },
};

function rewritten(request: JsonObject, parameters: JsonObject): JsonObject {
  return { ...request, parameters };
}
