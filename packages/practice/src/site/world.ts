import { createHash } from "node:crypto";
import { createFailureLimit, type FailureLimit } from "../auth/credentials.ts";
import { createExpiringTable, type ExpiringTable } from "../auth/table.ts";
import type { Answer } from "../http/reply.ts";
import type { PracticeUser } from "./person.ts";
import { type Random, randomToken } from "./random.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import { type Challenge, type FactorState, noFactors } from "./second-factor.ts";
import type { CommonFaults } from "./switches.ts";

// What every practice site is made of. A site adds its own data to the state, its own settings to the switches and its
// own counts to the counters; the machinery (sign-in, dispatch, faults, control) knows these members alone.

/** Where a browser session stands. A visitor who has not given a password has no row at all. */
export type Session =
  | { readonly stage: "second_factor"; readonly next: string; readonly challenge: Challenge }
  | { readonly stage: "signed_in" };

/** What happened at a site since it opened or was reset. */
export interface SiteCounters {
  /** POSTs that reached a commit endpoint, whatever became of them. */
  submits: number;
  /** Sign-ins completed with both factors, pages and API together. */
  signIns: number;
  /** Wrong passwords and wrong codes. */
  signInFailures: number;
  /** HTML pages answered with status 200. */
  pageViews: number;
  /** API requests of any outcome. */
  apiCalls: number;
  /** Requests whose `Authorization` carried anything the site did not issue (AUT-3, lessons U50). */
  foreignTokens: number;
  /** Requests in which a planted canary stood: URL, headers or body (AUT-4). */
  canaryHits: number;
}

export function zeroSiteCounters(): SiteCounters {
  return {
    submits: 0,
    signIns: 0,
    signInFailures: 0,
    pageViews: 0,
    apiCalls: 0,
    foreignTokens: 0,
    canaryHits: 0,
  };
}

export interface SiteState {
  readonly sessions: ExpiringTable<Session>;
  readonly failures: FailureLimit;
  readonly factors: FactorState;
  /** Answers kept by Idempotency-Key: the request's digest and the answer it got. */
  readonly replies: Map<string, { readonly requestDigest: string; readonly answer: Answer }>;
  readonly counters: SiteCounters;
}

export interface SiteOptions {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
  readonly user: PracticeUser;
}

export interface SiteWorld extends SiteOptions {
  /** Browsers send cookies to every port of a host, so each site's has a name of its own. */
  readonly cookie: string;
  readonly csrfKey: string;
  readonly faults: CommonFaults;
  readonly log: RequestLog;
  readonly canaries: Set<string>;
  /** Digests of every token ever issued: an expired or ended one is still this site's own. */
  readonly issuedTokens: Set<string>;
  readonly state: SiteState;
}

export function siteParts(options: SiteOptions) {
  return {
    csrfKey: randomToken(options.random),
    log: createRequestLog(),
    canaries: new Set<string>(),
    issuedTokens: new Set<string>(),
  };
}

export function siteState(): Pick<SiteState, "sessions" | "failures" | "factors" | "replies"> {
  return { sessions: createExpiringTable(), failures: createFailureLimit(), factors: noFactors(), replies: new Map() };
}

export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
