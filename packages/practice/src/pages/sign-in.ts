import { isTotp, sameText } from "../auth/credentials.ts";
import {
  csrfToken,
  ENDED_COOKIE,
  type Exchange,
  formOf,
  hasCsrf,
  isSignedIn,
  type Route,
  renewSession,
  safeNext,
  sessionCookie,
  sessionOf,
} from "../http/exchange.ts";
import { type Answer, redirect } from "../http/reply.ts";
import { SECOND_FACTOR_MS, SESSION_MS } from "../limits.ts";
import type { World } from "../shop/world.ts";
import { type Html, html } from "./html.ts";
import { shopPage, staleForm } from "./layout.ts";
import { alert, csrfField } from "./parts.ts";

interface FormState {
  readonly status: number;
  readonly problem?: string;
  readonly next: string;
}

/** The sign-in page; also what the fault switches show in place of a confirmation. */
export function signInPage(world: World, exchange: Exchange, state: FormState): Answer {
  const main = html`<div class="card narrow"><h1>Sign in</h1>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="next" value="${state.next}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button class="main">Sign in</button>
</form></div>`;
  return shopPage(world, exchange, { title: "Sign in", main, status: state.status });
}

function verifyPage(world: World, exchange: Exchange, state: Omit<FormState, "next">): Answer {
  const problem: Html | undefined = state.problem === undefined ? undefined : alert(state.problem);
  const main = html`<div class="card narrow"><h1>Enter your code</h1>
<p>Open your authenticator app and enter the six digits it shows for this shop.</p>
${problem}
<form method="post" action="/sign-in/verify">
${csrfField(csrfToken(world, exchange.sid))}
<label for="code">One-time code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus>
<button class="main">Verify</button>
</form></div>`;
  return shopPage(world, exchange, { title: "Enter your code", main, status: state.status });
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

function showSignIn(world: World, exchange: Exchange): Answer {
  const next = safeNext(exchange.url.searchParams.get("next"));
  return isSignedIn(world, exchange) ? redirect(302, next) : signInPage(world, exchange, { status: 200, next });
}

function takePassword(world: World, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const form = formOf(exchange);
  const next = safeNext(form.get("next"));
  const { failures, counters } = world.state;
  const retryAfterS = failures.retryAfterS(world.now());
  if (retryAfterS !== undefined) {
    const { problem, headers } = tooMany(retryAfterS);
    return withHeaders(signInPage(world, exchange, { status: 429, problem, next }), headers);
  }
  if (!isPassword(world, form.get("email") ?? "", form.get("password") ?? "")) {
    failures.fail(world.now());
    counters.signInFailures += 1;
    return signInPage(world, exchange, { status: 401, problem: "That email and password do not match.", next });
  }
  const sid = renewSession(world, exchange, { stage: "second_factor", next }, SECOND_FACTOR_MS);
  return redirect(303, "/sign-in/verify", { "set-cookie": sessionCookie(sid) });
}

/** Does this pair belong to the practice person? E-mail addresses are compared without case. */
export function isPassword(world: World, email: string, password: string): boolean {
  const emailMatches = sameText(email.trim().toLowerCase(), world.user.email.toLowerCase());
  return sameText(password, world.user.password) && emailMatches;
}

function showVerify(world: World, exchange: Exchange): Answer {
  const session = sessionOf(world, exchange);
  if (session?.stage === "signed_in") return redirect(302, "/");
  return session === undefined ? redirect(302, "/sign-in") : verifyPage(world, exchange, { status: 200 });
}

function takeCode(world: World, exchange: Exchange): Answer {
  const session = sessionOf(world, exchange);
  if (session?.stage !== "second_factor") return redirect(302, "/sign-in");
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const { failures, counters } = world.state;
  const retryAfterS = failures.retryAfterS(world.now());
  if (retryAfterS !== undefined) {
    const { problem, headers } = tooMany(retryAfterS);
    return withHeaders(verifyPage(world, exchange, { status: 429, problem }), headers);
  }
  if (!isTotp(world.user, (formOf(exchange).get("code") ?? "").trim(), world.now())) {
    failures.fail(world.now());
    counters.signInFailures += 1;
    return verifyPage(world, exchange, { status: 401, problem: "That code is not right. Enter the one shown now." });
  }
  failures.clear();
  counters.signIns += 1;
  const sid = renewSession(world, exchange, { stage: "signed_in" }, SESSION_MS);
  return redirect(303, session.next, { "set-cookie": sessionCookie(sid) });
}

function signOut(world: World, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  world.state.sessions.delete(exchange.sid);
  return redirect(303, "/", { "set-cookie": ENDED_COOKIE });
}

export const signInRoutes: readonly Route[] = [
  { method: "GET", path: "/sign-in", access: "anyone", handle: showSignIn },
  { method: "POST", path: "/sign-in", access: "anyone", handle: takePassword },
  { method: "GET", path: "/sign-in/verify", access: "anyone", handle: showVerify },
  { method: "POST", path: "/sign-in/verify", access: "anyone", handle: takeCode },
  { method: "POST", path: "/sign-out", access: "anyone", handle: signOut },
];
