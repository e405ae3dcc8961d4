import { type Act, type CommitOperation, retailOrderSubmit, subscriptionCancel } from "@countersign/profile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkGrant, checkHours, checkLimits, type Used } from "./check.ts";
import { type ConsentRow, type ConsentScope, consentScope } from "./consents.ts";
import { type ConsentLimits, PERIOD_MS, periodsOf } from "./limits.ts";
import { widened } from "./widened.ts";

const NOW = Date.UTC(2026, 10, 30, 10);
const HOUR = 3_600_000;
const eur = (minor: number) => ({ max_total_minor: minor, currency: "EUR" });
const hours = { zone: "Europe/Berlin", from: "08:00", to: "18:00", days: ["mon", "tue"] } as const;
const asked = consentScope.parse({
  operations: ["retail.order.submit"],
  routes: ["browser"],
  limits: {
    ...eur(5000),
    periods: { day: { ...eur(9000), max_actions: 3 }, month: eur(20_000), total: { max_actions: 10 } },
    payees: ["shop.example", "other.example"],
    items: ["TL-200", "TL-300"],
    hours,
  },
  approval: "authority",
  expires_at: "2026-12-01T00:00:00Z",
});
const limits = asked.limits;
const day = limits.periods?.day;

describe("CON-1 CON-4 the person narrows and never widens", () => {
  it.each<[string, object, string | undefined]>([
    ["as asked", {}, undefined],
    ["another operation", { operations: ["subscription.cancel"] }, "/operations"],
    ["another route", { routes: ["http"] }, "/routes"],
    ["a stricter decider", { approval: "passkey" }, undefined],
    ["a looser decider", { approval: "session" }, "/approval"],
    ["no word on who decides", { approval: undefined }, "/approval"],
    ["an earlier end", { expires_at: "2026-11-30T23:00:00Z" }, undefined],
    ["a later end", { expires_at: "2026-12-01T00:00:01Z" }, "/expires_at"],
    ["the same end in other letters", { expires_at: "2026-12-01T01:00:00+01:00" }, undefined],
  ])("%s", (_name, change, member) => {
    expect(widened(asked, { ...asked, ...change })).toBe(member);
  });

  it.each<[string, object, string | undefined]>([
    ["a lower amount", eur(1), undefined],
    ["a higher amount", eur(5001), "/limits/max_total_minor"],
    ["another currency", { ...eur(5000), currency: "USD" }, "/limits/max_total_minor"],
    ["no amount", { max_total_minor: undefined, currency: undefined }, "/limits/max_total_minor"],
    ["a period more", { periods: { ...limits.periods, week: { max_actions: 1 } } }, undefined],
    ["a period less", { periods: { day, month: eur(20_000) } }, "/limits/periods/total"],
    ["no periods", { periods: undefined }, "/limits/periods/day"],
    ["less a day", { periods: { ...limits.periods, day: { ...eur(8999), max_actions: 2 } } }, undefined],
    ["more a day", withDay({ ...eur(9001), max_actions: 3 }), "/limits/periods/day/max_total_minor"],
    ["a day in another currency", withDay({ ...eur(9000), currency: "USD" }), "/limits/periods/day/max_total_minor"],
    ["a day without its amount", withDay({ max_actions: 3 }), "/limits/periods/day/max_total_minor"],
    ["more actions a day", withDay({ ...eur(9000), max_actions: 4 }), "/limits/periods/day/max_actions"],
    ["a day without its count", withDay(eur(9000)), "/limits/periods/day/max_actions"],
    ["fewer payees", { payees: ["shop.example"] }, undefined],
    ["another payee", { payees: ["shop.example", "third.example"] }, "/limits/payees"],
    ["any payee", { payees: undefined }, "/limits/payees"],
    ["fewer items", { items: ["TL-300"] }, undefined],
    ["another item", { items: ["TL-400"] }, "/limits/items"],
    ["any item", { items: undefined }, "/limits/items"],
    ["shorter hours", { hours: { ...hours, from: "09:00", days: ["mon"] } }, undefined],
    ["longer hours", { hours: { ...hours, to: "18:01" } }, "/limits/hours"],
    ["more days", { hours: { ...hours, days: ["mon", "wed"] } }, "/limits/hours"],
    ["every day", { hours: { zone: hours.zone, from: hours.from, to: hours.to } }, "/limits/hours"],
    ["hours of another zone", { hours: { ...hours, zone: "Europe/Paris" } }, "/limits/hours"],
    ["any hour", { hours: undefined }, "/limits/hours"],
  ])("%s", (_name, change, member) => {
    const chosen = JSON.parse(JSON.stringify({ ...asked, limits: { ...limits, ...change } }));
    expect(widened(asked, chosen)).toBe(member);
    // Where nothing was limited, every limit is narrower.
    expect(widened({ ...asked, limits: {} }, chosen)).toBeUndefined();
  });
});

// The meaning of "narrower": nothing that the gateway's own checks refused under the one passes under the other.
interface Trial {
  readonly operation: CommitOperation;
  readonly route: string;
  readonly at: number;
  readonly act: Act;
  readonly uses: readonly { readonly ageMs: number; readonly minor: number; readonly currency: string }[];
}

function passes(scope: ConsentScope, trial: Trial): boolean {
  const consent: ConsentRow = { ...ROW, granted: JSON.stringify(scope) };
  const allowed = checkGrant(consent, { accountRef: "acct_1", operation: trial.operation }, trial.at);
  if (!allowed.ok || !allowed.value.routes.includes(trial.route)) return false;
  if (!checkHours(allowed.value.limits, trial.at).ok) return false;
  return checkLimits(allowed.value.limits, trial.act, usedIn(allowed.value.limits, trial)).ok;
}

function usedIn(of: ConsentLimits, { uses }: Trial): Used {
  return Object.fromEntries(
    periodsOf(of).map(([name, limit]) => {
      const counted = uses.filter((use) => use.ageMs < PERIOD_MS[name]);
      const minor = counted.filter((u) => u.currency === limit.currency).reduce((sum, u) => sum + u.minor, 0);
      return [name, { actions: counted.length, minor }];
    }),
  );
}

const amount = fc.record({ max_total_minor: fc.integer({ min: 0, max: 6 }), currency: fc.constantFrom("EUR", "USD") });
const count = fc.record({ max_actions: fc.integer({ min: 1, max: 4 }) });
const clocks = { from: fc.constantFrom("06:00", "09:00", "22:00"), to: fc.constantFrom("08:00", "18:00", "24:00") };
const someHours = fc
  .record({
    zone: fc.constantFrom("UTC", "Asia/Kolkata"),
    ...clocks,
    days: fc.option(fc.subarray(["mon", "tue", "sun"], { minLength: 1 }), { nil: undefined }),
  })
  .map((h) => JSON.parse(JSON.stringify(h)));
const period = fc.constantFrom("day", "week", "month", "total");
const oneLimit: readonly (readonly [string, fc.Arbitrary<object>])[] = [
  ["amount", amount],
  ["period amount", fc.tuple(fc.constant("week"), amount).map(([name, l]) => ({ periods: { [name]: l } }))],
  ["period count", fc.tuple(fc.constant("month"), count).map(([name, l]) => ({ periods: { [name]: l } }))],
  ["payees", fc.subarray(["a", "b"], { minLength: 1 }).map((payees) => ({ payees }))],
  ["items", fc.subarray(["x", "y"], { minLength: 1 }).map((items) => ({ items }))],
];
const anyLimits: fc.Arbitrary<object> = fc
  .tuple(
    ...[
      amount,
      fc.tuple(period, fc.oneof(amount, count)).map(([name, limit]) => ({ periods: { [name]: limit } })),
      ...oneLimit.slice(3).map(([, arbitrary]) => arbitrary),
      someHours.map((h) => ({ hours: h })),
    ].map((arbitrary) => fc.option(arbitrary, { nil: {} })),
  )
  .map((parts) => Object.assign({}, ...parts));
const base = {
  operations: ["retail.order.submit", "subscription.cancel"],
  routes: ["browser", "http"],
  expires_at: "2027-06-01T00:00:00Z",
};
const anyScope = fc.record({
  operations: fc.subarray(base.operations, { minLength: 1 }),
  routes: fc.subarray(base.routes, { minLength: 1 }),
  limits: anyLimits,
  expires_at: fc.constantFrom("2026-11-30T11:00:00Z", "2026-11-30T15:00:00Z", "2026-12-01T00:00:00Z"),
});
const trial: fc.Arbitrary<Trial> = fc.record({
  operation: fc.constantFrom(retailOrderSubmit, subscriptionCancel),
  route: fc.constantFrom("browser", "http"),
  at: fc.integer({ min: 0, max: 20 }).map((n) => NOW + n * HOUR),
  act: fc
    .record({
      minor: fc.integer({ min: 0, max: 8 }),
      currency: fc.constantFrom("EUR", "USD"),
      payee: fc.constantFrom("a", "b", "c"),
      item: fc.constantFrom("x", "y", "z"),
    })
    .map(
      ({ minor, currency, payee, item }): Act => ({
        amount: { kind: "told", value: { minor, currency } },
        payee: { kind: "told", value: payee },
        items: { kind: "told", value: [item] },
      }),
    ),
  uses: fc.array(
    fc.record({
      ageMs: fc.constantFrom(HOUR, 3 * 24 * HOUR, 20 * 24 * HOUR, 90 * 24 * HOUR),
      minor: fc.integer({ min: 0, max: 3 }),
      currency: fc.constantFrom("EUR", "USD"),
    }),
    { maxLength: 4 },
  ),
});
const ROW: ConsentRow = {
  consent_ref: "cons_1",
  tenant_id: "ten",
  person_id: "usr",
  client_id: "agent",
  destination: "shop",
  account_ref: "acct_1",
  state: "granted",
  asked: "",
  granted: "",
  purpose: "x",
  requested_at: NOW,
  decided_at: NOW,
  revoked_at: null,
  expires_at: NOW,
};

describe("CON-4 narrower means: nothing passes that did not pass", () => {
  it("no scope that is not called wider allows anything that was not allowed", () => {
    fc.assert(
      fc.property(anyScope, anyScope, fc.array(trial, { minLength: 20, maxLength: 20 }), (one, other, trials) => {
        const [before, after] = [consentScope.safeParse(one), consentScope.safeParse(other)];
        if (!before.success || !after.success || widened(before.data, after.data) !== undefined) return;
        for (const t of trials) if (passes(after.data, t)) expect(passes(before.data, t)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(oneLimit)(
    "a single limit of %s is called wider only when it allows something that was not",
    (_name, kind) => {
      const trials = fc.sample(trial, { seed: 7, numRuns: 800 });
      const maybe = fc.option(kind, { nil: {} });
      fc.assert(
        fc.property(maybe, maybe, (one, other) => {
          const before = consentScope.parse({ ...base, limits: one });
          const after = consentScope.parse({ ...base, limits: other });
          const more = trials.some((t) => passes(after, t) && !passes(before, t));
          expect(widened(before, after) !== undefined).toBe(more);
        }),
        { numRuns: 20 },
      );
    },
  );
});

function withDay(limit: object): object {
  return { periods: { ...limits.periods, day: limit } };
}
