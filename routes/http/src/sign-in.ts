import {
  type Ctx,
  type Destination,
  type FormAnswer,
  type FormField,
  type FormSignIn,
  SiteTrouble,
} from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import { type TokenMaterial, toMaterial } from "./material.ts";
import { type ApiCall, type ApiResponse, callWithoutSession, type HttpSession, httpSession } from "./session.ts";

export type FormValues = ReadonlyMap<string, Secret<string>>;

/** One step's outcome: more to ask (with what the next step needs), refused, or the site's token. */
export type SignInStep =
  | {
      readonly kind: "more";
      readonly fields: readonly FormField[];
      readonly next: SubmitStep;
      readonly message?: string;
    }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "signed_in"; readonly material: TokenMaterial };

/** Sends what the person typed to the site, and to nobody else. */
export type SubmitStep = (call: (call: ApiCall) => Promise<ApiResponse>, values: FormValues) => Promise<SignInStep>;

/** What an API adapter's `signIn` is: the first form, and what to do with it. */
export interface HttpSignIn {
  readonly fields: readonly FormField[];
  readonly submit: SubmitStep;
}

export type Identify = (ctx: Ctx, session: HttpSession) => ReturnType<Destination["entry"]["identify"]>;

export function formSignIn(
  ctx: Ctx,
  destination: Destination,
  signIn: HttpSignIn,
  identify: Identify,
): Result<FormSignIn, never> {
  let submit = signIn.submit;
  const call = (request: ApiCall) => callWithoutSession(ctx, destination.origin, request);
  return ok({
    mode: "form",
    fields: signIn.fields,
    async submit(values): Promise<FormAnswer> {
      const step = await attempt(() => submit(call, values));
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
          const identity = await attempt(() => identify(ctx, httpSession(ctx, destination, material.token)));
          if (!identity.ok || identity.value === undefined)
            return { kind: "refused", message: "The site did not say whose account this is." };
          return { kind: "done", verified: { identity: identity.value, material: toMaterial(material) } };
        }
      }
    },
    close: async () => {},
  });
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, "trouble">> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof SiteTrouble) return err("trouble");
    throw error;
  }
}
