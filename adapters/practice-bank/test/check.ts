import type { AdapterCheck, CheckSite } from "@countersign/adapter-kit";
import { letInAtBank, startPracticeBank } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { practiceBank } from "../src/index.ts";

// `countersign adapter check adapters/practice-bank`: the bank's API, through every fault.

const TRANSFER = "banking.transfer.submit";
const FEE_MORE_MINOR = 75;
/** A day that the tests agree on. */
const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);
const BACK = { url: "http://localhost:4600/returned", state: "state-of-this-sign-in" };
const wish = { from_ref: "ba-everyday", amount_minor: 1_250, currency: "EUR", max_total_minor: 5_000 };

async function open(): Promise<CheckSite> {
  const bank = await startPracticeBank({ clock: () => OPENING_MS, seed: "adapter check", sleep: async () => {} });
  const { control } = bank;
  const elsewhere = new Set<string>();
  return {
    origin: bank.origin,
    now: () => OPENING_MS,
    async signIn(route, ctx, destination) {
      const tries = { take: async () => ({ kind: "go" as const, left: 9 }) };
      const begun = await route.beginSignIn(ctx, destination, tries, BACK);
      assert(begun.ok && begun.value.mode === "redirect", "the person goes to the bank");
      const back = await letInAtBank(bank, begun.value.url);
      const came = await begun.value.returned(back.searchParams);
      assert(came.kind === "done", "the bank lets the gateway in");
      return came.verified;
    },
    personal: () => ["IE12 SECB 9900 1712 3401 30"],
    reset: () => {
      control.reset();
      elsewhere.clear();
    },
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          control.fee(FEE_MORE_MINOR);
          return operation === TRANSFER;
        case "ended_session":
          control.endSession();
          return true;
        default:
          return false;
      }
    },
    effects: () =>
      control
        .transfers()
        .filter(({ number }) => !elsewhere.has(number))
        .toReversed()
        .map((sent) => ({
          ref: sent.number,
          facts: {
            from_ref: sent.from,
            payee_ref: sent.payee,
            amount_minor: sent.amountMinor,
            total_minor: sent.totalMinor,
          },
        })),
    elsewhere(operation, which) {
      if (operation !== TRANSFER) return false;
      const payee = which === "equal" ? "py-jo" : "py-rent";
      elsewhere.add(control.sendElsewhere({ from: wish.from_ref, payee, amountMinor: wish.amount_minor }).number);
      return true;
    },
    close: () => bank.close(),
  };
}

export const check: AdapterCheck = {
  site: practiceBank,
  route: "http",
  open,
  operations: [
    { operation: "banking.accounts.list", params: {} },
    { operation: "banking.balances.list", params: {} },
    { operation: "banking.transactions.list", params: { bank_account_ref: "ba-everyday", limit: 5 } },
    { operation: "banking.payees.list", params: {} },
    { operation: "banking.rewards.list", params: {} },
    { operation: TRANSFER, params: { ...wish, payee_ref: "py-jo" }, other: { ...wish, payee_ref: "py-rent" } },
  ],
};
