import type { AdapterCheck, CheckSite, Effect } from "@countersign/adapter-kit";
import { startPracticeSubscriptions } from "@countersign/practice";
import { practiceSubscriptions } from "../src/index.ts";

// `countersign adapter check adapters/practice-subscriptions`: the service's API, through every fault.

const CANCEL = "subscription.cancel";
const PLAN = "subscription.plan.change";
const MORE_MINOR = 200;
/** A day that the tests agree on. */
const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);

async function open(): Promise<CheckSite> {
  const service = await startPracticeSubscriptions({
    clock: () => OPENING_MS,
    seed: "adapter check",
    sleep: async () => {},
  });
  const { control } = service;
  const elsewhere = new Set<string>();
  const ours = <T extends { readonly number: string }>(rows: readonly T[], facts: (row: T) => Effect["facts"]) =>
    rows.filter(({ number }) => !elsewhere.has(number)).map((row): Effect => ({ ref: row.number, facts: facts(row) }));
  return {
    origin: service.origin,
    now: () => OPENING_MS,
    person: () => [{ email: service.user.email, password: service.user.password }, { code: service.currentCode() }],
    personal: () => [service.user.email, "14 Harbour Street"],
    reset: () => {
      control.reset();
      elsewhere.clear();
    },
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          if (operation === CANCEL) control.offer("another");
          else control.price(MORE_MINOR);
          return operation === CANCEL || operation === PLAN;
        case "ended_session":
          control.endSession();
          return true;
        default:
          return false;
      }
    },
    effects(operation) {
      if (operation === CANCEL)
        return ours(control.cancellations(), ({ subscription, endsOn }) => ({
          subscription_ref: subscription,
          ends_on: endsOn,
        }));
      return ours(control.planChanges(), ({ subscription, plan, dueNowMinor, startsOn }) => ({
        subscription_ref: subscription,
        plan_ref: plan.id,
        due_now_minor: dueNowMinor,
        price_minor: plan.priceMinor,
        starts_on: startsOn,
      }));
    },
    elsewhere(operation, which) {
      if (operation !== CANCEL && operation !== PLAN) return false;
      // The person has it as at first again, and does the same once more on their phone.
      control.restore();
      const [subscription, plan] =
        which === "equal" ? (["lantern", "premium"] as const) : (["tunes", "house"] as const);
      const made =
        operation === CANCEL ? control.cancelElsewhere(subscription) : control.changePlanElsewhere(subscription, plan);
      elsewhere.add(made.number);
      return true;
    },
    close: () => service.close(),
  };
}

const bound = { max_total_minor: 20_000, currency: "EUR" };

export const check: AdapterCheck = {
  site: practiceSubscriptions,
  route: "http",
  open,
  operations: [
    { operation: "subscription.charges.list", params: { limit: 20 } },
    { operation: CANCEL, params: { subscription_ref: "lantern" }, other: { subscription_ref: "tunes" } },
    {
      operation: PLAN,
      params: { ...bound, subscription_ref: "lantern", plan_ref: "premium" },
      other: { ...bound, subscription_ref: "tunes", plan_ref: "house" },
    },
  ],
};
