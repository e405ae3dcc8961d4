import type { AccountIdentity, Ctx, Destination, Route, RouteKind, Site, Verified } from "@countersign/plugin";
import type { Operation } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";

/**
 * What can go wrong at a site. Those that a site cannot bring about itself, the checker brings about at the way out where
 * the route is a site's API: then every answer passes through it.
 */
export const FAULTS = [
  /** The site has done it and the answer never arrives. Always the checker's. */
  "lost_answer",
  /** The terms become dearer, or otherwise materially other, than they were when asked. The site's alone. */
  "changed_terms",
  /** The session is over: the site answers as it does to somebody who is not signed in. The site's alone. */
  "ended_session",
  /** A page to sign in at stands where the answer should be, with status 200 or by a redirect. */
  "sign_in_wall",
  /** The site receives the commit and wants a code before it does it. The site's alone. */
  "second_factor",
  /** Nothing is answered until the step is given up. */
  "slow_page",
  /** Half of each answer arrives. */
  "half_page",
  /** An amount stands there that can be read in two ways, or in none. */
  "unreadable_amount",
] as const;
export type FaultName = (typeof FAULTS)[number];

/** Something that the site did for the account, by a committing request. */
export interface Effect {
  /** The site's own number for it, which a confirmation and a read-back must name; left out where the check cannot know it. */
  readonly ref?: string;
  /** What it did, under the names of the operation's terms or parameters: `total_minor`, `item_ref`. */
  readonly facts: JsonObject;
}

/** A site to try an adapter at, opened by the adapter's own check file. */
export interface CheckSite {
  readonly origin: string;
  /** A site in memory: it answers in place of the network. Without it requests go to the origin. */
  handle?(request: Request): Promise<Response>;
  /** The site's clock, where it has one of its own; milliseconds. */
  now?(): number;
  /** What the person types, one object a form, by the names of the fields. Asked anew for each sign-in. */
  person?(): readonly Readonly<Record<string, string>>[];
  /** Signs in where a form is not how it is done (a browser). */
  signIn?(route: Route, ctx: Ctx, destination: Destination): Promise<Verified>;
  /** Everything as when it was opened, and no fault on. */
  reset(): void | Promise<void>;
  /** Turns a fault on until {@link reset}; false where the site has no such switch, or none that strikes this operation. */
  fault(name: FaultName, operation: string): boolean | Promise<boolean>;
  /** What it has done by this operation's committing requests since the last reset, in order. */
  effects(operation: string): readonly Effect[] | Promise<readonly Effect[]>;
  /**
   * How many requests the site has been asked since the last reset, those of the sign-in too: an adapter with a way out of
   * its own is found by it. A site in memory cannot be reached by another way and needs none.
   */
  seen?(): number | Promise<number>;
  /**
   * The person acts by another way (their phone): an act that is `equal` to what the check wishes, or an `other` one of
   * the same operation. Not among the effects. False where the site has no such switch.
   */
  elsewhere?(operation: string, which: "equal" | "other"): boolean | Promise<boolean>;
  /** The values that complete a second factor after the submission. */
  verification?(): Readonly<Record<string, string>>;
  /** Further texts that must never appear in notes, logs and reasons: they are personal. */
  personal?(): readonly string[];
  close(): Promise<void>;
}

export interface OperationCheck {
  readonly operation: string;
  /** What is wished; references of the account are written with {@link detailRef}. */
  readonly params: JsonObject;
  /** Another wish that the site would do too, for telling one act from another. */
  readonly other?: JsonObject;
}

/** What a check file exports under the name `check`. */
export interface AdapterCheck {
  readonly site: Site;
  readonly route: RouteKind;
  /** The route to use; the HTTP route where it is left out. */
  makeRoute?(): Route;
  open(): Promise<CheckSite>;
  readonly operations: readonly OperationCheck[];
  /** What the person has entered at the gateway beside the rows that the site says; named by {@link detailRef} as well. */
  readonly entered?: readonly (AccountIdentity["details"][number] & { readonly siteKey: string })[];
  /** Operations that are not in the profile's own catalogue. */
  readonly catalogue?: readonly Operation[];
}

/** Whether a confirmation names another act than this one. */
export function namesAnother(confirmation: string, effect: Effect): boolean {
  return effect.ref !== undefined && confirmation !== effect.ref;
}

/** The reference under which the checker names a row of the account that the site says: see `identify`. */
export function detailRef(kind: AccountIdentity["details"][number]["kind"], siteKey: string): string {
  return `det_${kind}_${siteKey}`;
}
