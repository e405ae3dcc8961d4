import type { Exchange, SiteRoute } from "../http/exchange.ts";
import type { Answer } from "../http/reply.ts";
import type { SiteWorld } from "./world.ts";

/** A page that is one heading, a sentence, and a way on. */
export interface Notice {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly link: string;
}

/** The refusals that the machinery itself gives at an API; each site answers them in its own form. */
export type CommonApiError =
  | "unauthenticated"
  | "temporarily_unavailable"
  | "not_found"
  | "method_not_allowed"
  | "too_large"
  | "invalid_request";

/** What one practice site is to the machinery that all of them share. */
export interface Site<W extends SiteWorld> {
  readonly routes: readonly SiteRoute<W>[];
  readonly signInPath: string;
  /** The way on from a page that does not exist. */
  readonly home: Pick<Notice, "href" | "link">;
  readonly apiSignedIn: (world: W, exchange: Exchange) => boolean;
  readonly refuseApi: (error: CommonApiError) => Answer;
  /** Somebody who is signed in has asked for something: for sites that sign out whoever is idle. */
  readonly touch?: (world: W, exchange: Exchange) => void;
  readonly signInPage: (world: W, exchange: Exchange) => Answer;
  readonly notice: (world: W, exchange: Exchange, notice: Notice) => Answer;
  /** Counts what arrived at a commit endpoint by its kind; the sum is counted already. */
  readonly countSubmit: (world: W, commit: string) => void;
}
