import type { IncomingMessage } from "node:http";
import type { Callers } from "../callers/callers.ts";
import { readBody } from "../http/body.ts";
import { cookieSid, type Exchange, isSignedIn, type SiteRoute, sessionCookie } from "../http/exchange.ts";
import { type Answer, isPage, redirect, type WireReply } from "../http/reply.ts";
import { matchRoute } from "../http/routing.ts";
import { faultAfterCommit, faultBeforeCommit } from "./commit-faults.ts";
import { randomToken } from "./random.ts";
import { judgeAuthorization } from "./request-log.ts";
import type { Site } from "./site.ts";
import { type SiteWorld, tokenDigest } from "./world.ts";

function isApi(exchange: Pick<Exchange, "url">): boolean {
  return exchange.url.pathname.startsWith("/api/");
}

/** Records names and shapes of what arrived, and whether someone else's token or a canary came with it. */
function inspect(world: SiteWorld, request: IncomingMessage, path: string): void {
  const authorization = judgeAuthorization(request.headers, (token) => world.issuedTokens.has(tokenDigest(token)));
  if (authorization === "foreign") world.state.counters.foreignTokens += 1;
  const headerNames = Object.keys(request.headers).sort();
  world.log.add({ method: request.method ?? "", path, headerNames, authorization });
}

function countCanaries(world: SiteWorld, request: IncomingMessage, body: string): void {
  const all = [request.url ?? "", ...request.rawHeaders, body, decodeForm(body)].join("\n");
  for (const canary of world.canaries) if (all.includes(canary)) world.state.counters.canaryHits += 1;
}

/** A form's text as typed: a canary with characters that forms escape must be found too. */
function decodeForm(body: string): string {
  return [...new URLSearchParams(body)].flat().join("\n");
}

function signedOut<W extends SiteWorld>(site: Site<W>, world: W, exchange: Exchange): Answer | undefined {
  if (isApi(exchange)) return site.apiSignedIn(world, exchange) ? undefined : site.refuseApi("unauthenticated");
  if (isSignedIn(world, exchange)) return undefined;
  const { pathname, search } = exchange.url;
  const next = exchange.method === "GET" ? `?next=${encodeURIComponent(pathname + search)}` : "";
  return redirect(302, `${site.signInPath}${next}`);
}

function readBackDown<W extends SiteWorld>(site: Site<W>, world: W, exchange: Exchange): Answer {
  if (isApi(exchange)) return site.refuseApi("temporarily_unavailable");
  return site.notice(world, exchange, {
    status: 503,
    title: "We will be right back",
    text: "This page is not available at the moment.",
    ...site.home,
  });
}

function missing<W extends SiteWorld>(
  site: Site<W>,
  world: W,
  exchange: Exchange,
  kind: "none" | "other_method",
): Answer {
  if (isApi(exchange)) return site.refuseApi(kind === "none" ? "not_found" : "method_not_allowed");
  return site.notice(world, exchange, {
    status: kind === "none" ? 404 : 405,
    title: "This page does not exist",
    text: "There is nothing at this address.",
    ...site.home,
  });
}

async function runRoute<W extends SiteWorld>(
  site: Site<W>,
  world: W,
  exchange: Exchange,
  route: SiteRoute<W>,
): Promise<WireReply> {
  if (route.commit) {
    const fault = await faultBeforeCommit(site, world, exchange, route.commit);
    if (fault) return fault;
  } else {
    const delay = world.faults.take("delay", { at: "page" });
    if (delay) await world.sleep(delay.ms);
  }
  if (route.access === "signed_in") {
    const answer = signedOut(site, world, exchange);
    if (answer) return answer;
    site.touch?.(world, exchange);
  }
  if (route.readBack && world.faults.take("readBack")) return readBackDown(site, world, exchange);
  return await faultAfterCommit(site, world, exchange, route.handle(world, exchange));
}

/** From a received request to what goes back. Counts, logs, and lets the switches act. */
export async function dispatch<W extends SiteWorld>(
  site: Site<W>,
  world: W,
  request: IncomingMessage,
  callers: Pick<Callers, "meet">,
): Promise<WireReply> {
  const method = request.method ?? "GET";
  // A target that is no path of ours ("*", "//host") must not become a URL of another host.
  const target = /^\/(?!\/)/.test(request.url ?? "") ? (request.url ?? "/") : "/not-found";
  const url = URL.parse(target, "http://site.invalid") ?? new URL("http://site.invalid/not-found");
  inspect(world, request, url.pathname);
  if (isApi({ url })) world.state.counters.apiCalls += 1;
  const match = matchRoute(site.routes, method, url.pathname);
  if (match.kind === "route" && match.route.commit) {
    world.state.counters.submits += 1;
    site.countSubmit(world, match.route.commit);
  }

  const body = await readBody(request);
  if (!body.ok && body.reason === "aborted") return { kind: "drop" };
  const known = cookieSid(world, request.headers);
  const exchange: Exchange = {
    method,
    url,
    params: match.kind === "route" ? match.params : {},
    headers: request.headers,
    body: body.ok ? body.text : "",
    sid: known ?? randomToken(world.random),
  };
  countCanaries(world, request, exchange.body);
  if (!body.ok) return site.refuseApi(body.reason === "too_large" ? "too_large" : "invalid_request");
  const met = await callers.meet(request, body.text);
  if (met !== undefined) return met;
  if (match.kind !== "route") return missing(site, world, exchange, match.kind);

  const reply = await runRoute(site, world, exchange, match.route);
  if (reply.kind !== "answer" || !isPage(reply)) return reply;
  if (reply.status === 200) world.state.counters.pageViews += 1;
  // The forms on the page carry this browser's token: it needs the cookie that goes with it.
  const whole =
    known !== undefined || "set-cookie" in reply.headers
      ? reply
      : { ...reply, headers: { ...reply.headers, "set-cookie": sessionCookie(world, exchange.sid) } };
  return world.faults.take("halfPage") ? { kind: "half", answer: whole } : whole;
}
