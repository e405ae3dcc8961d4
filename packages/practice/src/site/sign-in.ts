import { isTotp, sameText } from "../auth/credentials.ts";
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
import { type Answer, redirect } from "../http/reply.ts";
import { SECOND_FACTOR_MS, SESSION_MS } from "../limits.ts";
import type { SiteWorld } from "./world.ts";

export interface SignInState {
  readonly status: number;
  readonly problem?: string;
  readonly next: string;
}

/** The pages of a site's sign-in; the way through them (password, then the code of an authenticator) is one for all sites. */
export interface SignInPages<W extends SiteWorld> {
  /** `path` shows and takes the name and password, `path/verify` the code. */
  readonly path: string;
  readonly signOutPath: string;
  /** The form's field with the name, and what it has to be. */
  readonly loginField: string;
  readonly login: (world: W) => string;
  /** Said of a wrong name or password. */
  readonly wrong: string;
  readonly signIn: (world: W, exchange: Exchange, state: SignInState) => Answer;
  readonly verify: (world: W, exchange: Exchange, state: Omit<SignInState, "next">) => Answer;
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

function withHeaders(answer: Answer, headers: Record<string, string>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function signInRoutesOf<W extends SiteWorld>(pages: SignInPages<W>): readonly SiteRoute<W>[] {
  const { path } = pages;
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
    const sid = renewSession(world, exchange, { stage: "second_factor", next }, SECOND_FACTOR_MS);
    return redirect(303, `${path}/verify`, { "set-cookie": sessionCookie(world, sid) });
  };
  const showVerify = (world: W, exchange: Exchange): Answer => {
    const session = sessionOf(world, exchange);
    if (session?.stage === "signed_in") return redirect(302, "/");
    return session === undefined ? redirect(302, path) : pages.verify(world, exchange, { status: 200 });
  };
  const takeCode = (world: W, exchange: Exchange): Answer => {
    const session = sessionOf(world, exchange);
    if (session?.stage !== "second_factor") return redirect(302, path);
    if (!hasCsrf(world, exchange)) return pages.stale(world, exchange);
    const { failures, counters } = world.state;
    const retryAfterS = failures.retryAfterS(world.now());
    if (retryAfterS !== undefined) {
      const { problem, headers } = tooMany(retryAfterS);
      return withHeaders(pages.verify(world, exchange, { status: 429, problem }), headers);
    }
    if (!isTotp(world.user, (formOf(exchange).get("code") ?? "").trim(), world.now())) {
      failures.fail(world.now());
      counters.signInFailures += 1;
      return pages.verify(world, exchange, {
        status: 401,
        problem: "That code is not right. Enter the one shown now.",
      });
    }
    failures.clear();
    counters.signIns += 1;
    const sid = renewSession(world, exchange, { stage: "signed_in" }, SESSION_MS);
    return redirect(303, session.next, { "set-cookie": sessionCookie(world, sid) });
  };
  const signOut = (world: W, exchange: Exchange): Answer => {
    if (!hasCsrf(world, exchange)) return pages.stale(world, exchange);
    world.state.sessions.delete(exchange.sid);
    return redirect(303, "/", { "set-cookie": endedCookie(world) });
  };
  return [
    { method: "GET", path, access: "anyone", handle: showSignIn },
    { method: "POST", path, access: "anyone", handle: takePassword },
    { method: "GET", path: `${path}/verify`, access: "anyone", handle: showVerify },
    { method: "POST", path: `${path}/verify`, access: "anyone", handle: takeCode },
    { method: "POST", path: pages.signOutPath, access: "anyone", handle: signOut },
  ];
}
