import { err, type Result } from "@countersign/wire";

/** Why an adapter cannot go on, in the words of every seam before the boundary. */
export type Stop = { readonly kind: "sign_in" } | { readonly kind: "gap"; readonly why: string };

export type Attempt<T> = Result<T, Stop>;

export function signIn(): Attempt<never> {
  return err({ kind: "sign_in" });
}

/** @param why a few plain words without personal data. */
export function gap(why: string): Attempt<never> {
  return err({ kind: "gap", why });
}
