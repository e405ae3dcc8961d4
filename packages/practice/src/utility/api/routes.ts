import { sameText } from "../../auth/credentials.ts";
import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { csrfToken, isSignedIn } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import { methodOf } from "../account.ts";
import { makeKey, revokeKey } from "../keys.ts";
import type { UtilityRoute } from "../route.ts";
import type { UtilityWorld } from "../world.ts";
import { confirmAutopay, confirmPayment, confirmPlan, makeDraft, showDraft } from "./commits.ts";
import {
  keyWire,
  listBills,
  listChanges,
  listContracts,
  listKeys,
  listPayments,
  listPlans,
  listUsage,
  showBill,
  showCustomer,
  showPayment,
} from "./reads.ts";
import { refuseUtility } from "./wire.ts";

// The same data for two callers: under `/api` for a program with a key, under `/data` for the pages' own script with the
// session's cookie. Keys are made and revoked by the person alone, so those are under `/data` only.

type Handle = (world: UtilityWorld, exchange: Exchange) => Reply;
type Part = Omit<UtilityRoute, "access">;

const SHARED: readonly Part[] = [
  { method: "GET", path: "/customer", handle: showCustomer },
  { method: "GET", path: "/contracts", handle: listContracts },
  { method: "GET", path: "/contracts/:contract/plans", handle: listPlans },
  { method: "GET", path: "/bills", handle: listBills },
  { method: "GET", path: "/bills/:bill", handle: showBill },
  { method: "GET", path: "/usage", handle: listUsage },
  { method: "POST", path: "/drafts", handle: makeDraft },
  { method: "GET", path: "/drafts/:draft", handle: showDraft },
  { method: "POST", path: "/payments", commit: "payment", handle: confirmPayment },
  { method: "GET", path: "/payments", readBack: "read_back", handle: listPayments },
  { method: "GET", path: "/payments/:number", readBack: "read_back", handle: showPayment },
  { method: "POST", path: "/plan-changes", commit: "plan", handle: confirmPlan },
  { method: "POST", path: "/autopay", commit: "autopay", handle: confirmAutopay },
  { method: "GET", path: "/changes", readBack: "read_back", handle: listChanges },
];

const OWN: readonly Part[] = [
  { method: "GET", path: "/keys", handle: listKeys },
  {
    method: "POST",
    path: "/keys",
    handle: (world, exchange) => {
      const name = parseObject(exchange.body)?.["name"];
      const made = typeof name === "string" ? makeKey(world, name) : "invalid_request";
      return made === "invalid_request" ? refuseUtility(made) : json(201, { key: made.key, ...keyWire(made.row) });
    },
  },
  {
    method: "POST",
    path: "/keys/:key/revoke",
    handle: (world, exchange) =>
      revokeKey(world, exchange.params["key"] ?? "") ? json(200, { revoked: true }) : refuseUtility("not_found"),
  },
  {
    method: "POST",
    path: "/preset-method",
    handle: (world, exchange) => {
      const method = parseObject(exchange.body)?.["method"];
      if (typeof method !== "string" || methodOf(method) === undefined) return refuseUtility("unknown_method");
      world.state.preset = method;
      return json(200, { preset_method: method });
    },
  },
];

/** The pages' own script: a session, and for what changes something the page's token as well. */
function forScript({ method, path, handle, ...rest }: Part): UtilityRoute {
  const guarded: Handle = (world, exchange) => {
    if (!isSignedIn(world, exchange)) return refuseUtility("signed_out");
    const given = exchange.headers["x-csrf-token"];
    if (method !== "GET" && !sameText(typeof given === "string" ? given : "", csrfToken(world, exchange.sid)))
      return refuseUtility("stale_page");
    return handle(world, exchange);
  };
  // A script has to hear in its own words that nobody is signed in, not by a redirect to a page.
  return { ...rest, method, path: `/data${path}`, access: "anyone", handle: guarded };
}

/** A program: its key, and for what changes something an Idempotency-Key as well. */
function forProgram({ path, handle, ...rest }: Part): UtilityRoute {
  const guarded: Handle = (world, exchange) =>
    rest.commit !== undefined && exchange.headers["idempotency-key"] === undefined
      ? refuseUtility("idempotency_key_missing")
      : handle(world, exchange);
  return { ...rest, path: `/api${path}`, access: "signed_in", handle: guarded };
}

export const utilityDataRoutes: readonly UtilityRoute[] = [
  ...SHARED.map(forProgram),
  ...[...SHARED, ...OWN].map(forScript),
];
