import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, wantsSignIn } from "@countersign/plugin/site";
import { type Json, ok } from "@countersign/wire";
import type { HttpAnswer } from "./session.ts";

/** What an answer must look like to be read: any schema that can say yes or no (Zod's can). */
export interface Shape<T> {
  safeParse(
    value: Json | undefined,
  ): { readonly success: true; readonly data: T } | { readonly success: false; readonly data?: undefined };
}

/**
 * The body of an answer with the expected status; an ended session is told apart.
 * @throws SiteTrouble for every other status, and for a body of another shape: nothing is guessed from half an answer.
 */
export function bodyOf<T>(answer: HttpAnswer, status: number, shape: Shape<T>): Attempt<T> {
  if (answer.kind === "signed_out") return wantsSignIn();
  if (answer.status !== status) throw new SiteTrouble(`the site's API answered ${answer.status}`);
  const parsed = shape.safeParse(answer.json);
  if (!parsed.success) throw new SiteTrouble(`the site's API answered ${status} with something else`);
  return ok(parsed.data);
}
