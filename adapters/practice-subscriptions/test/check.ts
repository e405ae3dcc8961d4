import { type AdapterCheck, type CheckSite, detailRef, type Effect } from "@countersign/adapter-kit";
import { type HolderWish, startPracticeSubscriptions } from "@countersign/practice";
import { practiceSubscriptions } from "../src/index.ts";

// `countersign adapter check adapters/practice-subscriptions`: the service's API, through every fault.

const CANCEL = "subscription.cancel";
const PLAN = "subscription.plan.change";
const ADDRESS = "account.address.change";
const CONTACT = "account.contact.change";
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
    personal: () => [service.user.email, "14 Harbour Street", "1 Long Lane", "new@mail.example", "+353861234567"],
    reset: () => {
      control.reset();
      elsewhere.clear();
    },
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          if (operation === CANCEL) control.offer("another");
          else if (operation === PLAN) control.price(MORE_MINOR);
          else control.notice("more");
          return true;
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
      if (operation === ADDRESS || operation === CONTACT)
        return ours(
          control.holderChanges().filter(({ wish }) => (wish.kind === "address") === (operation === ADDRESS)),
          ({ wish }) => (wish.kind === "contact" ? { contact_use: wish.use } : { address_use: "billing" }),
        );
      return ours(control.planChanges(), ({ subscription, plan, dueNowMinor, startsOn }) => ({
        subscription_ref: subscription,
        plan_ref: plan.id,
        due_now_minor: dueNowMinor,
        price_minor: plan.priceMinor,
        starts_on: startsOn,
      }));
    },
    elsewhere(operation, which) {
      if (operation === "subscription.charges.list") return false;
      // The person has it as at first again, and does the same once more on their phone.
      control.restore();
      const [subscription, plan] =
        which === "equal" ? (["lantern", "premium"] as const) : (["tunes", "house"] as const);
      const made =
        operation === CANCEL
          ? control.cancelElsewhere(subscription)
          : operation === PLAN
            ? control.changePlanElsewhere(subscription, plan)
            : control.changeHolderElsewhere(wishOf(operation, which));
      elsewhere.add(made.number);
      return true;
    },
    close: () => service.close(),
  };
}

/** The same as the checker wishes, or something else. */
function wishOf(operation: string, which: "equal" | "other"): HolderWish {
  if (operation === CONTACT)
    return which === "equal"
      ? { kind: "contact", use: "email", value: "new@mail.example" }
      : { kind: "contact", use: "phone", value: "+353871112222" };
  const address = {
    name: "Alex Example",
    line1: "1 Long Lane",
    line2: "",
    postcode: "",
    city: "Berlin",
    country: "DE",
  };
  return { kind: "address", address: which === "equal" ? address : { ...address, line1: "2 Short Lane" } };
}

const bound = { max_total_minor: 20_000, currency: "EUR" };

export const check: AdapterCheck = {
  site: practiceSubscriptions,
  route: "http",
  open,
  entered: [
    {
      kind: "address",
      siteKey: "home",
      label: "New home",
      value: { full_name: "Alex Example", address_1: "1 Long Lane", city: "Berlin", country: "DE" },
    },
    {
      kind: "address",
      siteKey: "work",
      label: "Work",
      value: { full_name: "Alex Example", address_1: "2 Short Lane", city: "Cork", country: "IE" },
    },
    { kind: "contact", siteKey: "mail", label: "New mail", value: { email: "new@mail.example" } },
    { kind: "contact", siteKey: "phone", label: "New phone", value: { phone: "+353861234567" } },
  ],
  operations: [
    { operation: "subscription.charges.list", params: { limit: 20 } },
    { operation: CANCEL, params: { subscription_ref: "lantern" }, other: { subscription_ref: "tunes" } },
    {
      operation: PLAN,
      params: { ...bound, subscription_ref: "lantern", plan_ref: "premium" },
      other: { ...bound, subscription_ref: "tunes", plan_ref: "house" },
    },
    {
      operation: ADDRESS,
      params: { address_use: "billing", address_ref: detailRef("address", "home") },
      other: { address_use: "billing", address_ref: detailRef("address", "work") },
    },
    {
      operation: CONTACT,
      params: { contact_use: "email", contact_ref: detailRef("contact", "mail") },
      other: { contact_use: "phone", contact_ref: detailRef("contact", "phone") },
    },
  ],
};
