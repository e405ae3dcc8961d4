import { sameText } from "../auth/credentials.ts";
import {
  type Exchange,
  endedCookie,
  formOf,
  hasCsrf,
  isSignedIn,
  renewSession,
  type SiteRoute,
  safeNext,
  sessionCookie,
  sessionOf,
} from "../http/exchange.ts";
import { type Answer, asset, json, redirect } from "../http/reply.ts";
import { SESSION_MS } from "../limits.ts";
import { type Challenge, type FactorKind, openChallenge, type Proof, prove, pushStands } from "./second-factor.ts";
import type { SiteWorld } from "./world.ts";

export interface SignInState {
  readonly status: number;
  readonly problem?: string;
  readonly next: string;
}

/** What the second page shows. A page that waits for the phone shows `challenge.number` and loads `waitScript`. */
export interface VerifyState extends Omit<SignInState, "next"> {
  readonly challenge: Challenge;
  readonly waitScript: string;
}

/** The pages of a site's sign-in; the way through them (password, then the second factor) is one for all sites. */
export interface SignInPages<W extends SiteWorld> {
  /**
   * `path` shows and takes the name and password, `path/verify` the code, or waits for the phone: its form is posted
   * when the person has answered, by them or by the script at `path/wait.js`.
   */
  readonly path: string;
  /** As the mail names the site. */
  readonly title: string;
  readonly factor: FactorKind;
  /** Life of a session from its sign-in; a day when absent. */
  readonly sessionMs?: number;
  readonly signOutPath: string;
  /** The form's field with the name, and what it has to be. */
  readonly loginField: string;
  readonly login: (world: W) => string;
  /** Said of a wrong name or password. */
  readonly wrong: string;
  readonly signIn: (world: W, exchange: Exchange, state: SignInState) => Answer;
  readonly verify: (world: W, exchange: Exchange, state: VerifyState) => Answer;
  /** What a form from an older session or another site gets. */
  readonly stale: (world: W, exchange: Exchange) => Answer;
}

/** Does this pair belong to the practice person? Names are compared without case. */
export function isPerson(login: string, given: string, user: SiteWorld["user"], password: string): boolean {
  const nameMatches = sameText(given.trim().toLowerCase(), login.toLowerCase());
  return sameText(password, user.password) && nameMatches;
}

function tooMany(retryAfterS: number): { readonly problem: string; readonly headers: Record<string, string> } {
  const minutes = Math.ceil(retryAfterS / 60);
  return {
    problem: `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    headers: { "retry-after": String(retryAfterS) },
  };
}

const NOT_ANSWERED = "The question on your phone has not been answered yet.";

function wrongCode(challenge: Challenge): string {
  return challenge.kind === "email_code"
    ? "That code is not right. Enter the one of the newest mail."
    : "That code is not right. Enter the one shown now.";
}

function withHeaders(answer: Answer, headers: Record<string, string>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** Said on the first page again when a challenge has come to nothing. */
const ENDED: Readonly<Record<Exclude<Proof, "proved" | "wrong" | "waiting">, string>> = {
  refused: "The sign-in was refused on your phone. Nothing was opened.",
  used_up: "The code was wrong too often. Sign in again to get another one.",
  lapsed: "That took too long. Sign in again.",
};

/**
 * The page that waits for the phone: asks now and then how it stands, and sends its form once it is answered or over.
 * The page works without it, by its button.
 */
const WAIT_SCRIPT = `"use strict";
const form = document.querySelector("form[data-waits]");
const ask = async () => {
  const answer = await fetch(form.dataset.waits, { headers: { accept: "application/json" } }).catch(() => undefined);
  const stands = answer !== undefined && answer.ok && !answer.redirected ? await answer.json().catch(() => ({})) : {};
  if (stands.state === "answered" || stands.state === "lapsed") form.submit();
  else setTimeout(ask, 1000);
};
if (form) setTimeout(ask, 1000);
`;

export function signInRoutesOf<W extends SiteWorld>(pages: SignInPages<W>): readonly SiteRoute<W>[] {
  const { path } = pages;
  const verify = (world: W, exchange: Exchange, challenge: Challenge, state: Omit<SignInState, "next">): Answer =>
    pages.verify(world, exchange, { ...state, challenge, waitScript: `${path}/wait.js` });
  const showSignIn = (world: W, exchange: Exchange): Answer => {
    const next = safeNext(exchange.url.searchParams.get("next"));
    return isSignedIn(world, exchange) ? redirect(302, next) : pages.signIn(world, exchange, { status: 200, next });
  };
  const takePassword = (world: W, exchange: Exchange): Answer => {
    if (!hasCsrf(world, exchange)) return pages.stale(world, exchange);
    const form = formOf(exchange);
    const next = safeNext(form.get("next"));
    const { failures, counters } = world.state;
    const retryAfterS = failures.retryAfterS(world.now());
    if (retryAfterS !== undefined) {
      const { problem, headers } = tooMany(retryAfterS);
      return withHeaders(pages.signIn(world, exchange, { status: 429, problem, next }), headers);
    }
    if (!isPerson(pages.login(world), form.get(pages.loginField) ?? "", world.user, form.get("password") ?? "")) {
      failures.fail(world.now());
      counters.signInFailures += 1;
      return pages.signIn(world, exchange, { status: 401, problem: pages.wrong, next });
    }
    const challenge = openChallenge(world, pages.factor, pages.title);
    const lifeMs = challenge.expiresAtMs - world.now();
    const sid = renewSession(world, exchange, { stage: "second_factor", next, challenge }, lifeMs);
    return redirect(303, `${path}/verify`, { "set-cookie": sessionCookie(world, sid) });
  };
  const showVerify = (world: W, exchange: Exchange): Answer => {
    const session = sessionOf(world, exchange);
    if (session?.stage === "signed_in") return redirect(302, "/");
    return session === undefined ? redirect(302, path) : verify(world, exchange, session.challenge, { status: 200 });
  };
  const takeCode = (world: W, exchange: Exchange): Answer => {
    const session = sessionOf(world, exchange);
    if (session?.stage !== "second_factor") return redirect(302, path);
    if (!hasCsrf(world, exchange)) return pages.stale(world, exchange);
    const { failures, counters } = world.state;
    const retryAfterS = failures.retryAfterS(world.now());
    if (retryAfterS !== undefined) {
      const { problem, headers } = tooMany(retryAfterS);
      return withHeaders(verify(world, exchange, session.challenge, { status: 429, problem }), headers);
    }
    const { challenge } = session;
    const proof = prove(world, challenge, (formOf(exchange).get("code") ?? "").trim());
    if (proof === "wrong" || proof === "used_up" || proof === "refused") {
      failures.fail(world.now());
      counters.signInFailures += 1;
    }
    if (proof === "wrong") return verify(world, exchange, challenge, { status: 401, problem: wrongCode(challenge) });
    if (proof === "waiting") return verify(world, exchange, challenge, { status: 200, problem: NOT_ANSWERED });
    if (proof !== "proved") {
      world.state.sessions.delete(exchange.sid);
      return pages.signIn(world, exchange, { status: 401, problem: ENDED[proof], next: session.next });
    }
    failures.clear();
    counters.signIns += 1;
    const sid = renewSession(world, exchange, { stage: "signed_in" }, pages.sessionMs ?? SESSION_MS);
    return redirect(303, session.next, { "set-cookie": sessionCookie(world, sid) });
  };
  const signOut = (world: W, exchange: Exchange): Answer => {
    if (!hasCsrf(world, exchange)) return pages.stale(world, exchange);
    world.state.sessions.delete(exchange.sid);
    return redirect(303, "/", { "set-cookie": endedCookie(world) });
  };
  const showState = (world: W, exchange: Exchange): Answer => {
    const session = sessionOf(world, exchange);
    if (session?.stage !== "second_factor") return json(200, { state: "lapsed" });
    return json(200, { state: pushStands(world, session.challenge) });
  };
  const waits: readonly SiteRoute<W>[] = [
    { method: "GET", path: `${path}/verify/state`, access: "anyone", handle: showState },
    {
      method: "GET",
      path: `${path}/wait.js`,
      access: "anyone",
      handle: () => asset("text/javascript; charset=utf-8", WAIT_SCRIPT),
    },
  ];
  return [
    ...(pages.factor === "push" ? waits : []),
    { method: "GET", path, access: "anyone", handle: showSignIn },
    { method: "POST", path, access: "anyone", handle: takePassword },
    { method: "GET", path: `${path}/verify`, access: "anyone", handle: showVerify },
    { method: "POST", path: `${path}/verify`, access: "anyone", handle: takeCode },
    { method: "POST", path: pages.signOutPath, access: "anyone", handle: signOut },
  ];
}
