import { type AdapterCheck, type CheckSite, detailRef } from "@countersign/adapter-kit";
import { type ContractChange, keyFromUtility, startPracticeUtility } from "@countersign/practice";
import { assert, type JsonObject, secret } from "@countersign/wire";
import { practiceUtility } from "../src/index.ts";

// `countersign adapter check adapters/practice-utility`: the provider's API, through every fault.

const PAY = "utilities.bill.pay";
const PLAN = "utilities.plan.change";
const AUTOPAY = "utilities.autopay.set";
const MORE_CENTS = 75;
const EARLY_DAYS = 3;
/** A day that the tests agree on. */
const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);
const BILL = "208841";
const OTHER_BILL = "208833";
const [ELECTRICITY, GAS] = ["447103", "447118"];

async function open(): Promise<CheckSite> {
  const utility = await startPracticeUtility({ clock: () => OPENING_MS, seed: "adapter check", sleep: async () => {} });
  const { control } = utility;
  const elsewhere = new Set<string>();
  return {
    origin: utility.origin,
    now: () => OPENING_MS,
    async signIn(route, ctx, destination) {
      const tries = { take: async () => ({ kind: "go" as const, left: 9 }) };
      const begun = await route.beginSignIn(ctx, destination, tries);
      assert(begun.ok && begun.value.mode === "form", "the key is asked for");
      const came = await begun.value.submit(new Map([["api_key", secret(await keyFromUtility(utility))]]));
      assert(came.kind === "done", "the key is taken");
      return came.verified;
    },
    reset: () => {
      control.reset();
      elsewhere.clear();
    },
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          if (operation === PAY) control.fee(MORE_CENTS);
          else if (operation === PLAN) control.planPrice(MORE_CENTS);
          else if (operation === AUTOPAY) control.chargeEarly(EARLY_DAYS);
          else return false;
          return true;
        case "ended_session":
          control.revokeKeys();
          return true;
        default:
          return false;
      }
    },
    effects: (operation) => done(operation).filter(({ ref }) => !elsewhere.has(ref)),
    elsewhere(operation, which) {
      const equal = which === "equal";
      const reference = "my own";
      // What the adapter has done may stand in the way of an equal act: it is taken back, and stays listed.
      control.reopenBills();
      control.withdrawChanges();
      if (operation === PAY)
        elsewhere.add(control.doElsewhere({ kind: "payment", bill: equal ? BILL : OTHER_BILL, reference }));
      else if (operation === PLAN)
        elsewhere.add(control.doElsewhere(equal ? planOf(ELECTRICITY, "el-green-12") : planOf(GAS, "gas-fix-24")));
      else if (operation === AUTOPAY)
        elsewhere.add(
          control.doElsewhere({
            kind: "autopay",
            contract: equal ? ELECTRICITY : GAS,
            autopay: "on",
            method: "pm-bank",
            reference,
          }),
        );
      else return false;
      return true;
    },
    close: () => utility.close(),
  };

  function planOf(contract: string, plan: string) {
    return { kind: "plan", contract, plan, reference: "my own" } as const;
  }

  function done(operation: string): readonly { readonly ref: string; readonly facts: JsonObject }[] {
    if (operation === PAY)
      return control
        .payments()
        .toReversed()
        .map((each) => ({
          ref: each.number,
          facts: {
            bill_ref: each.bill,
            amount_minor: each.amountCents,
            fee_minor: each.feeCents,
            total_minor: each.totalCents,
            pay_on: each.payOn,
          },
        }));
    return control
      .changes()
      .toReversed()
      .filter(({ kind }) => operation === (kind === "plan" ? PLAN : AUTOPAY))
      .map(({ number, offer }) => ({ ref: number, facts: factsOf(offer) }));
  }
}

function factsOf(offer: ContractChange["offer"]): JsonObject {
  if (offer.kind === "plan")
    return { contract_ref: offer.contract.id, plan_ref: offer.plan.id, price_minor: offer.priceCents };
  const first = offer.on === undefined ? {} : { first_on: offer.on.firstOn };
  return { contract_ref: offer.contract.id, autopay: offer.autopay, ...first };
}

const payment = { currency: "EUR", max_total_minor: 20_000 };
const plan = { currency: "EUR", max_total_minor: 5_000 };
const autopay = { autopay: "on", instrument_ref: detailRef("instrument", "pm-bank") };

export const check: AdapterCheck = {
  site: practiceUtility,
  route: "http",
  open,
  operations: [
    { operation: "utilities.usage.list", params: { contract_ref: ELECTRICITY, limit: 8 } },
    { operation: "utilities.bills.list", params: { only: "all", limit: 8 } },
    { operation: PAY, params: { ...payment, bill_ref: BILL }, other: { ...payment, bill_ref: OTHER_BILL } },
    {
      operation: PLAN,
      params: { ...plan, contract_ref: ELECTRICITY, plan_ref: "el-green-12" },
      other: { ...plan, contract_ref: GAS, plan_ref: "gas-fix-24" },
    },
    {
      operation: AUTOPAY,
      params: { ...autopay, contract_ref: ELECTRICITY },
      other: { ...autopay, contract_ref: GAS },
    },
  ],
};
