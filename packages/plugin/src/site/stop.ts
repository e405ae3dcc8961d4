import { err, type Result } from "@countersign/wire";
import { SiteTrouble } from "../seams/adapter.ts";

/** Why an adapter cannot go on, in the words of every seam before the boundary. */
export type Stop = { readonly kind: "sign_in" } | { readonly kind: "gap"; readonly why: string };

/** What a step of an adapter got, or why it stops there: `if (!got.ok) return got.reason;`. */
export type Attempt<T> = Result<T, Stop>;

/** The site wants the person. */
export function wantsSignIn(): Attempt<never> {
  return err({ kind: "sign_in" });
}

/** This site cannot do it, now or ever. @param why a few plain words without personal data. */
export function gap(why: string): Attempt<never> {
  return err({ kind: "gap", why });
}

/**
 * What a page or an answer must hold to be read at all.
 * @throws SiteTrouble for a refused reading: the step is tried again, and nothing is guessed.
 */
export function must<T>(read: Result<T, string>, what: string): T {
  if (!read.ok) throw new SiteTrouble(`the site's ${what} cannot be read: ${read.reason}`);
  return read.value;
}
