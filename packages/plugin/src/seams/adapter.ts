import type { ActionRecord } from "@countersign/profile";
import type { JsonObject, Result, Secret } from "@countersign/wire";
import type { Ctx } from "./ctx.ts";
import type { OperationId, RouteKind } from "./ids.ts";
import type { FormField } from "./route.ts";
import type { Answer, HeldExchange, RequestPattern, Session } from "./session.ts";

/** What the site shows on its last screen before commitment. */
export interface Observed<T> {
  readonly terms: T;
  /** Personal text (a delivery address) that enters the record only as a salted digest. */
  readonly personal?: Readonly<Record<string, string>>;
}

export type Prepared<T> =
  | ({ readonly kind: "ready"; readonly state: JsonObject } & Observed<T>)
  | { readonly kind: "sign_in" }
  | { readonly kind: "pending"; readonly state: JsonObject; readonly afterMs: number }
  | { readonly kind: "gap"; readonly why: string };

/** A step on the way to the boundary that the site can interrupt. */
export type Step<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "sign_in" }
  | { readonly kind: "gap"; readonly why: string };

export interface Held {
  readonly exchange: HeldExchange;
  /** What a read-back will look for; saved with the submission before anything leaves (STA-2). */
  readonly fingerprint: JsonObject;
}

/**
 * A record of the site's own: an order confirmation, a receipt. It is kept byte for byte for the account holder and
 * named in the gateway's receipt by its SHA-256; it is never taken for the gateway's word (REC-3).
 */
export interface SiteRecord {
  /** A word such as `order_confirmation`. */
  readonly kind: string;
  readonly mediaType: string;
  /** As the site sent them; at most 256 KiB, eight records a commit. */
  readonly bytes: Uint8Array;
  /** Whether the adapter verified a signature of the site's over the bytes. */
  readonly signatureChecked: boolean;
  /** Who signed it, as the signature says. */
  readonly by?: string;
}

/** What the site says of a commit that took place. */
export interface Confirmation<R> {
  readonly result: R;
  readonly confirmation: string;
  /** What was actually charged or done. */
  readonly observed?: JsonObject;
  readonly records?: readonly SiteRecord[];
}

export type Recognised<R> =
  | ({ readonly kind: "confirmed" } & Confirmation<R>)
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "unknown" }
  /**
   * Received, and waiting for the person: a bank's code, 3-D Secure (MFA-6). `state` is what the adapter finds it by
   * again, without personal data; it is kept sealed. Only an adapter with a `verification` may say so.
   */
  | { readonly kind: "verify"; readonly state: JsonObject };

/** What came of a verification so far. Anything that is not positively recognised is `unknown` and is read back. */
export type VerificationAnswer<R> =
  | Exclude<Recognised<R>, { readonly kind: "verify" }>
  /** Not over: a wrong code, a page that still asks. `fields` replace those shown. */
  | { readonly kind: "waiting"; readonly message?: string; readonly fields?: readonly FormField[] };

/**
 * How the person completes what the site demands after the submission (MFA-6). Nothing here may send the submission
 * again. What these throw is `unknown`.
 */
export type Verification<R = unknown, S extends Session = Session> =
  | {
      /** By the API: a form whose values go to the site through the session, and nowhere else. */
      readonly mode: "form";
      fields(state: JsonObject): readonly FormField[];
      submit(
        ctx: Ctx,
        session: S,
        record: ActionRecord,
        state: JsonObject,
        values: ReadonlyMap<string, Secret<string>>,
      ): Promise<VerificationAnswer<R>>;
    }
  | {
      /** In a browser: the person drives the very page that waits; afterwards the adapter looks what came of it. */
      readonly mode: "page";
      look(ctx: Ctx, session: S, record: ActionRecord, state: JsonObject): Promise<VerificationAnswer<R>>;
    };

export interface Submission {
  readonly submissionId: string;
  readonly record: ActionRecord;
  readonly fingerprint: JsonObject;
  /** RFC 3339, UTC seconds. */
  readonly submittedAt: string;
}

export type Found<R> =
  | ({ readonly kind: "found" } & Confirmation<R>)
  /** The site shows for certain that it did not happen. Time alone is never certainty (STA-4). */
  | { readonly kind: "absent" }
  | { readonly kind: "unclear"; readonly why: string }
  | { readonly kind: "sign_in" };

/** One committing operation at one destination by one route. It never sees the boundary and cannot cross it. */
export interface CommitAdapter<P = unknown, T = unknown, R = unknown, S extends Session = Session> {
  readonly effect: "commit";
  readonly operation: OperationId;
  /** The requests that commit here; refused everywhere but at the boundary. */
  readonly commits: readonly RequestPattern[];
  /** To the last screen, without commitment. `state` is what an earlier call returned. */
  prepare(ctx: Ctx, session: S, params: P, state?: JsonObject): Promise<Prepared<T>>;
  /** Brings the committing request about, unsent: `session.hold(() => button.click())`. */
  hold(ctx: Ctx, session: S, record: ActionRecord, state: JsonObject): Promise<Step<Held>>;
  /** Reads the terms again, now. */
  observe(ctx: Ctx, session: S, record: ActionRecord, state: JsonObject): Promise<Step<Observed<T>>>;
  /** Pure. Only what is positively recognised is confirmed or refused. */
  recognise(answer: Answer, record: ActionRecord): Recognised<R>;
  /**
   * Pure. What a read-back can look for when only the record and this adapter's own state have survived: a store that
   * was restored from a backup may have lost the submission itself (STA-8). Without it only the person can tell.
   */
  trace?(record: ActionRecord, state: JsonObject): JsonObject;
  /** By fingerprint, never by hope. */
  readBack(ctx: Ctx, session: S, submission: Submission): Promise<Found<R>>;
  readonly verification?: Verification<R, S>;
}

export type Read<R> =
  | { readonly kind: "done"; readonly result: R }
  | { readonly kind: "sign_in" }
  | { readonly kind: "gap"; readonly why: string };

export interface ReadAdapter<P = unknown, R = unknown, S extends Session = Session> {
  readonly effect: "read";
  readonly operation: OperationId;
  read(ctx: Ctx, session: S, params: P): Promise<Read<R>>;
}

export type AnyAdapter<S extends Session = Session> =
  | CommitAdapter<never, unknown, unknown, S>
  | ReadAdapter<never, unknown, S>;

/** What the site says of the signed-in account, read after sign-in (lessons U44: the name is the site's). */
export interface AccountIdentity {
  readonly name: string;
  /** The site's own lasting key for the account, where it has one; else a changed name counts as another account. */
  readonly key?: string;
  readonly details: readonly Omit<import("./ctx.ts").AccountDetail, "ref">[];
}

/** One destination by one route. `signIn` is read by that route alone. */
export interface SiteEntry<S extends Session = Session, SignIn = unknown> {
  readonly route: S["kind"];
  readonly signIn: SignIn;
  /** Whose account the session is; undefined when it is not signed in. Never guesses. */
  identify(ctx: Ctx, session: S): Promise<AccountIdentity | undefined>;
  readonly operations: readonly AnyAdapter<S>[];
}

/** An entry of any route, as the registry keeps them: what a session is, only its own route knows. */
export interface AnySiteEntry {
  readonly route: RouteKind;
  readonly signIn: unknown;
  identify(ctx: Ctx, session: never): Promise<AccountIdentity | undefined>;
  readonly operations: readonly AnyAdapter<never>[];
}

/** A destination that adapters exist for; put at the point `gateway.operation` under its id. */
export interface Site {
  readonly id: string;
  readonly title: string;
  /** `name/version`; goes into the action record as the adapter. */
  readonly version: string;
  readonly entries: readonly AnySiteEntry[];
}

/** Thrown by an adapter before the boundary when the site does not answer as it should; the task is tried again. */
export class SiteTrouble extends Error {
  override readonly name = "SiteTrouble";
}

export type AdapterOutcome<T> = Result<T, "site_trouble">;
