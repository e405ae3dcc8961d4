import { isTotp } from "../auth/credentials.ts";
import { parseObject } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answer, json } from "../http/reply.ts";
import { SECOND_FACTOR_MS, SHOP_TOKEN_MS } from "../limits.ts";
import { isPassword } from "../pages/sign-in.ts";
import type { World } from "../shop/world.ts";
import { randomToken } from "../site/random.ts";
import { tokenDigest } from "../site/world.ts";
import { bearerOf, instant, refuseApi } from "./wire.ts";

function limited(world: World): Answer | undefined {
  const retryAfterS = world.state.failures.retryAfterS(world.now());
  return retryAfterS === undefined
    ? undefined
    : refuseApi("rate_limited", { retry_after_s: retryAfterS }, { "retry-after": String(retryAfterS) });
}

function fail(world: World, error: "invalid_credentials" | "invalid_code"): Answer {
  world.state.failures.fail(world.now());
  world.state.counters.signInFailures += 1;
  return refuseApi(error);
}

/** First factor: the right password earns a challenge, never a session. */
export function startSession(world: World, exchange: Exchange): Answer {
  const body = parseObject(exchange.body);
  const { email, password } = body ?? {};
  if (typeof email !== "string" || typeof password !== "string") return refuseApi("invalid_request");
  const tooMany = limited(world);
  if (tooMany) return tooMany;
  if (!isPassword(world, email, password)) return fail(world, "invalid_credentials");
  const challenge = randomToken(world.random);
  const expiresAtMs = world.now() + SECOND_FACTOR_MS;
  world.state.challenges.put(challenge, "second_factor", expiresAtMs);
  return refuseApi("second_factor_required", { challenge, expires_at: instant(expiresAtMs) });
}

/** Second factor: a challenge is good for one session. */
export function verifySession(world: World, exchange: Exchange): Answer {
  const body = parseObject(exchange.body);
  const { challenge, code } = body ?? {};
  if (typeof challenge !== "string" || typeof code !== "string") return refuseApi("invalid_request");
  const tooMany = limited(world);
  if (tooMany) return tooMany;
  if (world.state.challenges.get(challenge, world.now()) === undefined) return refuseApi("challenge_expired");
  if (!isTotp(world.user, code, world.now())) return fail(world, "invalid_code");
  world.state.challenges.delete(challenge);
  world.state.failures.clear();
  world.state.counters.signIns += 1;
  const token = randomToken(world.random);
  const expiresAtMs = world.now() + SHOP_TOKEN_MS;
  world.state.tokens.put(token, "api", expiresAtMs);
  world.issuedTokens.add(tokenDigest(token));
  return json(200, { token, token_type: "Bearer", expires_at: instant(expiresAtMs) });
}

export function endSession(world: World, exchange: Exchange): Answer {
  world.state.tokens.delete(bearerOf(exchange) ?? "");
  return json(200, { signed_out: true });
}
