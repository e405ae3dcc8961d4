import type { Ctx, Destination, KeptMaterial, OpenSession, Route, SiteEntry } from "@countersign/plugin";
import { assert, err, ok, type Result, type Secret } from "@countersign/wire";
import { cookieTokens } from "./cookie/jar.ts";
import { fromCookieMaterial } from "./cookie/material.ts";
import { presentsCookie } from "./cookie/set-cookie.ts";
import { asBearer, type Presents } from "./credential.ts";
import { type ApiKeySignIn, presentsKey } from "./key/api-key.ts";
import { keySignIn } from "./key/sign-in.ts";
import { fromKeyMaterial, fromMaterial, fromOAuthMaterial, type OAuthMaterial } from "./material.ts";
import { redirectSignIn } from "./oauth/sign-in.ts";
import type { OAuthSignIn } from "./oauth/token-endpoint.ts";
import { renewedTokens } from "./oauth/tokens.ts";
import { type HttpSession, httpSession } from "./session.ts";
import { type CookieSignIn, formSignIn, type HttpSignIn } from "./sign-in.ts";
import { fixedToken, type SessionTokens, type TokenProblem } from "./tokens.ts";

/** A destination reached by its own API. */
export type HttpSite = SiteEntry<HttpSession, HttpSignIn>;

/**
 * Reaches destinations by their own API (MAP-5): tokens from the vault, every request through the gateway's one egress.
 * A token that a form brought is used until the site no longer takes it; those of a site's OAuth server are renewed by
 * one at a time and kept before they are used (lessons U48); a key that the person made at the site is good until it is
 * revoked there, and a cookie until the site ends it; one that the site changes is kept before it is used. Then the
 * person signs in again.
 */
export function createHttpRoute(): Route {
  const running = new Map<string, Promise<Result<OAuthMaterial, TokenProblem>>>();
  return {
    kind: "http",
    async open(ctx, destination, material, kept) {
      const { signIn } = httpEntry(destination);
      if (isCookie(signIn)) return openByCookie(ctx, destination, signIn, material, kept);
      const tokens = isOAuth(signIn)
        ? oauthTokens(ctx, destination, signIn, material, kept, running)
        : isApiKey(signIn)
          ? keyTokens(material)
          : formTokens(ctx, material);
      const presents = isApiKey(signIn) ? presentsKey(signIn) : asBearer;
      if (tokens.ok) return ok(opened(ctx, destination, tokens.value, presents));
      ctx.log.info("http.material_unusable", { destination: destination.id, why: tokens.reason });
      return err("sign_in");
    },
    async beginSignIn(ctx, destination, _tries, back) {
      const entry = httpEntry(destination);
      const { signIn } = entry;
      const identify = (session: HttpSession) => entry.identify(ctx, session);
      if (isApiKey(signIn)) return ok(keySignIn({ ctx, destination, apiKey: signIn, identify }));
      if (!isOAuth(signIn)) return ok(formSignIn({ ctx, destination, signIn, identify }));
      assert(back !== undefined, "the gateway says where the person comes back to");
      return ok(redirectSignIn({ ctx, destination, oauth: signIn, back, identify }));
    },
    stop: async () => {},
  };
}

function isOAuth(signIn: HttpSignIn): signIn is OAuthSignIn {
  return "kind" in signIn && signIn.kind === "oauth";
}

function isCookie(signIn: HttpSignIn): signIn is CookieSignIn {
  return "kind" in signIn && signIn.kind === "cookie";
}

function openByCookie(
  ctx: Ctx,
  destination: Destination,
  { cookie: name, signInPath }: CookieSignIn,
  material: Secret<string>,
  kept: KeptMaterial | undefined,
): Result<OpenSession, "sign_in"> {
  const read = fromCookieMaterial(material, name, ctx.now());
  if (!read.ok) {
    ctx.log.info("http.material_unusable", { destination: destination.id, why: read.reason });
    return err("sign_in");
  }
  const tokens = cookieTokens(read.value, { ctx, destination, name, signInPath }, kept);
  return ok({
    ...opened(ctx, destination, tokens, presentsCookie(name)),
    material: async () => tokens.changed(),
  });
}

function isApiKey(signIn: HttpSignIn): signIn is ApiKeySignIn {
  return "kind" in signIn && signIn.kind === "api_key";
}

function keyTokens(material: Secret<string>): Result<SessionTokens, "unreadable"> {
  const key = fromKeyMaterial(material);
  return key.ok ? ok(fixedToken(key.value)) : key;
}

function formTokens(ctx: Ctx, material: Secret<string>): Result<SessionTokens, "unreadable" | "expired"> {
  const kept = fromMaterial(material, ctx.now());
  return kept.ok ? ok(fixedToken(kept.value.token)) : kept;
}

function oauthTokens(
  ctx: Ctx,
  destination: Destination,
  oauth: OAuthSignIn,
  material: Secret<string>,
  kept: KeptMaterial | undefined,
  running: Map<string, Promise<Result<OAuthMaterial, TokenProblem>>>,
): Result<SessionTokens, "unreadable"> {
  const read = fromOAuthMaterial(material);
  if (!read.ok) return read;
  // Without a place to keep what a renewal brings, nothing is renewed: it would be lost.
  return ok(
    kept === undefined
      ? fixedToken(read.value.token)
      : renewedTokens(read.value, { ctx, destination, oauth, kept, running }),
  );
}

function opened(ctx: Ctx, destination: Destination, tokens: SessionTokens, presents: Presents): OpenSession {
  return {
    session: httpSession(ctx, destination, tokens, presents),
    secrets: async () => tokens.secrets(),
    // A renewal has kept itself.
    material: async () => undefined,
    close: async () => {},
  };
}

/** The registry gives a route the entries of its own kind only; here the types hear of it. */
function httpEntry(destination: Destination): HttpSite {
  assert(destination.entry.route === "http", "an entry of the http route");
  return destination.entry as HttpSite;
}
