import {
  type AccountIdentity,
  type Ctx,
  type Destination,
  type FormAnswer,
  type FormField,
  type FormSignIn,
  SiteTrouble,
} from "@countersign/plugin";
import { assert, err, ok, type Result, type Secret, secret } from "@countersign/wire";
import { commitOf } from "./commits.ts";
import { cookieIn, cookieTokens } from "./cookie/jar.ts";
import { toCookieMaterial } from "./cookie/material.ts";
import { presentsCookie, type SessionCookie } from "./cookie/set-cookie.ts";
import { asBearer } from "./credential.ts";
import { type Exchanged, wholeExchange } from "./exchange.ts";
import type { ApiKeySignIn } from "./key/api-key.ts";
import { type TokenMaterial, toMaterial } from "./material.ts";
import type { OAuthSignIn } from "./oauth/token-endpoint.ts";
import { type HttpInit, type HttpSession, httpSession, urlAt } from "./session.ts";
import { fixedToken, type SessionTokens } from "./tokens.ts";

export type FormValues = ReadonlyMap<string, Secret<string>>;

/** One step's outcome: more to ask (with what takes the next answers), refused, or the site's token. */
export type SignInStep =
  | {
      readonly kind: "more";
      readonly fields: readonly FormField[];
      readonly next: SubmitStep;
      readonly message?: string;
    }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "signed_in"; readonly material: TokenMaterial }
  /** By the session cookie that the site has set: the route has it, the adapter never sees it. */
  | { readonly kind: "signed_in_by_cookie" };

export interface SignInAnswer extends Exchanged {
  /** A header of the answer: some sites give their token there. */
  header(name: string): Secret<string> | undefined;
}

/** The site's API before there is a session: every status is the step's to judge. */
export interface SignInHttp {
  /** @throws SiteTrouble when no whole answer came back. */
  fetch(path: string, init?: HttpInit): Promise<SignInAnswer>;
}

/** Sends what the person typed to the site, and to nobody else. */
export type SubmitStep = (ctx: Ctx, http: SignInHttp, values: FormValues) => Promise<SignInStep>;

/** The first form of a site that is signed in to by forms, and what takes its answers. */
export interface FormFirst {
  readonly fields: readonly FormField[];
  readonly submit: SubmitStep;
}

/** A site that knows a session by its cookie, as its own pages do: a form first, and the one cookie that is kept. */
export interface CookieSignIn extends FormFirst {
  readonly kind: "cookie";
  /** The cookie's name. No other is ever sent. */
  readonly cookie: string;
  /** Where the site leads whoever is not signed in; begins with `/`. */
  readonly signInPath: string;
}

/**
 * What an API adapter's `signIn` is: a form whose answers go to the API, with a token or a cookie for it, the site's own
 * OAuth server, or a key.
 */
export type HttpSignIn = FormFirst | CookieSignIn | OAuthSignIn | ApiKeySignIn;

export interface FormSignInOptions {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly signIn: FormFirst | CookieSignIn;
  identify(session: HttpSession): Promise<AccountIdentity | undefined>;
}

export function formSignIn(options: FormSignInOptions): FormSignIn {
  const { ctx, destination, signIn } = options;
  let { submit } = signIn;
  const jar = "kind" in signIn ? { ctx, destination, name: signIn.cookie, signInPath: signIn.signInPath } : undefined;
  /** A site changes its cookie from step to step; each goes with the next one. */
  let cookie: SessionCookie | undefined;
  const http: SignInHttp = {
    async fetch(path, init = {}) {
      const url = urlAt(destination.origin, path);
      const method = init.method ?? "GET";
      assert(commitOf(method, url, destination.commits, init.body) === undefined, "signing in commits nothing");
      const shown = cookie === undefined ? undefined : presentsCookie(cookie.name)(cookie.value);
      const { answer, head, headers } = await wholeExchange(ctx, url, { ...init, method }, shown);
      const taken = jar === undefined ? undefined : cookieIn(jar, head);
      if (taken !== undefined) cookie = taken.kind === "kept" ? taken.cookie : undefined;
      return {
        ...answer,
        header(name) {
          const value = headers.get(name);
          return value === null || value === "" ? undefined : secret(value);
        },
      };
    },
  };
  const done = async (tokens: SessionTokens, material: () => Secret<string>): Promise<FormAnswer> => {
    const presents = jar === undefined ? asBearer : presentsCookie(jar.name);
    const identity = await attempt(() => options.identify(httpSession(ctx, destination, tokens, presents)));
    if (!identity.ok || identity.value === undefined)
      return { kind: "refused", message: "The site did not say whose account this is." };
    return { kind: "done", verified: { identity: identity.value, material: material() } };
  };
  return {
    mode: "form",
    fields: signIn.fields,
    async submit(values): Promise<FormAnswer> {
      const step = await attempt(() => submit(ctx, http, values));
      if (!step.ok) return { kind: "refused", message: "The site does not answer; try again in a moment." };
      switch (step.value.kind) {
        case "refused":
          return step.value;
        case "more": {
          const { fields, message, next } = step.value;
          submit = next;
          return { kind: "more", fields, ...(message === undefined ? {} : { message }) };
        }
        case "signed_in": {
          const { material } = step.value;
          return done(fixedToken(material.token), () => toMaterial(material));
        }
        case "signed_in_by_cookie": {
          assert(jar !== undefined, "only a sign-in by cookie ends with one");
          if (cookie === undefined) return { kind: "refused", message: "The site did not sign you in. Begin again." };
          const first = cookie;
          const tokens = cookieTokens(first, jar, undefined);
          // Asking whose account it is may change the cookie already.
          return done(tokens, () => tokens.changed() ?? toCookieMaterial(first));
        }
      }
    },
    close: async () => {},
  };
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, "trouble">> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof SiteTrouble) return err("trouble");
    throw error;
  }
}
