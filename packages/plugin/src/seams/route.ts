import type { Result, Secret } from "@countersign/wire";
import type { AccountIdentity, AnySiteEntry } from "./adapter.ts";
import type { Ctx } from "./ctx.ts";
import type { RouteKind } from "./ids.ts";
import type { RequestPattern, Session } from "./session.ts";

/** A destination as it is configured here: its adapter's entry, its origin, and what commits there. */
export interface Destination {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  /** Further origins the person's browser may reach while on this site (its identity provider, its images). */
  readonly alsoOrigins: readonly string[];
  readonly entry: AnySiteEntry;
  /** The commits of every operation at this destination: nothing of these leaves but at the boundary. */
  readonly commits: readonly RequestPattern[];
}

/** A live, authenticated session with its keeper's duties. */
export interface OpenSession {
  readonly session: Session;
  /** Values that must never appear in what returns to an agent. */
  secrets(): Promise<readonly Secret<string>[]>;
  /** The material to keep for next time; undefined when nothing worth keeping changed. */
  material(): Promise<Secret<string> | undefined>;
  /**
   * Shows the session's own open pages to the person, who drives them from then on; pages that the session opens later
   * are not shown. Absent where there are no pages.
   */
  readonly view?: () => Promise<LiveView>;
  /** Held requests are failed before anything is torn down. */
  close(): Promise<void>;
}

export interface Verified {
  readonly identity: AccountIdentity;
  readonly material: Secret<string>;
}

/** A person drives the destination's own page (MFA-2). */
export interface LiveSignIn {
  readonly mode: "live";
  readonly view: LiveView;
  /** Looks at the site itself: is somebody signed in now, and who? */
  verify(): Promise<Result<Verified, "not_signed_in" | "site_unavailable">>;
  close(): Promise<void>;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: "email" | "password" | "code" | "text";
}

/** A form for a destination reached by its API; the values go to the destination and nowhere else. */
export interface FormSignIn {
  readonly mode: "form";
  readonly fields: readonly FormField[];
  submit(values: ReadonlyMap<string, Secret<string>>): Promise<FormAnswer>;
  close(): Promise<void>;
}

export type FormAnswer =
  | { readonly kind: "more"; readonly fields: readonly FormField[]; readonly message?: string }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "done"; readonly verified: Verified };

/** How a destination is reached; put at the point `gateway.route` under its kind. */
export interface Route {
  readonly kind: RouteKind;
  /** `sign_in`: the material no longer opens a session. */
  open(
    ctx: Ctx,
    destination: Destination,
    material: Secret<string>,
  ): Promise<Result<OpenSession, "sign_in" | "site_unavailable">>;
  beginSignIn(
    ctx: Ctx,
    destination: Destination,
  ): Promise<Result<LiveSignIn | FormSignIn, "site_unavailable" | "busy">>;
  /** Ends what is kept for a person (a browser process); called at shutdown and when a person signs out everywhere. */
  stop(): Promise<void>;
}

/** Pictures out, input in. One driver; the gateway decides who drives. */
export interface LiveView {
  subscribe(listener: (message: ViewMessage) => void): () => void;
  input(event: ViewInput): Promise<void>;
}

export type ViewMessage =
  | {
      readonly type: "frame";
      readonly id: number;
      /** CSS pixels of the page that the picture shows. */
      readonly width: number;
      readonly height: number;
      readonly jpeg: Uint8Array;
    }
  /** `trusted` is false once the page has left the destination's own origins. */
  | { readonly type: "location"; readonly origin: string; readonly path: string; readonly trusted: boolean }
  | { readonly type: "dialog"; readonly kind: string; readonly text: string }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "closed"; readonly reason: string };

export type ViewInput =
  | { readonly type: "ack"; readonly id: number }
  | {
      readonly type: "mouse";
      readonly action: "move" | "down" | "up" | "wheel";
      /** CSS pixels in the page's viewport. */
      readonly x: number;
      readonly y: number;
      readonly button?: "left" | "right" | "middle";
      readonly clicks?: number;
      readonly deltaX?: number;
      readonly deltaY?: number;
    }
  | {
      readonly type: "key";
      readonly action: "down" | "up";
      /** As in KeyboardEvent. */
      readonly key: string;
      readonly code: string;
      readonly shift: boolean;
      readonly ctrl: boolean;
      readonly alt: boolean;
      readonly meta: boolean;
    }
  /** Composed or pasted text. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "resize"; readonly width: number; readonly height: number }
  | { readonly type: "dialog"; readonly accept: boolean; readonly text?: string }
  | { readonly type: "back" };
