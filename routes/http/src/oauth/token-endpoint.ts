import { type Ctx, type Destination, SiteTrouble } from "@countersign/plugin";
import {
  err,
  formatInstant,
  instant,
  isJsonObject,
  type Json,
  ok,
  type Result,
  type Secret,
  secret,
} from "@countersign/wire";
import { type Exchanged, exchange } from "../exchange.ts";
import { TOKEN_CHARS_MAX, TOKEN_LIFE_MS_MAX } from "../limits.ts";
import type { OAuthMaterial } from "../material.ts";
import { urlAt } from "../session.ts";

/** A site's own OAuth server, at the site's own origin. The gateway is a public client there: PKCE proves it. */
export interface OAuthSignIn {
  readonly kind: "oauth";
  readonly clientId: string;
  /** Begins with `/`. */
  readonly authorizePath: string;
  readonly tokenPath: string;
  /** Space-separated. */
  readonly scope: string;
}

export interface TokenAnswer {
  readonly access: Secret<string>;
  readonly refresh?: Secret<string>;
  readonly expiresAt?: string;
}

/**
 * Asks for tokens (RFC 6749 sections 4.1.3 and 6). `refused`: the site says `invalid_grant`; anything else that is no
 * tokens is `unavailable`, since it says nothing of the sign-in.
 */
export async function askTokens(
  ctx: Ctx,
  destination: Destination,
  oauth: OAuthSignIn,
  form: Readonly<Record<string, string>>,
): Promise<Result<TokenAnswer, "refused" | "unavailable">> {
  const body = new URLSearchParams({ ...form, client_id: oauth.clientId });
  let answer: Exchanged;
  try {
    answer = await exchange(ctx, urlAt(destination.origin, oauth.tokenPath), { method: "POST", form: body }, undefined);
  } catch (error) {
    if (error instanceof SiteTrouble) return err("unavailable");
    throw error;
  }
  if (answer.status === 200) {
    const tokens = readTokens(answer.json, ctx.now());
    return tokens === undefined ? err("unavailable") : ok(tokens);
  }
  const said = answer.json !== undefined && isJsonObject(answer.json) ? answer.json["error"] : undefined;
  return err(answer.status === 400 && said === "invalid_grant" ? "refused" : "unavailable");
}

/** What a token answer holds; undefined when it is not one that can be used here. */
export function readTokens(json: Json | undefined, now: number): TokenAnswer | undefined {
  if (json === undefined || !isJsonObject(json)) return undefined;
  const { access_token: access, token_type: type, refresh_token: refresh, expires_in: seconds } = json;
  if (!isToken(access) || typeof type !== "string" || type.toLowerCase() !== "bearer") return undefined;
  if (refresh !== undefined && !isToken(refresh)) return undefined;
  if (seconds !== undefined && (typeof seconds !== "number" || !Number.isSafeInteger(seconds) || seconds < 0))
    return undefined;
  const lifeMs = seconds === undefined ? undefined : Math.min(seconds * 1_000, TOKEN_LIFE_MS_MAX);
  return {
    access: secret(access),
    ...(refresh === undefined ? {} : { refresh: secret(refresh) }),
    ...(lifeMs === undefined ? {} : { expiresAt: formatInstant(instant(now + lifeMs)) }),
  };
}

/** A renewal that brings no refresh token leaves the one before (RFC 6749 section 6). */
export function materialOf(tokens: TokenAnswer, family: string, before?: Secret<string>): OAuthMaterial {
  const refresh = tokens.refresh ?? before;
  return {
    family,
    token: tokens.access,
    ...(tokens.expiresAt === undefined ? {} : { expiresAt: tokens.expiresAt }),
    ...(refresh === undefined ? {} : { refresh }),
  };
}

function isToken(value: unknown): value is string {
  return typeof value === "string" && value.length <= TOKEN_CHARS_MAX && /^[\x21-\x7e]+$/.test(value);
}
