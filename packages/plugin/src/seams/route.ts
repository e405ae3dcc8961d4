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

/**
 * Where another site sends the person's own browser back to: a page of the gateway's, which posts what came. `state` is
 * made and judged by the gateway: it comes back once, to the browser session that began (MFA-3, U39).
 */
export interface SignInReturn {
  readonly url: string;
  readonly state: string;
}

/**
 * The person signs in and agrees at the destination's own page in their own browser, and comes back with its answer:
 * OAuth's authorization code. The gateway shows the address's host, the person follows it; it carries no secret.
 */
export interface RedirectSignIn {
  readonly mode: "redirect";
  /** `https`, or `http` at an origin that the configuration names. */
  readonly url: string;
  /** What the browser came back with; its `state` has been judged. Called once. */
  returned(answer: URLSearchParams): Promise<ReturnAnswer>;
  close(): Promise<void>;
}

export type ReturnAnswer = Exclude<FormAnswer, { readonly kind: "more" }>;

/**
 * The session's material as it is kept, for routes whose tokens are renewed: a rotated token is kept before it is used,
 * and what another process has renewed is read before anybody believes that it is worth nothing (lessons U48).
 */
export interface KeptMaterial {
  /** Undefined when nothing is kept any more. */
  read(): Promise<Secret<string> | undefined>;
  /** False when the connection is not connected any more: then nothing was kept, and nothing may be used. */
  write(material: Secret<string>): Promise<boolean>;
}

/** What a site counts, and locks the account for: each by itself. */
export type TryKind = "password" | "code";

/**
 * Bounds how often a password or a one-time code is tried at the destination: a site locks an account for which they were wrong too often,
 * and the account is the person's. Asked before one leaves in a page of the site's own; for a form the gateway
 * asks itself. A verified sign-in makes it forget.
 */
export interface SignInTries {
  /** Counts one try. `left`: how many more of its kind may follow before the hour is over. */
  take(kind: TryKind): Promise<TryAnswer>;
}

export type TryAnswer =
  | { readonly kind: "go"; readonly left: number }
  /** Not to be sent; the next try is possible at `until`, RFC 3339. */
  | { readonly kind: "spent"; readonly until: string };

/** How a destination is reached; put at the point `gateway.route` under its kind. */
export interface Route {
  readonly kind: RouteKind;
  /** `sign_in`: the material no longer opens a session. The gateway gives `kept` whenever there is something kept. */
  open(
    ctx: Ctx,
    destination: Destination,
    material: Secret<string>,
    kept?: KeptMaterial,
  ): Promise<Result<OpenSession, "sign_in" | "site_unavailable">>;
  beginSignIn(
    ctx: Ctx,
    destination: Destination,
    tries: SignInTries,
    /** The gateway always gives it; only a route whose people go elsewhere needs it. */
    back?: SignInReturn,
  ): Promise<Result<LiveSignIn | FormSignIn | RedirectSignIn, "site_unavailable" | "busy">>;
  /**
   * The person has disconnected the account: tells the destination that what was kept is needed no more, where it can be
   * told. It is gone here whatever becomes of this.
   */
  giveBack?(ctx: Ctx, destination: Destination, material: Secret<string>): Promise<void>;
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
  /** `trusted` is false once the page has left the destination's own origins; `null` is the origin of no web page. */
  | { readonly type: "location"; readonly origin: string; readonly path: string; readonly trusted: boolean }
  /** The person's pages when there are several, in the order in which they were opened. Titles are the site's words. */
  | { readonly type: "tabs"; readonly tabs: readonly ViewTab[] }
  | { readonly type: "dialog"; readonly kind: string; readonly text: string }
  | ViewNotice
  | { readonly type: "closed"; readonly reason: ViewEnd };

export interface ViewTab {
  readonly id: number;
  readonly title: string;
  readonly origin: string;
  readonly shown: boolean;
}

/** What the picture cannot say. The words are the interface's own; `host` and `at` fill them in. */
export interface ViewNotice {
  readonly type: "notice";
  readonly code: ViewNoticeCode;
  /** ASCII. */
  readonly host?: string;
  /** RFC 3339. */
  readonly at?: string;
}

export type ViewNoticeCode =
  | "too_many_windows"
  | "crashed"
  | "file_refused"
  | "download_refused"
  /** A page outside the destination's origins, which the person's browser does not reach here. */
  | "host_refused"
  | "unreachable"
  | "certificate"
  /** The site answers that it is asked too often. */
  | "too_often"
  /** The site asks for a name and a password in the browser's own window, which nobody can see here. */
  | "password_window"
  | "passkey"
  /** A CAPTCHA: the person may solve it with their own hand. It is no sign-in (MFA-5). */
  | "captcha"
  | "captcha_refused"
  /** One more password, or one more code, may be tried before the hour is over. */
  | "last_try"
  | "tries_spent"
  /** What was pressed there commits, and only the gateway commits, once, after an approval. */
  | "commit_refused"
  | "tried_elsewhere";

export type ViewEnd = "ended" | "page_closed" | "browser_gone";

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
  /** Composed or pasted text; it takes the place of what is being composed. */
  | { readonly type: "text"; readonly text: string }
  /** What is being composed (an input method, a phone's keyboard); empty takes it back. */
  | { readonly type: "compose"; readonly text: string }
  | { readonly type: "resize"; readonly width: number; readonly height: number }
  | { readonly type: "dialog"; readonly accept: boolean; readonly text?: string }
  | { readonly type: "back" }
  | { readonly type: "reload" }
  /** Shows another of the person's pages, or closes it. */
  | { readonly type: "tab"; readonly id: number; readonly action: "show" | "close" };
