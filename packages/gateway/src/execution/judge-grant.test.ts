import { retailOrderSubmit } from "@countersign/profile";
import { assert } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import type { ConsentRow } from "../consent/consents.ts";
import type { ConsentLimits } from "../consent/limits.ts";
import { type CrossingFacts, judgeCrossing } from "./judge.ts";

// What the person allows, as the boundary asks it: every limit again, on the terms that stand at the site now (CON-3).
const NOW = Date.UTC(2026, 10, 30, 10, 5);
const DIGEST = "A".repeat(43);
const { parameters, terms } = retailOrderSubmit.example;
assert(terms !== undefined, "an order has terms");

const scope = { operations: [retailOrderSubmit.id], routes: ["http"], expires_at: "2026-12-30T00:00:00Z" };
const granted = (limits: ConsentLimits, change: object = {}) => JSON.stringify({ ...scope, limits, ...change });
const consent: ConsentRow = {
  consent_ref: "cons_1",
  tenant_id: "ten",
  person_id: "usr",
  client_id: "agent",
  destination: "shop",
  account_ref: "acct_1",
  state: "granted",
  asked: granted({}),
  granted: granted({}),
  purpose: "x",
  requested_at: 0,
  decided_at: 0,
  revoked_at: null,
  expires_at: NOW + 1,
};
const facts: CrossingFacts = {
  now: NOW,
  operation: retailOrderSubmit,
  parameters,
  claimed: { version: 3, fence: 2 },
  task: {
    task_id: "task_a",
    account_ref: "acct_1",
    version: 3,
    fence: 2,
    lease_owner: "me",
    lease_until: NOW + 1,
    state: "executing",
    submitted: 0,
    request_expires_at: NOW + 1,
  },
  readBackFirst: false,
  consent,
  used: {},
  action: { action_id: "act_a", status: "approved", digest: DIGEST, expires_at: NOW + 1 },
  approval: { decision: "approved", method: "session", taskId: "task_a", actionId: "act_a", actionDigest: DIGEST },
  policy: "session",
  outside: { kind: "not_asked" },
  connection: { state: "connected" },
  record: {
    typ: "countersign.action/1",
    profile: "sophtron.agentic-web-execution/0.1",
    issuer: "https://gateway.example",
    action_id: "act_a",
    task_id: "task_a",
    nonce: "A".repeat(22),
    created_at: "2026-11-30T10:00:00Z",
    expires_at: "2026-11-30T10:10:00Z",
    account_holder: "holder",
    account_ref: "acct_1",
    consent_ref: "cons_1",
    agent: "agent",
    request_digest: DIGEST,
    operation: retailOrderSubmit.id,
    parameters,
    limits: { approval: "session" },
    route: { kind: "http", origin: "https://shop.example", adapter: "shop/1" },
    terms,
    private: {},
    observed: { at: "2026-11-30T10:00:00Z", state_digest: DIGEST },
    uses: 1,
  },
  digest: DIGEST,
  personal: {},
  observed: { terms },
};

function answer(change: Partial<CrossingFacts>): string {
  const judged = judgeCrossing({ ...facts, ...change });
  if (judged.ok) return "may cross";
  return judged.reason.kind === "stopped" ? judged.reason.reason : judged.reason.kind;
}
const limited = (limits: ConsentLimits, used: CrossingFacts["used"] = {}): Partial<CrossingFacts> => ({
  consent: { ...consent, granted: granted(limits) },
  used,
});
const eur = (minor: number) => ({ max_total_minor: minor, currency: "EUR" });

describe("CON-3 APR-5 the boundary asks the grant again", () => {
  it.each<[string, Partial<CrossingFacts>, string]>([
    ["nothing limited", {}, "may cross"],
    ["U42 revoked meanwhile", { consent: { ...consent, state: "revoked" } }, "grant_revoked"],
    ["U20 its end reached meanwhile", { now: Date.UTC(2026, 11, 30), ...late() }, "grant_expired"],
    ["of another account", { consent: { ...consent, account_ref: "acct_2" } }, "grant_not_active"],
    [
      "CON-4 narrowed to another operation",
      { consent: { ...consent, granted: granted({}, { operations: ["retail.orders.list"] }) } },
      "operation_not_granted",
    ],
    [
      "CON-4 narrowed to another route",
      { consent: { ...consent, granted: granted({}, { routes: ["browser"] }) } },
      "route_not_granted",
    ],
    ["CON-4 narrowed below the approved total", limited(eur(4989)), "over_limit"],
    ["narrowed to the approved total", limited(eur(4990)), "may cross"],
    ["another payee", limited({ payees: ["other.example"] }), "payee_not_granted"],
    ["another item", limited({ items: ["TL-300"] }), "item_not_granted"],
    ["outside its hours", limited({ hours: { zone: "UTC", from: "10:06", to: "11:00" } }), "outside_hours"],
    ["within its hours", limited({ hours: { zone: "UTC", from: "10:05", to: "10:06" } }), "may cross"],
    [
      "a period used up by another task since the approval",
      limited({ periods: { day: eur(9000) } }, { day: { actions: 1, minor: 4011 } }),
      "limit_reached",
    ],
    ["a period with room", limited({ periods: { day: eur(9000) } }, { day: { actions: 1, minor: 4010 } }), "may cross"],
    [
      "a count used up",
      limited({ periods: { total: { max_actions: 2 } } }, { total: { actions: 2, minor: 0 } }),
      "limit_reached",
    ],
  ])("%s", (_name, change, expected) => {
    expect(answer(change)).toBe(expected);
  });

  it("says what the grant is used for: the terms at the site now, not those of the record", () => {
    const lines = (terms["lines"] as { unit_minor: number }[]).map((line, i) => ({
      ...line,
      unit_minor: line.unit_minor - (i === 0 ? 100 : 0),
    }));
    const judged = judgeCrossing({ ...facts, observed: { terms: { ...terms, lines, total_minor: 4890 } } });
    expect(judged.ok && judged.value.act.amount).toEqual({ kind: "told", value: { minor: 4890, currency: "EUR" } });
  });
});

/** A task whose own times reach beyond the grant's. */
function late(): Partial<CrossingFacts> {
  const far = Date.UTC(2027, 0, 1);
  return { task: { ...facts.task, lease_until: far, request_expires_at: far } };
}
