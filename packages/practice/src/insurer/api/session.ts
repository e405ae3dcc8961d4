import { parseObject } from "../../http/body.ts";
import {
  csrfToken,
  type Exchange,
  endedCookie,
  isSignedIn,
  renewSession,
  sessionCookie,
  sessionOf,
} from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { SECOND_FACTOR_MS, SESSION_MS } from "../../limits.ts";
import { randomToken } from "../../site/random.ts";
import { openChallenge, prove } from "../../site/second-factor.ts";
import { isPerson } from "../../site/sign-in.ts";
import { COOKIE_GRACE_MS, ISSUED_MAX } from "../limits.ts";
import { INSURER_NAME, MEMBER_NUMBER } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";
import { problemWithCaller, refuseInsurer } from "./wire.ts";

/** The cookie of the pages, given to a program: what it was given is remembered for whoever looks for leaks. */
function given(world: InsurerWorld, sid: string): Readonly<Record<string, string>> {
  world.state.issued = [...world.state.issued, sid].slice(-ISSUED_MAX);
  return { "set-cookie": sessionCookie(world, sid) };
}

function limited(world: InsurerWorld): Answer | undefined {
  const retryAfterS = world.state.failures.retryAfterS(world.now());
  return retryAfterS === undefined ? undefined : refuseInsurer("rate_limited", { "retry-after": String(retryAfterS) });
}

function fail(world: InsurerWorld, error: "invalid_credentials" | "invalid_code"): Answer {
  world.state.failures.fail(world.now());
  world.state.counters.signInFailures += 1;
  return refuseInsurer(error);
}

const isJson = (exchange: Exchange): boolean => (exchange.headers["content-type"] ?? "").startsWith("application/json");

/** First factor: the right password earns a cookie that is good for the code, and for nothing else. */
export function startSession(world: InsurerWorld, exchange: Exchange): Answer {
  if (!isJson(exchange)) return refuseInsurer("unsupported_media_type");
  const { email, password } = parseObject(exchange.body) ?? {};
  if (typeof email !== "string" || typeof password !== "string") return refuseInsurer("invalid_request");
  const tooMany = limited(world);
  if (tooMany) return tooMany;
  if (!isPerson(world.user.email, email, world.user, password)) return fail(world, "invalid_credentials");
  const challenge = openChallenge(world, "totp", INSURER_NAME);
  const sid = renewSession(world, exchange, { stage: "second_factor", next: "/", challenge }, SECOND_FACTOR_MS);
  return json(200, { next: "code" }, given(world, sid));
}

export function proveSession(world: InsurerWorld, exchange: Exchange): Answer {
  if (!isJson(exchange)) return refuseInsurer("unsupported_media_type");
  const { code } = parseObject(exchange.body) ?? {};
  if (typeof code !== "string") return refuseInsurer("invalid_request");
  const session = sessionOf(world, exchange);
  if (session?.stage !== "second_factor") return refuseInsurer("code_not_due");
  const tooMany = limited(world);
  if (tooMany) return tooMany;
  if (prove(world, session.challenge, code.trim()) !== "proved") return fail(world, "invalid_code");
  world.state.failures.clear();
  world.state.counters.signIns += 1;
  const sid = renewSession(world, exchange, { stage: "signed_in" }, SESSION_MS);
  return json(200, { next: "done" }, given(world, sid));
}

/**
 * What a program asks for first: who is signed in, and the token that its requests have to carry. Each time the session
 * moves to a new cookie, as at sites that let none grow old.
 */
export function showSession(world: InsurerWorld, exchange: Exchange): Answer {
  const { sessions, counters } = world.state;
  const session = sessionOf(world, exchange);
  if (session === undefined || !isSignedIn(world, exchange)) return refuseInsurer("unauthenticated");
  const sid = randomToken(world.random);
  sessions.put(sid, session, world.now() + SESSION_MS);
  if (world.switches.isStrict()) sessions.delete(exchange.sid);
  else sessions.put(exchange.sid, session, world.now() + COOKIE_GRACE_MS);
  counters.rotations += 1;
  const member = { name: world.user.name, number: MEMBER_NUMBER };
  return json(200, { member, csrf_token: csrfToken(world, sid) }, given(world, sid));
}

export function endSession(world: InsurerWorld, exchange: Exchange): Answer {
  const problem = problemWithCaller(world, exchange);
  if (problem !== undefined) return refuseInsurer(problem);
  world.state.sessions.delete(exchange.sid);
  return json(200, { signed_out: true }, { "set-cookie": endedCookie(world) });
}
