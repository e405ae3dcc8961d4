import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { oneLine } from "../holder.ts";
import type {
  Cancellation,
  CancellationQuote,
  HolderChange,
  HolderQuote,
  Plan,
  PlanChange,
  PlanQuote,
  Subscription,
} from "../model.ts";
import { CURRENCY, productOf } from "../seed.ts";
import type { LanternWorld } from "../world.ts";

/** Every error of the service's API: its HTTP status and a sentence for people, in a list as at many real ones. */
const API_ERRORS = {
  invalid_request: [400, "The request is not what this address takes."],
  idempotency_key_missing: [400, "This needs an Idempotency-Key."],
  unauthenticated: [401, "Sign in again."],
  second_factor_required: [401, "Enter the code of the authenticator at /api/v2/auth/code."],
  second_factor_waiting: [409, "The second factor is not there yet."],
  second_factor_refused: [403, "The second factor was refused."],
  invalid_credentials: [401, "The e-mail address and password do not match."],
  invalid_code: [401, "The code is not right."],
  challenge_expired: [410, "This sign-in has lapsed. Begin again."],
  rate_limited: [429, "Too many attempts."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not possible here."],
  too_large: [413, "The request body is too large."],
  not_subscribed: [404, "There is no such subscription here."],
  already_ending: [409, "This subscription is on its way to ending."],
  change_announced: [409, "Another plan is announced for this subscription."],
  unknown_plan: [422, "There is no such plan on offer."],
  same_plan: [422, "This is the plan until now."],
  invalid_address: [422, "The address is not whole."],
  invalid_email: [422, "This is no e-mail address."],
  invalid_phone: [422, "Telephone numbers are written with + and the country."],
  same_value: [422, "This is what stands there already."],
  preview_expired: [410, "Ask for a new preview."],
  refused: [422, "This is not possible at the moment. Nothing was changed."],
  idempotency_key_reused: [422, "This key was used for another request."],
  temporarily_unavailable: [503, "Not available at the moment."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type LanternApiError = keyof typeof API_ERRORS;

export function refuseLantern(
  error: LanternApiError,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const [status, title] = API_ERRORS[error];
  const challenge: Readonly<Record<string, string>> = status === 401 ? { "www-authenticate": "Bearer" } : {};
  return json(status, { errors: [{ code: error, title }], ...more }, { ...challenge, ...headers });
}

export function lanternBearerOf(exchange: Exchange): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(exchange.headers.authorization ?? "")?.[1];
}

export function lanternApiSignedIn(world: LanternWorld, exchange: Exchange): boolean {
  const token = lanternBearerOf(exchange);
  return token !== undefined && world.state.tokens.get(token, world.now()) !== undefined;
}

export function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}

function money(minor: number) {
  return { minor, currency: CURRENCY };
}

export function planWire(plan: Plan) {
  const { id, name, about, priceMinor, period, thenMinor } = plan;
  const later = thenMinor === undefined ? {} : { price_afterwards: money(thenMinor) };
  return { id, name, about, price: money(priceMinor), every: period, ...later };
}

export function subscriptionWire(subscription: Subscription) {
  const { id, plan, state, paidUntil, lastOn, change, cancellation } = subscription;
  const product = productOf(id);
  return {
    id,
    title: product?.title,
    charged_by: product?.merchant,
    plan: planWire(plan),
    state: cancellation === undefined ? state : "ending",
    paid_until: paidUntil,
    ...(lastOn === undefined ? {} : { last_charged_on: lastOn }),
    ...(cancellation === undefined ? {} : { ends_on: cancellation.endsOn }),
    ...(change === undefined ? {} : { announced: planChangeWire(change) }),
  };
}

export function planQuoteWire(quote: PlanQuote) {
  return {
    subscription: quote.subscription,
    plan: planWire(quote.plan),
    plan_until_now: quote.presentPlan,
    due_now: money(quote.dueNowMinor),
    starts_on: quote.startsOn,
    ...(quote.boundEndsOn === undefined ? {} : { bound_until: quote.boundEndsOn }),
    what_changes: quote.consequence,
  };
}

export function planChangeWire(change: PlanChange) {
  const { number, reference, madeAtMs } = change;
  return { number, reference, made_at: instant(madeAtMs), ...planQuoteWire(change) };
}

export function cancellationQuoteWire(quote: CancellationQuote) {
  return {
    subscription: quote.subscription,
    plan: quote.plan,
    ends_on: quote.endsOn,
    what_is_lost: quote.consequence,
    offers_to_stay: quote.offers.map(({ id, title, text }) => ({ id, title, text })),
  };
}

export function cancellationWire(cancellation: Cancellation) {
  const { number, reference, madeAtMs, subscription, plan, endsOn } = cancellation;
  return { number, reference, made_at: instant(madeAtMs), subscription, plan, ends_on: endsOn };
}

function changes(quote: HolderQuote): "billing_address" | "email" | "phone" {
  return quote.wish.kind === "address" ? "billing_address" : quote.wish.use;
}

export function holderQuoteWire(quote: HolderQuote) {
  return {
    changes: changes(quote),
    until_now: quote.present,
    from_now: quote.next,
    what_changes: quote.consequence,
    ...(quote.wish.kind === "contact" ? { opens_account: quote.wish.use === "email" } : {}),
  };
}

export function holderChangeWire(change: HolderChange) {
  const { number, reference, status, madeAtMs } = change;
  const waits = status === "to be confirmed";
  return {
    number,
    reference,
    made_at: instant(madeAtMs),
    changes: changes(change),
    from_now: change.next,
    to_be_confirmed: waits,
  };
}

export function accountWire(world: LanternWorld) {
  const { billing, email, emailToConfirm, phone } = world.state.holder;
  return {
    name: world.user.name,
    login: world.user.email,
    email,
    ...(emailToConfirm === undefined ? {} : { email_to_be_confirmed: emailToConfirm }),
    phone,
    billing_address: billing,
    billing_address_line: oneLine(billing),
  };
}
