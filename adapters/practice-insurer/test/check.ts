import type { AdapterCheck, CheckSite } from "@countersign/adapter-kit";
import { startPracticeInsurer } from "@countersign/practice";
import { practiceInsurer } from "../src/index.ts";

// `countersign adapter check adapters/practice-insurer`: the insurer's API, through every fault. A cookie that was changed
// ends its predecessor at once, so an adapter or a route that went on with an old one would be found.

const CLAIM = "insurance.claim.submit";
const EXCESS_MORE_MINOR = 7_500;
/** A day that the tests agree on. */
const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);
const STORY = "The washing machine's hose burst, and the floor of the hall has to be replaced.";
const wish = {
  policy_ref: "pol-home-204418",
  incident_on: "2026-11-21",
  claimed_minor: 84_000,
  currency: "GBP",
  description: STORY,
  document_refs: [],
};
const other = { ...wish, policy_ref: "pol-car-771903", claimed_minor: 91_500, description: "A post, while parking." };

async function open(): Promise<CheckSite> {
  const insurer = await startPracticeInsurer({ clock: () => OPENING_MS, seed: "adapter check", sleep: async () => {} });
  const { control, user } = insurer;
  const elsewhere = new Set<string>();
  let before = 0;
  const reset = () => {
    control.reset();
    control.strictCookies();
    elsewhere.clear();
    before = control.claims().length;
  };
  reset();
  return {
    origin: insurer.origin,
    now: () => OPENING_MS,
    person: () => [{ email: user.email, password: user.password }, { code: control.currentCode() }],
    personal: () => [STORY],
    reset,
    seen: () => control.requests().length,
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          control.excess(EXCESS_MORE_MINOR);
          return operation === CLAIM;
        case "ended_session":
          control.endSession();
          return true;
        default:
          return false;
      }
    },
    effects: () =>
      control
        .claims()
        .slice(0, control.claims().length - before)
        .filter(({ number }) => !elsewhere.has(number))
        .toReversed()
        .map((claim) => ({
          ref: claim.number,
          facts: {
            policy_ref: claim.policy,
            incident_on: claim.happenedOn,
            claimed_minor: claim.amountMinor,
            deductible_minor: claim.excessMinor,
          },
        })),
    elsewhere(operation, which) {
      if (operation !== CLAIM) return false;
      const by = which === "equal" ? wish : other;
      const { number } = control.claimElsewhere({
        policy: by.policy_ref,
        happenedOn: by.incident_on,
        amountMinor: by.claimed_minor,
        description: by.description,
      });
      elsewhere.add(number);
      return true;
    },
    close: () => insurer.close(),
  };
}

export const check: AdapterCheck = {
  site: practiceInsurer,
  route: "http",
  open,
  operations: [
    { operation: "insurance.coverage.list", params: {} },
    { operation: "insurance.claims.list", params: { limit: 5 } },
    { operation: CLAIM, params: wish, other },
  ],
};
