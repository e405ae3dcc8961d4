import type { ExpiringTable } from "../auth/table.ts";
import { parseObject } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answer, json } from "../http/reply.ts";
import { randomToken } from "./random.ts";
import { type Challenge, type FactorKind, openChallenge, prove } from "./second-factor.ts";
import { isPerson } from "./sign-in.ts";
import { type SiteWorld, tokenDigest } from "./world.ts";

/** What a sign-in at an API is refused with; each site answers them in its own form. */
export type ApiSignInError =
  | "invalid_request"
  | "rate_limited"
  | "invalid_credentials"
  | "second_factor_required"
  | "second_factor_waiting"
  | "second_factor_refused"
  | "invalid_code"
  | "challenge_expired";

/** The sign-in of a site's API: name and password bring a challenge, the second factor a bearer token. */
export interface ApiSignIn<W extends SiteWorld> {
  /** As the mail names the site. */
  readonly title: string;
  readonly factor: FactorKind;
  /** The member with the name, and what it has to be. */
  readonly loginField: string;
  readonly login: (world: W) => string;
  readonly tokens: (world: W) => Pick<ExpiringTable<string>, "put">;
  readonly tokenMs: number;
  readonly challenges: (world: W) => ExpiringTable<Challenge>;
  readonly refuse: (
    error: ApiSignInError,
    more?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ) => Answer;
}

export interface ApiSignInHandlers<W extends SiteWorld> {
  readonly start: (world: W, exchange: Exchange) => Answer;
  /** Takes `challenge`, and the `code` of one that has a code. */
  readonly verify: (world: W, exchange: Exchange) => Answer;
}

/** What the person needs to see of a challenge; a question on the phone has a number to compare. */
function shown(challenge: Challenge): Readonly<Record<string, unknown>> {
  const common = {
    challenge: challenge.id,
    method: challenge.kind,
    expires_at: new Date(challenge.expiresAtMs).toISOString(),
  };
  switch (challenge.kind) {
    case "totp":
      return common;
    case "email_code":
      return { ...common, sent_to: challenge.sentTo };
    case "push":
      return { ...common, number: challenge.number };
  }
}

export function apiSignIn<W extends SiteWorld>(site: ApiSignIn<W>): ApiSignInHandlers<W> {
  const limited = (world: W): Answer | undefined => {
    const retryAfterS = world.state.failures.retryAfterS(world.now());
    return retryAfterS === undefined
      ? undefined
      : site.refuse("rate_limited", { retry_after_s: retryAfterS }, { "retry-after": String(retryAfterS) });
  };
  const fail = (world: W, error: ApiSignInError): Answer => {
    world.state.failures.fail(world.now());
    world.state.counters.signInFailures += 1;
    return site.refuse(error);
  };
  const start = (world: W, exchange: Exchange): Answer => {
    const body = parseObject(exchange.body) ?? {};
    const { [site.loginField]: login, password } = body;
    if (typeof login !== "string" || typeof password !== "string") return site.refuse("invalid_request");
    const tooMany = limited(world);
    if (tooMany) return tooMany;
    if (!isPerson(site.login(world), login, world.user, password)) return fail(world, "invalid_credentials");
    const challenge = openChallenge(world, site.factor, site.title);
    site.challenges(world).put(challenge.id, challenge, challenge.expiresAtMs);
    return site.refuse("second_factor_required", shown(challenge));
  };
  const verify = (world: W, exchange: Exchange): Answer => {
    const { challenge: id, code = "" } = parseObject(exchange.body) ?? {};
    if (typeof id !== "string" || typeof code !== "string") return site.refuse("invalid_request");
    const tooMany = limited(world);
    if (tooMany) return tooMany;
    const challenge = site.challenges(world).get(id, world.now());
    const proof = challenge === undefined ? "lapsed" : prove(world, challenge, code.trim());
    if (proof === "waiting") return site.refuse("second_factor_waiting");
    if (proof === "wrong") return fail(world, "invalid_code");
    site.challenges(world).delete(id);
    if (proof === "refused") return fail(world, "second_factor_refused");
    if (proof === "used_up") return fail(world, "challenge_expired");
    if (proof === "lapsed") return site.refuse("challenge_expired");
    world.state.failures.clear();
    world.state.counters.signIns += 1;
    const token = randomToken(world.random);
    const expiresAtMs = world.now() + site.tokenMs;
    site.tokens(world).put(token, "api", expiresAtMs);
    world.issuedTokens.add(tokenDigest(token));
    return json(200, { token, token_type: "Bearer", expires_at: new Date(expiresAtMs).toISOString() });
  };
  return { start, verify };
}
