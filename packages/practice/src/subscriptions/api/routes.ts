import type { Exchange } from "../../http/exchange.ts";
import { json } from "../../http/reply.ts";
import { API_TOKEN_MS, ISSUED_MAX } from "../../limits.ts";
import { apiSignIn } from "../../site/api-session.ts";
import { plansNow } from "../contract.ts";
import type { LanternRoute } from "../route.ts";
import { productOf, SERVICE_NAME } from "../seed.ts";
import type { LanternWorld } from "../world.ts";
import { submitAddressChange, submitCancellation, submitContactChange, submitPlanChange } from "./commits.ts";
import { previewCancellation, previewHolder, previewPlan, showPreview } from "./previews.ts";
import {
  accountWire,
  cancellationWire,
  holderChangeWire,
  lanternBearerOf,
  planChangeWire,
  planWire,
  refuseLantern,
  subscriptionWire,
} from "./wire.ts";

const V2 = "/api/v2";
const signedIn = { access: "signed_in" } as const;
const readBack = { access: "signed_in", readBack: "read_back" } as const;

const session = apiSignIn<LanternWorld>({
  title: SERVICE_NAME,
  factor: "totp",
  loginField: "email",
  login: (world) => world.user.email,
  tokens: (world) => ({
    put: (token, _value, expiresAtMs) => {
      world.state.tokens.put(token, "api", expiresAtMs);
      world.state.issued = [...world.state.issued, token].slice(-ISSUED_MAX);
    },
  }),
  tokenMs: API_TOKEN_MS,
  challenges: (world) => world.state.challenges,
  refuse: refuseLantern,
});

/** Newest first; `reference` narrows to those that whoever asked has called so. */
function listed<T extends { readonly reference: string }>(
  name: string,
  rows: (world: LanternWorld) => readonly T[],
  wire: (row: T) => object,
) {
  return (world: LanternWorld, exchange: Exchange) => {
    const reference = exchange.url.searchParams.get("reference");
    const found = rows(world).filter((row) => reference === null || row.reference === reference);
    return json(200, { [name]: found.toReversed().map(wire) });
  };
}

/** The JSON twin of the pages. */
export const lanternApiRoutes: readonly LanternRoute[] = [
  { method: "POST", path: `${V2}/auth/password`, access: "anyone", handle: session.start },
  { method: "POST", path: `${V2}/auth/code`, access: "anyone", handle: session.verify },
  {
    method: "DELETE",
    path: `${V2}/auth`,
    ...signedIn,
    handle: (world, exchange) => {
      world.state.tokens.delete(lanternBearerOf(exchange) ?? "");
      return json(200, { signed_out: true });
    },
  },
  { method: "GET", path: `${V2}/account`, ...readBack, handle: (world) => json(200, accountWire(world)) },
  {
    method: "GET",
    path: `${V2}/subscriptions`,
    ...readBack,
    handle: (world) => json(200, { subscriptions: world.state.subscriptions.map(subscriptionWire) }),
  },
  {
    method: "GET",
    path: `${V2}/subscriptions/:subscription/plans`,
    ...signedIn,
    handle: (world, exchange) => {
      const product = productOf(exchange.params["subscription"] ?? "");
      if (product === undefined) return refuseLantern("not_subscribed");
      return json(200, { plans: plansNow(world, product).map(planWire) });
    },
  },
  {
    method: "POST",
    path: `${V2}/subscriptions/:subscription/cancellation-preview`,
    ...signedIn,
    handle: previewCancellation,
  },
  { method: "POST", path: `${V2}/subscriptions/:subscription/plan-preview`, ...signedIn, handle: previewPlan },
  { method: "POST", path: `${V2}/account/preview`, ...signedIn, handle: previewHolder },
  { method: "GET", path: `${V2}/previews/:preview`, ...signedIn, handle: showPreview },
  { method: "POST", path: `${V2}/cancellations`, ...signedIn, commit: "cancel", handle: submitCancellation },
  { method: "POST", path: `${V2}/plan-changes`, ...signedIn, commit: "plan", handle: submitPlanChange },
  { method: "POST", path: `${V2}/account/address`, ...signedIn, commit: "address", handle: submitAddressChange },
  { method: "POST", path: `${V2}/account/contact`, ...signedIn, commit: "contact", handle: submitContactChange },
  {
    method: "GET",
    path: `${V2}/cancellations`,
    ...readBack,
    handle: listed("cancellations", (world) => world.state.cancellations, cancellationWire),
  },
  {
    method: "GET",
    path: `${V2}/plan-changes`,
    ...readBack,
    handle: listed("plan_changes", (world) => world.state.planChanges, planChangeWire),
  },
  {
    method: "GET",
    path: `${V2}/account/changes`,
    ...readBack,
    handle: listed("changes", (world) => world.state.holderChanges, holderChangeWire),
  },
];
