import {
  type ActionRecord,
  APPROVAL_POLICIES,
  type ApprovalMethod,
  type CommitOperation,
  retailOrderSubmit,
  satisfiesPolicy,
} from "@countersign/profile";
import { assert, type JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SignedDecision } from "../approval/rows.ts";
import { type CrossingFacts, judgeCrossing } from "./judge.ts";

const NOW = Date.UTC(2026, 10, 30, 10, 5);
const DIGEST = "A".repeat(43);
const { example } = retailOrderSubmit;
assert(example.terms !== undefined, "an order has terms");
const TERMS: JsonObject = example.terms;

const record: ActionRecord = {
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
  parameters: example.parameters,
  limits: { approval: "session" },
  route: { kind: "http", origin: "https://shop.example", adapter: "shop/1" },
  terms: TERMS,
  private: {},
  observed: { at: "2026-11-30T10:00:00Z", state_digest: DIGEST },
  uses: 1,
};
const approval: SignedDecision = {
  decision: "approved",
  method: "session",
  taskId: "task_a",
  actionId: "act_a",
  actionDigest: DIGEST,
};
const scope = JSON.stringify({
  operations: [retailOrderSubmit.id],
  routes: ["http"],
  limits: {},
  expires_at: "2026-12-30T00:00:00Z",
});
const facts: CrossingFacts = {
  now: NOW,
  operation: retailOrderSubmit,
  parameters: example.parameters,
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
  consent: {
    consent_ref: "cons_1",
    tenant_id: "ten",
    person_id: "usr",
    client_id: "agent",
    destination: "shop",
    account_ref: "acct_1",
    state: "granted",
    asked: scope,
    granted: scope,
    purpose: "x",
    requested_at: 0,
    decided_at: 0,
    revoked_at: null,
    expires_at: NOW + 1,
  },
  used: {},
  action: { action_id: "act_a", status: "approved", digest: DIGEST, expires_at: NOW + 1 },
  approval,
  policy: "session",
  readBackFirst: false,
  outside: { kind: "not_asked" },
  connection: { state: "connected" },
  record,
  digest: DIGEST,
  personal: {},
  observed: { terms: TERMS },
};

function answer(change: Partial<CrossingFacts>): string {
  const judged = judgeCrossing({ ...facts, ...change });
  if (judged.ok) return "may cross";
  return judged.reason.kind === "stopped" ? `${judged.reason.event} ${judged.reason.reason}` : judged.reason.kind;
}
const withRecord = (change: Partial<ActionRecord>): ActionRecord => ({ ...record, ...change });

it("APR-5 what was approved, is in force and still stands may cross", () => {
  expect(answer({})).toBe("may cross");
});

describe("STA-2 whose turn it is", () => {
  const moved = (change: Partial<CrossingFacts["task"]>) => answer({ task: { ...facts.task, ...change } });

  it.each<[string, Partial<CrossingFacts["task"]>]>([
    ["another worker has taken it", { fence: 3 }],
    ["it has moved meanwhile", { version: 4 }],
    ["it has crossed already", { submitted: 1 }],
    ["it is not executing", { state: "validating" }],
    ["nobody has it", { lease_owner: null }],
    ["the lease ends now", { lease_until: NOW }],
    ["there is no lease", { lease_until: null }],
  ])("%s: nothing leaves", (_name, change) => {
    expect(moved(change)).toBe("lost_lease");
  });

  it("REQ-4 the request has ended at the instant that it names", () => {
    expect(moved({ request_expires_at: NOW })).toBe("expired request_expired");
  });

  it("STA-8 a restored store reads back first", () => {
    expect(answer({ readBackFirst: true })).toBe("read_back_first");
  });

  it.each([["connecting"], ["reauthentication_required"], ["disconnected"]] as const)(
    "AUT-1 an account that is %s has nobody signed in",
    (state) => {
      expect(answer({ connection: { state } as never })).toBe("sign_in");
      expect(answer({ connection: undefined })).toBe("sign_in");
    },
  );
});

describe("APR-6 U18 an approval is of one record of one task, and nothing else can spend it", () => {
  it.each<[string, Partial<CrossingFacts>, string]>([
    ["of another record", { approval: { ...approval, actionId: "act_b" } }, "terms_changed"],
    ["of another task", { approval: { ...approval, taskId: "task_b" } }, "terms_changed"],
    ["of another digest", { approval: { ...approval, actionDigest: "B".repeat(43) } }, "terms_changed"],
    ["the worker's record is another", { record: withRecord({ action_id: "act_b" }) }, "terms_changed"],
    ["the worker's record is of another task", { record: withRecord({ task_id: "task_b" }) }, "terms_changed"],
    ["U17 the worker's record was changed on the way", { digest: "B".repeat(43) }, "terms_changed"],
    ["a refusal", { approval: { ...approval, decision: "denied" } }, "denied refused_by_holder"],
    ["no record at all", { action: undefined }, "denied refused_by_holder"],
  ])("%s", (_name, change, expected) => {
    expect(answer(change)).toBe(expected);
  });

  it.each(["pending", "denied", "expired", "superseded", "withdrawn", "stopped"] as const)(
    "APR-6 a record that is %s cannot commit",
    (status) => {
      expect(answer({ action: { action_id: "act_a", status, digest: DIGEST, expires_at: NOW + 1 } })).toBe(
        "denied refused_by_holder",
      );
    },
  );

  it("APR-6 at the instant at which the record ends it has ended", () => {
    const until = (expires_at: number) =>
      ({ action_id: "act_a", status: "approved", digest: DIGEST, expires_at }) as const;
    expect(answer({ action: until(NOW + 1) })).toBe("may cross");
    expect(answer({ action: until(NOW) })).toBe("expired approval_expired");
    expect(answer({ record: withRecord({ expires_at: "2026-11-30T10:05:00Z" }) })).toBe("expired approval_expired");
  });
});

describe("APR-3 the policy in force at the boundary", () => {
  const methods: readonly ApprovalMethod[] = ["session", "authority", "passkey"];
  const stands = {
    kind: "stands",
    authority: "mandates",
    approvalRef: "apr_a",
    heard: { enrolmentRef: "enr_a", keys: [] },
  } as const;

  it("an approval crosses exactly where it is enough; where it is not, the person is asked anew", () => {
    fc.assert(
      fc.property(fc.constantFrom(...APPROVAL_POLICIES), fc.constantFrom(...methods), (policy, method) => {
        const outside = method === "authority" ? stands : ({ kind: "not_asked" } as const);
        const expected = satisfiesPolicy(policy, method) ? "may cross" : "policy_tightened";
        expect(answer({ policy, approval: { ...approval, method }, outside })).toBe(expected);
      }),
    );
  });

  it("the policy that stands in the record binds as well, whatever was taken back since", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...APPROVAL_POLICIES),
        fc.constantFrom(...APPROVAL_POLICIES),
        fc.constantFrom(...methods),
        (policy, recorded, method) => {
          const outside = method === "authority" ? stands : ({ kind: "not_asked" } as const);
          const enough = satisfiesPolicy(policy, method) && satisfiesPolicy(recorded, method);
          const frozen = withRecord({ limits: { approval: recorded } });
          expect(answer({ policy, record: frozen, approval: { ...approval, method }, outside })).toBe(
            enough ? "may cross" : "policy_tightened",
          );
        },
      ),
    );
  });

  it("nobody asked: only under `none`, and only for a record that says so itself", () => {
    const unasked = withRecord({ limits: { approval: "none" } });
    expect(answer({ policy: "none", approval: undefined, record: unasked })).toBe("may cross");
    expect(answer({ policy: "none", approval: undefined })).toBe("policy_tightened");
    for (const policy of APPROVAL_POLICIES.filter((p) => p !== "none"))
      expect(answer({ policy, approval: undefined, record: unasked })).toBe("policy_tightened");
    expect(answer({ policy: "none", approval: { ...approval, decision: "denied" }, record: unasked })).toBe(
      "denied refused_by_holder",
    );
  });

  it("U17 a record that needed nobody is bound by its digest all the same", () => {
    const unasked = {
      policy: "none",
      approval: undefined,
      record: withRecord({ limits: { approval: "none" } }),
    } as const;
    expect(answer({ ...unasked, digest: "B".repeat(43) })).toBe("terms_changed");
  });

  it("a record that needed nobody is frozen again when it has run out: there is nobody to have missed it", () => {
    const unasked = withRecord({ limits: { approval: "none" }, expires_at: "2026-11-30T10:05:00Z" });
    expect(answer({ policy: "none", approval: undefined, record: unasked })).toBe("terms_changed");
  });

  it.each(["authority_not_enrolled", "evidence_refused", "evidence_denied", "evidence_used"] as const)(
    "U26 an authority's approval does not outlive its evidence: %s",
    (reason) => {
      const byAuthority = { ...approval, method: "authority" } as const;
      expect(answer({ approval: byAuthority, outside: { kind: "refused", reason } })).toBe(`denied ${reason}`);
      expect(answer({ approval: byAuthority, outside: { kind: "not_asked" } })).toBe("denied evidence_refused");
    },
  );
});

describe("APR-4 U29 a quote", () => {
  const quoted = (quote: JsonObject): ActionRecord => withRecord({ terms: { ...TERMS, ...quote } });
  const quote = { quote_ref: "q_1", quote_expires_at: "2026-11-30T10:06:00Z" };
  const seen = (change: JsonObject) => ({
    record: quoted(quote),
    observed: { terms: { ...TERMS, ...quote, ...change } },
  });

  it("the same one crosses while it lasts; another id, another end or none asks again", () => {
    expect(answer(seen({}))).toBe("may cross");
    expect(answer(seen({ quote_ref: "q_2" }))).toBe("terms_changed");
    expect(answer(seen({ quote_expires_at: "2026-11-30T10:07:00Z" }))).toBe("terms_changed");
    expect(answer({ record: quoted(quote) })).toBe("terms_changed");
  });

  it("a quote that has run out asks again, whatever the site still shows", () => {
    const ended = { ...quote, quote_expires_at: "2026-11-30T10:05:00Z" };
    expect(answer({ record: quoted(ended), observed: { terms: { ...TERMS, ...ended } } })).toBe("terms_changed");
  });
});

describe("APR-5 the terms at the boundary", () => {
  const lines = TERMS["lines"] as readonly JsonObject[];
  const priced = (delivery: number, total: number, more: JsonObject = {}) => ({
    observed: {
      terms: {
        ...TERMS,
        total_minor: total,
        lines: lines.map((line) => (line["kind"] === "delivery" ? { ...line, unit_minor: delivery } : line)),
        ...more,
      },
    },
  });

  it.each<[string, Partial<CrossingFacts>, string]>([
    ["U28 one minor unit more asks again", priced(501, 4991), "terms_changed"],
    ["U28 equal commits", priced(500, 4990), "may cross"],
    ["U28 one less commits", priced(499, 4989), "may cross"],
    ["U28 the same number in another currency asks again", priced(500, 4990, { currency: "USD" }), "terms_changed"],
    ["U27 amounts that contradict each other ask again", priced(499, 4990), "terms_changed"],
    [
      "U27 terms of another quantity than was asked for",
      { parameters: { ...example.parameters, quantity: 2 } },
      "terms_changed",
    ],
    ["terms that are no terms ask again", { observed: { terms: { total: "49.90" } } }, "terms_changed"],
    ["other personal text asks again", { personal: { ship_to: "12 Sample Street" } }, "terms_changed"],
  ])("%s", (_name, change, expected) => {
    expect(answer(change)).toBe(expected);
  });

  it("an operation without a quote has none to run out", () => {
    const { validUntil: _, ...meaning } = retailOrderSubmit.meaning;
    const operation: CommitOperation = { ...retailOrderSubmit, meaning };
    expect(answer({ operation })).toBe("may cross");
  });
});
