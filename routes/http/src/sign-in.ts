import {
  type AccountIdentity,
  type Ctx,
  type Destination,
  type FormAnswer,
  type FormField,
  type FormSignIn,
  SiteTrouble,
} from "@countersign/plugin";
import { assert, err, ok, type Result, type Secret } from "@countersign/wire";
import { commitOf } from "./commits.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import { type TokenMaterial, toMaterial } from "./material.ts";
import type { OAuthSignIn } from "./oauth/token-endpoint.ts";
import { type HttpInit, type HttpSession, httpSession, urlAt } from "./session.ts";
import { fixedToken } from "./tokens.ts";

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
  | { readonly kind: "signed_in"; readonly material: TokenMaterial };

/** The site's API before there is a session: every status is the step's to judge. */
export interface SignInHttp {
  /** @throws SiteTrouble when no whole answer came back. */
  fetch(path: string, init?: HttpInit): Promise<Exchanged>;
}

/** Sends what the person typed to the site, and to nobody else. */
export type SubmitStep = (ctx: Ctx, http: SignInHttp, values: FormValues) => Promise<SignInStep>;

/** The first form of a site that is signed in to by forms, and what takes its answers. */
export interface FormFirst {
  readonly fields: readonly FormField[];
  readonly submit: SubmitStep;
}

/** What an API adapter's `signIn` is: a form whose answers go to the API, or the site's own OAuth server. */
export type HttpSignIn = FormFirst | OAuthSignIn;

export interface FormSignInOptions {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly signIn: FormFirst;
  identify(session: HttpSession): Promise<AccountIdentity | undefined>;
}

export function formSignIn(options: FormSignInOptions): FormSignIn {
  const { ctx, destination, signIn } = options;
  let { submit } = signIn;
  const http: SignInHttp = {
    async fetch(path, init = {}) {
      const url = urlAt(destination.origin, path);
      const method = init.method ?? "GET";
      assert(commitOf(method, url, destination.commits) === undefined, "signing in commits nothing");
      return exchange(ctx, url, { ...init, method }, undefined);
    },
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
          const identity = await attempt(() =>
            options.identify(httpSession(ctx, destination, fixedToken(material.token))),
          );
          if (!identity.ok || identity.value === undefined)
            return { kind: "refused", message: "The site did not say whose account this is." };
          return { kind: "done", verified: { identity: identity.value, material: toMaterial(material) } };
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
