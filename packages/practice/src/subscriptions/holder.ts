import type { Address, Holder, HolderChange, HolderQuote, HolderWish } from "./model.ts";
import type { LanternWorld } from "./world.ts";

export type HolderProblem = "invalid_address" | "invalid_email" | "invalid_phone" | "same_value";

const NUMBER_DIGITS = /^\+[1-9]\d{6,14}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** An address in one line, as the service shows it. */
export function oneLine(address: Address): string {
  const { name, line1, line2, postcode, city, country } = address;
  return [name, line1, line2, `${postcode} ${city}`.trim(), country].filter((part) => part !== "").join(", ");
}

function problemOf(wish: HolderWish): HolderProblem | undefined {
  if (wish.kind === "contact")
    return wish.use === "email"
      ? EMAIL.test(wish.value)
        ? undefined
        : "invalid_email"
      : NUMBER_DIGITS.test(wish.value)
        ? undefined
        : "invalid_phone";
  const { name, line1, city, country } = wish.address;
  const whole = name !== "" && line1 !== "" && city !== "" && /^[A-Z]{2}$/.test(country);
  return whole ? undefined : "invalid_address";
}

function valuesOf(holder: Holder, wish: HolderWish): Pick<HolderQuote, "present" | "next"> {
  return wish.kind === "address"
    ? { present: oneLine(holder.billing), next: oneLine(wish.address) }
    : { present: holder[wish.use], next: wish.value };
}

function consequenceOf(world: LanternWorld, wish: HolderWish): string {
  const more = world.switches.isOn("notice") ? " From today a letter to the old one says so as well." : "";
  if (wish.kind === "address") return `Bills that are written already keep the old address.${more}`;
  return wish.use === "email"
    ? `We send a link there; until it is opened everything stays as it is. You sign in with it afterwards.${more}`
    : `We ring there only about your bill.${more}`;
}

/** What the change brings now. */
export function quoteHolder(world: LanternWorld, wish: HolderWish): HolderQuote | HolderProblem {
  const problem = problemOf(wish);
  if (problem !== undefined) return problem;
  const values = valuesOf(world.state.holder, wish);
  if (values.present === values.next) return "same_value";
  return { wish, ...values, consequence: consequenceOf(world, wish) };
}

export function changeHolder(world: LanternWorld, quote: HolderQuote, reference: string): HolderChange {
  const { state } = world;
  const { wish } = quote;
  const waits = wish.kind === "contact" && wish.use === "email";
  if (wish.kind === "address") state.holder = { ...state.holder, billing: wish.address };
  else if (waits) state.holder = { ...state.holder, emailToConfirm: wish.value };
  else state.holder = { ...state.holder, phone: wish.value };
  state.lastNumber += 1 + ((world.random(1)[0] ?? 0) % 9);
  const change: HolderChange = {
    ...quote,
    number: `AC-${state.lastNumber}`,
    reference,
    status: waits ? "to be confirmed" : "changed",
    madeAtMs: world.now(),
  };
  state.holderChanges = [...state.holderChanges, change];
  return change;
}
