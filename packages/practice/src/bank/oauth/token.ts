import { createHash } from "node:crypto";
import { sameText } from "../../auth/credentials.ts";
import { type Exchange, formOf } from "../../http/exchange.ts";
import { type Answer, json, type Reply } from "../../http/reply.ts";
import { ACCESS_TOKEN_MS, ISSUED_MAX, REFRESH_TOKEN_MS } from "../../limits.ts";
import { randomToken } from "../../site/random.ts";
import { tokenDigest } from "../../site/world.ts";
import type { BankWorld, TokenFamily } from "../world.ts";
import { CLIENT_ID } from "./client.ts";

function refuse(error: "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type"): Answer {
  return json(error === "invalid_client" ? 401 : 400, { error });
}

/** New tokens of one sign-in; the refresh token before them is spent. */
function issue(world: BankWorld, family: TokenFamily): Answer {
  const access = randomToken(world.random);
  const refresh = randomToken(world.random);
  family.refreshToken = refresh;
  world.state.accessTokens.put(access, family, world.now() + ACCESS_TOKEN_MS);
  world.state.refreshTokens.put(refresh, family, world.now() + REFRESH_TOKEN_MS);
  world.issuedTokens.add(tokenDigest(access));
  world.state.issued = [...world.state.issued, access, refresh].slice(-ISSUED_MAX);
  return json(200, {
    access_token: access,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_MS / 1000,
    refresh_token: refresh,
    scope: family.scope,
  });
}

function redeem(world: BankWorld, form: URLSearchParams): Reply {
  const code = form.get("code") ?? "";
  const granted = world.state.codes.get(code, world.now());
  // A code is good for one try, the wrong one too.
  world.state.codes.delete(code);
  const verifier = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (granted === undefined || !sameText(verifier, granted.challenge)) return refuse("invalid_grant");
  if (form.get("redirect_uri") !== granted.redirectUri) return refuse("invalid_grant");
  return issue(world, { id: randomToken(world.random), scope: granted.scope, refreshToken: "", alive: true });
}

/** Refresh tokens rotate; one that comes again ends the whole sign-in (RFC 9700 section 4.14.2, lessons U48). */
function renew(world: BankWorld, form: URLSearchParams): Reply {
  const { state } = world;
  const token = form.get("refresh_token") ?? "";
  const family = state.refreshTokens.get(token, world.now());
  if (family === undefined || !family.alive) return refuse("invalid_grant");
  if (!sameText(token, family.refreshToken)) {
    family.alive = false;
    state.counters.refreshReuses += 1;
    return refuse("invalid_grant");
  }
  state.counters.refreshes += 1;
  const answer = issue(world, family);
  return world.switches.take("loseRenewal") ? { kind: "drop" } : answer;
}

export function tokenEndpoint(world: BankWorld, exchange: Exchange): Reply {
  const form = formOf(exchange);
  if (form.get("client_id") !== CLIENT_ID) return refuse("invalid_client");
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeem(world, form);
    case "refresh_token":
      return renew(world, form);
    default:
      return refuse("unsupported_grant_type");
  }
}
