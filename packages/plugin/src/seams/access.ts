import type { Json, Secret } from "@countersign/wire";
import type { PluginCtx } from "./ctx.ts";

/** What a site asks before it lets anybody in: a CAPTCHA, a bot check. Nothing of the account and nothing of the wish. */
export interface AccessChallenge {
  /** Which sort it is, for example `captcha.image`; the key of the point. */
  readonly kind: string;
  /** Where it stands. */
  readonly origin: string;
  /** What the site gave to solve it by: a site key, a picture's address. Without personal data. */
  readonly details: Json;
}

export type AccessAnswer =
  /** What the site takes as the answer; it opens a page and nothing else. */
  | { readonly kind: "passed"; readonly answer: Secret<string> }
  | { readonly kind: "not_passed" }
  /** Nobody is installed for this sort: the adapter says `gap`, or lets the person come (MFA-1). */
  | { readonly kind: "no_service" };

/**
 * Access infrastructure (seam `gateway.access`; MFA-5): reaches a page that asks whether a machine is asking. It is
 * given neither session nor account, and what it answers goes to the adapter alone: a passed check is no
 * authentication, no grant and no approval, and nothing in the gateway reads it as one.
 */
export interface AccessService {
  pass(ctx: PluginCtx, challenge: AccessChallenge): Promise<AccessAnswer>;
}
