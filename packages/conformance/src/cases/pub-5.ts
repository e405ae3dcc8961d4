import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { brief } from "../stage/desk.ts";
import { inMs, objectOf } from "../stage/requests.ts";

const LATER_MS = 3 * 3_600_000;

/** PUB-5: the same key with another record. */
export const pub5: ConformanceCase = {
  id: "PUB-5",
  requirements: ["PUB-5", "REQ-4"],
  group: "Published behaviours",
  claim: "A repeated key with another record is a conflict that names the task; with the same record it is that task.",
  async run(scene) {
    const desk = await scene.desk();
    const other = await scene.desk();
    const request = desk.order();
    const { taskId } = await desk.submit(request);
    const parameters = objectOf(request["parameters"]);
    const changes = {
      "another quantity": { parameters: { ...parameters, quantity: 2 } },
      "another time limit": { expires_at: inMs(LATER_MS) },
      "another grant": { consent_ref: other.refs.consentRef },
    };
    for (const [what, change] of Object.entries(changes)) {
      scene.did(`repeated the key with ${what}`);
      const answer = await desk.port.submit({ ...request, ...change });
      check(answer.status === 409 && answer.reason === "idempotency_conflict", "it is a conflict", brief(answer));
      checkEqual(answer.body["task_id"], taskId, "the conflict names the task that the key belongs to");
    }
    scene.did("repeated the key and the record under another request_id");
    const again = await desk.port.submit({ ...request, request_id: `req_${crypto.randomUUID()}` });
    check(again.status === 200 && again.replayed, "it is the existing task, marked as a replay", brief(again));
    checkEqual(again.body["task_id"], taskId, "by the same id");
  },
};
