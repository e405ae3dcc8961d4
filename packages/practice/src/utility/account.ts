import { addDays, dayOf, isDay, monthStart } from "./days.ts";
import type {
  AutopayOffer,
  AutopayWish,
  Bill,
  Change,
  Contract,
  ContractState,
  Method,
  Offer,
  Payment,
  PaymentOffer,
  PaymentWish,
  Plan,
  PlanOffer,
  PlanWish,
  Problem,
  Wish,
} from "./model.ts";
import { CONTRACTS, METHODS, PLANS, UTILITY_NAME } from "./seed.ts";
import type { UtilityWorld } from "./world.ts";

/** Furthest day for which a payment can be made. */
const PAY_DAYS_MAX = 60;
export const REFERENCE_LENGTH_MAX = 35;

export function contractOf(id: string): Contract | undefined {
  return CONTRACTS.find((each) => each.id === id);
}

export function planOf(id: string): Plan | undefined {
  return PLANS.find((each) => each.id === id);
}

export function methodOf(id: string): Method | undefined {
  return METHODS.find((each) => each.id === id);
}

export function settingsOf(world: UtilityWorld, contract: string): ContractState {
  const settings = world.state.settings[contract];
  if (settings === undefined) throw new RangeError(`practice utility: no settings of ${contract}`);
  return settings;
}

function paid(world: UtilityWorld, bill: Bill, which: (payment: Payment) => boolean): number {
  return world.state.payments
    .filter((each) => each.bill === bill.id && each.counts === "yes" && which(each))
    .reduce((cents, each) => cents + each.amountCents, 0);
}

/** Still to pay of a bill today: a payment for a later day has not come in. */
export function openCents(world: UtilityWorld, bill: Bill): number {
  const today = dayOf(world.now());
  if (bill.totalCents <= 0) return bill.totalCents;
  return bill.totalCents - bill.paidCents - paid(world, bill, (each) => each.payOn <= today);
}

/** What can be paid of it: what is on its way already is not paid twice. */
export function payableCents(world: UtilityWorld, bill: Bill): number {
  const today = dayOf(world.now());
  return Math.max(0, openCents(world, bill) - paid(world, bill, (each) => each.payOn > today));
}

export function statusOf(world: UtilityWorld, bill: Bill): "open" | "part_paid" | "paid" | "overdue" | "credit" {
  const open = openCents(world, bill);
  if (bill.totalCents < 0) return "credit";
  if (open <= 0) return "paid";
  if (bill.dueOn < dayOf(world.now())) return "overdue";
  return open < bill.totalCents ? "part_paid" : "open";
}

/** What Northlight says of a wish at this moment; fee and price are those of this moment. */
export function offerOf(world: UtilityWorld, wish: Wish): Offer | Problem {
  if (!/^[\w .-]{0,35}$/.test(wish.reference)) return "invalid_request";
  switch (wish.kind) {
    case "payment":
      return paymentOffer(world, wish);
    case "plan":
      return planOffer(world, wish);
    case "autopay":
      return autopayOffer(world, wish);
  }
}

function paymentOffer(world: UtilityWorld, wish: PaymentWish): PaymentOffer | Problem {
  const bill = world.state.bills.find((each) => each.id === wish.bill);
  if (bill === undefined) return "unknown_bill";
  const amountCents = payableCents(world, bill);
  if (amountCents <= 0) return "nothing_to_pay";
  const method = methodOf(wish.method ?? world.state.preset);
  if (method === undefined) return "unknown_method";
  const today = dayOf(world.now());
  const payOn = wish.on ?? today;
  if (!isDay(payOn) || payOn < today || payOn > addDays(today, PAY_DAYS_MAX)) return "date_not_possible";
  const feeCents = Math.max(0, method.feeCents + world.switches.feeDeltaCents());
  return {
    kind: "payment",
    reference: wish.reference,
    bill,
    method,
    openCents: openCents(world, bill),
    amountCents,
    feeCents,
    totalCents: amountCents + feeCents,
    payOn,
    status: payOn > today ? "scheduled" : "paid",
  };
}

function planOffer(world: UtilityWorld, wish: PlanWish): PlanOffer | Problem {
  const contract = contractOf(wish.contract);
  if (contract === undefined) return "unknown_contract";
  const plan = planOf(wish.plan);
  if (plan === undefined || plan.kind !== contract.kind) return "unknown_plan";
  const now = settingsOf(world, contract.id);
  if (now.next !== undefined) return "change_announced";
  const presentPlan = planOf(now.plan);
  if (presentPlan === undefined || presentPlan.id === plan.id) return "nothing_to_change";
  const today = dayOf(world.now());
  const startsOn = monthStart(today, 1);
  return {
    kind: "plan",
    reference: wish.reference,
    contract,
    plan,
    presentPlan,
    priceCents: Math.max(0, plan.priceCents + world.switches.planDeltaCents()),
    startsOn,
    ...(plan.boundMonths === 0 ? {} : { boundEndsOn: addDays(monthStart(startsOn, plan.boundMonths), -1) }),
  };
}

function autopayOffer(world: UtilityWorld, wish: AutopayWish): AutopayOffer | Problem {
  const contract = contractOf(wish.contract);
  if (contract === undefined) return "unknown_contract";
  const now = settingsOf(world, contract.id).autopay;
  const present = now === undefined ? "off" : "on";
  const common = { kind: "autopay", reference: wish.reference, contract, autopay: wish.autopay, present } as const;
  if (wish.autopay === "off") return present === "off" ? "nothing_to_change" : common;
  const method = methodOf(wish.method ?? world.state.preset);
  if (method === undefined) return "unknown_method";
  if (now?.method === method.id) return "nothing_to_change";
  const early = world.switches.earlyDays();
  const newest = world.state.bills.find((each) => each.contract === contract.id);
  const nextDue = addDays(newest?.dueOn ?? dayOf(world.now()), 30);
  return {
    ...common,
    on: {
      method,
      charged: early === 0 ? "On the day each bill is due" : `${early} days before each bill is due`,
      firstOn: addDays(nextDue, -early),
      mandate: `${UTILITY_NAME} may charge ${method.label} for every new bill of this contract until I turn it off.`,
    },
  };
}

function nextNumber(world: UtilityWorld): number {
  world.state.lastNumber += 1 + ((world.random(1)[0] ?? 0) % 9);
  return world.state.lastNumber;
}

/** Takes a payment at the fee of this moment, whatever the person saw before. */
export function pay(world: UtilityWorld, offer: PaymentOffer, overCents = 0): Payment {
  const payment: Payment = {
    number: `NP-${nextNumber(world)}`,
    bill: offer.bill.id,
    method: offer.method.id,
    amountCents: offer.amountCents,
    feeCents: offer.feeCents,
    totalCents: offer.totalCents + overCents,
    payOn: offer.payOn,
    status: offer.status,
    reference: offer.reference,
    madeAtMs: world.now(),
    counts: "yes",
  };
  world.state.payments = [...world.state.payments, payment];
  return payment;
}

/** Takes a change of a contract as it is offered at this moment. */
export function change(world: UtilityWorld, offer: PlanOffer | AutopayOffer): Change {
  const { state } = world;
  const number = `NC-${nextNumber(world)}`;
  const { id } = offer.contract;
  const { plan, next, autopay } = settingsOf(world, id);
  const kept = { plan, ...(next === undefined ? {} : { next }) };
  const settings: ContractState =
    offer.kind === "plan"
      ? { plan, next: { plan: offer.plan.id, startsOn: offer.startsOn }, ...(autopay === undefined ? {} : { autopay }) }
      : offer.on === undefined
        ? kept
        : { ...kept, autopay: { method: offer.on.method.id, firstOn: offer.on.firstOn } };
  state.settings = { ...state.settings, [id]: settings };
  const taken = { number, madeAtMs: world.now() };
  const made: Change = offer.kind === "plan" ? { ...taken, kind: "plan", offer } : { ...taken, kind: "autopay", offer };
  state.changes = [...state.changes, made];
  return made;
}
