import type { IncomingMessage } from "node:http";
import { apiRoutes } from "../api/routes.ts";
import { apiSignedIn, refuseApi } from "../api/wire.ts";
import { faultAfterCommit, faultBeforeCommit } from "../control/commit-faults.ts";
import { judgeAuthorization } from "../control/request-log.ts";
import type { CommitKind } from "../control/switches.ts";
import { accountRoutes } from "../pages/account.ts";
import { assetRoutes } from "../pages/assets.ts";
import { cartRoutes } from "../pages/cart.ts";
import { catalogueRoutes } from "../pages/catalogue.ts";
import { checkoutRoutes } from "../pages/checkout.ts";
import { noticePage } from "../pages/layout.ts";
import { membershipRoutes } from "../pages/membership.ts";
import { orderRoutes } from "../pages/orders.ts";
import { signInRoutes } from "../pages/sign-in.ts";
import { verificationRoutes } from "../pages/verification.ts";
import { randomToken } from "../shop/random.ts";
import { tokenDigest, type World } from "../shop/world.ts";
import { readBody } from "./body.ts";
import { cookieSid, type Exchange, isSignedIn, type Route, sessionCookie } from "./exchange.ts";
import { type Answer, isPage, redirect, type WireReply } from "./reply.ts";
import { matchRoute } from "./routing.ts";

const ROUTES: readonly Route[] = [
  ...catalogueRoutes,
  ...signInRoutes,
  ...cartRoutes,
  ...checkoutRoutes,
  ...verificationRoutes,
  ...orderRoutes,
  ...membershipRoutes,
  ...accountRoutes,
  ...assetRoutes,
  ...apiRoutes,
];

function isApi(exchange: Exchange): boolean {
  return exchange.url.pathname.startsWith("/api/");
}

function countSubmit(world: World, commit: CommitKind): void {
  const { counters } = world.state;
  counters.submits += 1;
  if (commit === "order") counters.orderSubmits += 1;
  else counters.cancelSubmits += 1;
}

/** Records names and shapes of what arrived, and whether someone else's token or a canary came with it. */
function inspect(world: World, request: IncomingMessage, path: string): void {
  const authorization = judgeAuthorization(request.headers, (token) => world.issuedTokens.has(tokenDigest(token)));
  if (authorization === "foreign") world.state.counters.foreignTokens += 1;
  const headerNames = Object.keys(request.headers).sort();
  world.log.add({ method: request.method ?? "", path, headerNames, authorization });
}

function countCanaries(world: World, request: IncomingMessage, body: string): void {
  const all = [request.url ?? "", ...request.rawHeaders, body, decodeForm(body)].join("\n");
  for (const canary of world.canaries) if (all.includes(canary)) world.state.counters.canaryHits += 1;
}

/** A form's text as typed: a canary with characters that forms escape must be found too. */
function decodeForm(body: string): string {
  return [...new URLSearchParams(body)].flat().join("\n");
}

function signedOut(world: World, exchange: Exchange): Answer | undefined {
  if (isApi(exchange)) return apiSignedIn(world, exchange) ? undefined : refuseApi("unauthenticated");
  if (isSignedIn(world, exchange)) return undefined;
  const { pathname, search } = exchange.url;
  const next = exchange.method === "GET" ? `?next=${encodeURIComponent(pathname + search)}` : "";
  return redirect(302, `/sign-in${next}`);
}

function readBackDown(world: World, exchange: Exchange): Answer {
  if (isApi(exchange)) return refuseApi("temporarily_unavailable");
  return noticePage(world, exchange, {
    status: 503,
    title: "We will be right back",
    text: "This page is not available at the moment.",
    href: "/",
    link: "Back to the shop",
  });
}

function missing(world: World, exchange: Exchange, kind: "none" | "other_method"): Answer {
  if (isApi(exchange)) return refuseApi(kind === "none" ? "not_found" : "method_not_allowed");
  return noticePage(world, exchange, {
    status: kind === "none" ? 404 : 405,
    title: "This page does not exist",
    text: "There is nothing at this address.",
    href: "/",
    link: "Back to the shop",
  });
}

async function runRoute(world: World, exchange: Exchange, route: Route): Promise<WireReply> {
  if (route.commit) {
    const fault = await faultBeforeCommit(world, exchange, route.commit);
    if (fault) return fault;
  } else {
    const delay = world.switches.take("delay", { at: "page" });
    if (delay) await world.sleep(delay.ms);
  }
  if (route.access === "signed_in") {
    const answer = signedOut(world, exchange);
    if (answer) return answer;
  }
  if (route.readBack && world.switches.take("readBack")) return readBackDown(world, exchange);
  return await faultAfterCommit(world, exchange, route.handle(world, exchange));
}

/** From a received request to what goes back. Counts, logs, and lets the switches act. */
export async function dispatch(world: World, request: IncomingMessage): Promise<WireReply> {
  const method = request.method ?? "GET";
  // A target that is no path of ours ("*", "//host") must not become a URL of another host.
  const target = /^\/(?!\/)/.test(request.url ?? "") ? (request.url ?? "/") : "/not-found";
  const url = URL.parse(target, "http://shop.invalid") ?? new URL("http://shop.invalid/not-found");
  inspect(world, request, url.pathname);
  if (url.pathname.startsWith("/api/")) world.state.counters.apiCalls += 1;
  const match = matchRoute(ROUTES, method, url.pathname);
  if (match.kind === "route" && match.route.commit) countSubmit(world, match.route.commit);

  const body = await readBody(request);
  if (!body.ok && body.reason === "aborted") return { kind: "drop" };
  const known = cookieSid(request.headers);
  const exchange: Exchange = {
    method,
    url,
    params: match.kind === "route" ? match.params : {},
    headers: request.headers,
    body: body.ok ? body.text : "",
    sid: known ?? randomToken(world.random),
  };
  countCanaries(world, request, exchange.body);
  if (!body.ok) return refuseApi(body.reason === "too_large" ? "too_large" : "invalid_request");
  if (match.kind !== "route") return missing(world, exchange, match.kind);

  const reply = await runRoute(world, exchange, match.route);
  if (reply.kind !== "answer" || !isPage(reply)) return reply;
  if (reply.status === 200) world.state.counters.pageViews += 1;
  // The forms on the page carry this browser's token: it needs the cookie that goes with it.
  if (known !== undefined || "set-cookie" in reply.headers) return reply;
  return { ...reply, headers: { ...reply.headers, "set-cookie": sessionCookie(exchange.sid) } };
}
