import {
  type ActionRecord,
  type CommitOperation,
  type FieldMeaning,
  OPERATIONS,
  observedAct,
  requestedAct,
  underCeiling,
} from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { checkLimits } from "../consent/check.ts";
import { type CrossingFacts, judgeCrossing } from "./judge.ts";

// The boundary's own judgement of every act of the catalogue, by its example: one that is added joins by being there.

const NOW = Date.UTC(2026, 10, 30, 10, 5);
const DIGEST = "A".repeat(43);
const commits = OPERATIONS.filter((o): o is CommitOperation => o.effect === "commit");
const each = commits.map((o) => [o.id, o] as const);

function factsOf(operation: CommitOperation, terms: JsonObject, limits: JsonObject = {}): CrossingFacts {
  const approved = operation.example.terms ?? {};
  const scope = JSON.stringify({
    operations: [operation.id],
    routes: ["http"],
    limits,
    expires_at: "2026-12-30T00:00:00Z",
  });
  const personal = Object.fromEntries(operation.meaning.personal.map(({ name }) => [name, `own ${name}`]));
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
    operation: operation.id,
    parameters: operation.example.parameters,
    limits: { approval: operation.approval },
    route: { kind: "http", origin: "https://site.example", adapter: "site/1" },
    terms: approved,
    private: {},
    observed: { at: "2026-11-30T10:00:00Z", state_digest: DIGEST },
    uses: 1,
  };
  return {
    now: NOW,
    operation,
    parameters: operation.example.parameters,
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
      destination: "site",
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
    approval: {
      decision: "approved",
      method: "passkey",
      taskId: "task_a",
      actionId: "act_a",
      actionDigest: DIGEST,
    },
    policy: operation.approval,
    readBackFirst: false,
    outside: { kind: "not_asked" },
    connection: { state: "connected" },
    record,
    digest: DIGEST,
    personal,
    observed: { terms, personal },
  };
}

function answer(facts: CrossingFacts): string {
  const judged = judgeCrossing(facts);
  if (judged.ok) return "may cross";
  return judged.reason.kind === "stopped" ? judged.reason.reason : judged.reason.kind;
}

/** A change of one shown member that its schema takes. */
function changed(operation: CommitOperation, { member, show }: FieldMeaning): JsonObject | undefined {
  const terms = operation.example.terms ?? {};
  const value = terms[member];
  const others: readonly Json[] =
    show === "money" || show === "count"
      ? [Number(value ?? 0) + 1]
      : [
          "2031-03-04",
          "2031-03-04T05:06:07Z",
          "USD",
          "other.example",
          "close",
          "year",
          "phone",
          "home",
          "off",
          "on",
          "no",
          "month",
        ];
  return others
    .filter((other) => other !== value)
    .map((other) => ({ ...terms, [member]: other }))
    .find((other) => operation.terms.safeParse(other).success);
}

describe("APR-5 every act of the catalogue, at the boundary", () => {
  it.each(each)("%s: what was approved may cross", (_id, operation) => {
    expect(answer(factsOf(operation, operation.example.terms ?? {}))).toBe("may cross");
  });

  it.each(each)("APR-4 %s: each material term that moved asks again", (_id, operation) => {
    for (const field of operation.meaning.fields) {
      const terms = changed(operation, field);
      expect(terms, `another ${field.member}`).toBeDefined();
      expect(answer(factsOf(operation, terms ?? {})), field.member).toBe("terms_changed");
    }
  });

  it.each(each)("APR-2 %s: so does each personal text, and one that is missing", (_id, operation) => {
    const facts = factsOf(operation, operation.example.terms ?? {});
    for (const { name } of operation.meaning.personal) {
      const { [name]: _gone, ...less } = facts.personal;
      for (const personal of [{ ...facts.personal, [name]: "another" }, less])
        expect(answer({ ...facts, observed: { ...facts.observed, personal } }), name).toBe("terms_changed");
    }
  });

  // Each of these agrees with itself: what leaves is lower, and so is what it is a part of.
  it.each<[string, JsonObject]>([
    ["banking.transfer.submit", { fee_minor: 0, total_minor: 25_000 }],
    ["utilities.bill.pay", { fee_minor: 0, total_minor: 8640 }],
    ["utilities.plan.change", { price_minor: 3000, total_minor: 3000 }],
    ["subscription.plan.change", { price_minor: 7000, total_minor: 7000 }],
    ["healthcare.appointment.book", { fee_minor: 0, no_show_fee_minor: 0 }],
  ])("APR-4 (U28) %s: a lower amount may cross, where the rule says so", (id, change) => {
    const operation = commits.find((one) => one.id === id);
    expect(operation && answer(factsOf(operation, { ...operation.example.terms, ...change }))).toBe("may cross");
  });

  it.each<[string, JsonObject]>([
    ["banking.transfer.submit", { amount_minor: 24_999, total_minor: 25_049 }],
    ["utilities.bill.pay", { amount_minor: 8639, total_minor: 8674 }],
    ["insurance.claim.submit", { claimed_minor: 83_999 }],
    ["retail.order.cancel", { refund_minor: 4990, kept_minor: 0 }],
  ])("APR-4 %s: what has to arrive exactly asks again even when it is lower", (id, change) => {
    const operation = commits.find((one) => one.id === id);
    expect(operation && answer(factsOf(operation, { ...operation.example.terms, ...change }))).toBe("terms_changed");
  });

  it("APR-4 (U29) an offer to stay that comes, changes or goes asks again, and is part of what was approved", () => {
    const cancel = commits.find(({ id }) => id === "subscription.cancel");
    if (cancel === undefined) throw new Error("the catalogue has it");
    const terms = cancel.example.terms ?? {};
    const offered = { ...terms, retention_offer: "Half price for six months" };
    const withOffer: CommitOperation = { ...cancel, example: { ...cancel.example, terms: offered } };
    expect(answer(factsOf(cancel, offered))).toBe("terms_changed");
    expect(answer(factsOf(withOffer, { ...offered, retention_offer: "Free until March" }))).toBe("terms_changed");
    expect(answer(factsOf(withOffer, terms))).toBe("terms_changed");
    expect(answer(factsOf(withOffer, offered))).toBe("may cross");
  });
});

describe("REQ-8 CON-3 every act of the catalogue, against what bounds it", () => {
  const bounded = each.filter(([, { ceiling }]) => ceiling !== undefined);

  it.each(bounded)("%s: the request's own maximum is a ceiling, to the minor unit and in its currency", (...c) => {
    const [, { ceiling, example }] = c;
    if (ceiling === undefined) return;
    const terms = example.terms ?? {};
    const total = Number(terms[ceiling.totalMember]);
    const asked = (limit: number, currency = "EUR") => ({
      ...example.parameters,
      [ceiling.limitMember]: limit,
      [ceiling.limitCurrencyMember]: currency,
    });
    expect(underCeiling(ceiling, asked(total), terms)).toBe("within");
    expect(underCeiling(ceiling, asked(total - 1), terms)).toBe("over_limit");
    expect(underCeiling(ceiling, asked(total, "USD"), terms)).toBe("other_currency");
  });

  it.each(bounded)("%s: so is the grant's, for the request and for the terms", (_id, operation) => {
    const { ceiling, example } = operation;
    if (ceiling === undefined) return;
    const most = Number(example.parameters[ceiling.limitMember]);
    const total = Number(example.terms?.[ceiling.totalMember]);
    const fits = (max: number, act: Parameters<typeof checkLimits>[1], currency = "EUR") =>
      checkLimits({ max_total_minor: max, currency }, act, {}).ok;
    const [requested, observed] = [
      requestedAct(operation, example.parameters),
      observedAct(operation, example.terms ?? {}),
    ];
    expect([fits(most, requested), fits(most - 1, requested)]).toEqual([true, false]);
    expect([fits(total, observed), fits(total - 1, observed), fits(total, observed, "USD")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each(each)(
    "%s: a payee or an item that the grant does not list is not covered, and one that it lists is",
    (...c) => {
      const [, operation] = c;
      const act = observedAct(operation, operation.example.terms ?? {});
      if (act.payee.kind === "told") {
        expect(checkLimits({ payees: [act.payee.value] }, act, {}).ok).toBe(true);
        expect(checkLimits({ payees: ["another.example"] }, act, {})).toEqual({
          ok: false,
          reason: "payee_not_granted",
        });
      }
      if (act.items.kind === "told") {
        expect(checkLimits({ items: [...act.items.value] }, act, {}).ok).toBe(true);
        expect(checkLimits({ items: ["another"] }, act, {})).toEqual({ ok: false, reason: "item_not_granted" });
      }
      expect([act.payee.kind, act.items.kind].includes("unreadable")).toBe(false);
    },
  );

  it("what lets money leave later is covered by no grant that limits money; what only tells of money is", () => {
    const verdict = (id: string) => {
      const operation = commits.find((one) => one.id === id);
      return (
        operation && answer(factsOf(operation, operation.example.terms ?? {}, { max_total_minor: 1, currency: "EUR" }))
      );
    };
    expect(verdict("utilities.autopay.set")).toBe("over_limit");
    expect(verdict("insurance.claim.submit")).toBe("may cross");
    expect(verdict("account.address.change")).toBe("may cross");
  });

  it.each(each)("%s: counts as one action", (_id, operation) => {
    const act = observedAct(operation, operation.example.terms ?? {});
    const limits = { periods: { day: { max_actions: 1 } } };
    expect(checkLimits(limits, act, { day: { actions: 0, minor: 0 } }).ok).toBe(true);
    expect(checkLimits(limits, act, { day: { actions: 1, minor: 0 } })).toEqual({ ok: false, reason: "limit_reached" });
  });
});
