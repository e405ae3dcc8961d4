import { isJsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { ALL_OPERATIONS, NO_SUCH_OPERATION } from "../shop/practice.ts";
import { brief } from "../stage/desk.ts";
import { inMs, objectOf } from "../stage/requests.ts";

const HOUR_MS = 3_600_000;

/** REQ-6: what can be done is discovered first. */
export const req6: ConformanceCase = {
  id: "REQ-6",
  requirements: ["REQ-6"],
  group: "Requests",
  claim: "Capabilities list an account's operations with schemas and routes; what is not there is a capability gap.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did("read the account's capabilities");
    const answer = await desk.port.capabilities(desk.refs.accountRef);
    const { operations } = answer.body;
    check(answer.status === 200 && Array.isArray(operations), "the account's capabilities can be read", brief(answer));
    for (const id of ALL_OPERATIONS) {
      const row = operations.find((o) => isJsonObject(o) && o["operation"] === id);
      check(row !== undefined && isJsonObject(row), `${id} is listed`);
      check(Array.isArray(row["routes"]) && row["routes"].length > 0, `${id} names the routes that can do it`, row);
      check(Object.hasOwn(objectOf(row["parameters"]), "properties"), `${id} has the schema of its parameters`);
    }
    scene.did("asked for a grant of an operation that the account does not have");
    const gap = await desk.port.requestConsent({
      account_ref: desk.refs.accountRef,
      operations: [NO_SUCH_OPERATION],
      purpose: "x",
      expires_at: inMs(HOUR_MS),
    });
    check(gap.reason === "capability_gap" && gap.status === 422, "it is said to be a capability gap", brief(gap));
  },
};
