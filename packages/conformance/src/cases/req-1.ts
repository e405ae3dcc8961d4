import { PROFILE_ID } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { brief } from "../stage/desk.ts";
import { objectOf, without } from "../stage/requests.ts";

const MEMBERS = [
  "profile",
  "request_id",
  "idempotency_key",
  "account_ref",
  "consent_ref",
  "operation",
  "parameters",
  "expires_at",
] as const;

/** The example of the draft, which every gateway refuses at run time. */
const DRAFT: JsonObject = {
  profile: PROFILE_ID,
  request_id: "req_demo_001",
  idempotency_key: "checkout_demo_001",
  account_ref: "acct_retail_demo",
  consent_ref: "consent_demo",
  operation: "retail.order.submit",
  parameters: {
    item_ref: "item_demo",
    quantity: 1,
    max_total_minor: 7500,
    currency: "USD",
    fulfillment_ref: "delivery_demo",
  },
  expires_at: "2026-10-10T19:00:00Z",
};

/** REQ-1: the envelope's members, and no others. */
export const req1: ConformanceCase = {
  id: "REQ-1",
  requirements: ["REQ-1"],
  group: "Requests",
  claim: "A request carries the eight members of the profile, exact integers for money and times with an offset.",
  async run(scene) {
    const desk = await scene.desk();
    for (const member of MEMBERS) {
      scene.did(`left out ${member}`);
      const answer = await desk.port.submit(without(desk.order(), member));
      check(answer.status === 400, `a request without ${member} is refused`, brief(answer));
    }
    const good = desk.order();
    const money = (value: string) =>
      JSON.stringify(good).replace(/"max_total_minor":\d+/, `"max_total_minor":${value}`);
    const wrong: readonly (readonly [string, JsonObject | string])[] = [
      ["an unknown member", { ...good, priority: "high" }],
      ["another profile", { ...good, profile: "sophtron.agentic-web-execution/9.9" }],
      ["a time without an offset", { ...good, expires_at: "2099-01-01T00:00:00" }],
      ["a time that is none", { ...good, expires_at: "2099-02-30T00:00:00Z" }],
      ["money with a fraction", money("49.9")],
      ["money beyond exact integers", money("9007199254740993")],
      ["money as text", money('"6000"')],
      ["a member twice", JSON.stringify(good).replace("{", '{"operation":"retail.orders.list",')],
    ];
    for (const [what, request] of wrong) {
      scene.did(`sent ${what}`);
      const answer = await desk.port.submit(request);
      check(answer.status === 400, `${what} is refused`, brief(answer));
    }
    scene.did("sent the draft's own example, then with our references in it");
    const draft = await desk.port.submit(DRAFT);
    check(draft.status === 404, "the draft's example has the right shape, and nobody's references", brief(draft));
    const dated = { ...desk.order(), expires_at: DRAFT["expires_at"] ?? "" };
    if (Date.parse(String(DRAFT["expires_at"])) < Date.now()) {
      const answer = await desk.port.submit(dated);
      checkEqual(objectOf(answer.body)["state"], "expired", "its time is past: the task is made and is expired");
    }
  },
};
