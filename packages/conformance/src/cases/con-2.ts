import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { ORDER, ORDERS_LIST } from "../shop/practice.ts";
import { brief } from "../stage/desk.ts";
import { inMs, objectOf } from "../stage/requests.ts";

const HOUR_MS = 3_600_000;

/** CON-2: a grant is for what it names. */
export const con2: ConformanceCase = {
  id: "CON-2",
  requirements: ["CON-2", "AUT-1"],
  group: "Consent and authority",
  claim: "A connected account is no permission: a grant to read does not allow an order, and one to order no read.",
  async run(scene) {
    const reads = await scene.desk({ operations: [ORDERS_LIST] });
    const writes = await scene.desk({ operations: [ORDER] });
    scene.did("ordered under a grant to read, and read under a grant to order");
    for (const { desk, request } of [
      { desk: reads, request: reads.order() },
      { desk: writes, request: writes.list() },
    ]) {
      const { answer } = await desk.submit(request);
      checkEqual(answer.body["state"], "denied", "it is denied");
      checkEqual(answer.body["reason"], "operation_not_granted", "because the grant does not name the operation");
    }
    scene.did("read under the grant to read");
    const { taskId } = await reads.submit(reads.list());
    await reads.reaches(taskId, ["succeeded"]);
    const asked = await reads.port.requestConsent(consentOf());
    check(asked.status === 201, "an agent may ask for a grant", brief(asked));
    const unanswered = { ...reads.list(), consent_ref: String(objectOf(asked.body)["consent_ref"]) };
    scene.did("used a grant that its holder has not decided on");
    const { answer } = await reads.submit(unanswered);
    checkEqual(answer.body["state"], "denied", "a grant that was only asked for allows nothing");
    check((await scene.counted()).submits === 0, "nothing was submitted");
  },
};

function consentOf() {
  return {
    destination: "practice-shop",
    operations: [ORDERS_LIST],
    purpose: "Never decided.",
    expires_at: inMs(HOUR_MS),
  };
}
