import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, redirect } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { type SignInState, signInRoutesOf, type VerifyState } from "../../site/sign-in.ts";
import type { InsurerRoute } from "../route.ts";
import { INSURER_NAME } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";
import { insurerPage, staleInsurerForm } from "./layout.ts";

/** The sign-in page; also what the fault switches show in place of a confirmation. */
export function signInPage(world: InsurerWorld, exchange: Exchange, state: SignInState): Answer {
  const main = html`<section class="card slim"><h1>Sign in</h1>
<p class="soft">See your cover, and make a claim at any hour.</p>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="next" value="${state.next}">
<label>Email address<input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button>
</form></section>`;
  return insurerPage(world, exchange, { title: "Sign in", main, status: state.status });
}

function codePage(world: InsurerWorld, exchange: Exchange, state: VerifyState): Answer {
  const main = html`<section class="card slim"><h1>One more step</h1>
<p>Open your authenticator app and type the six digits that it shows for Fairhaven.</p>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in/verify">
${csrfField(csrfToken(world, exchange.sid))}
<label>Code<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus></label>
<button class="main">Continue</button>
</form></section>`;
  return insurerPage(world, exchange, { title: "One more step", main, status: state.status });
}

export const signInRoutes: readonly InsurerRoute[] = [
  ...signInRoutesOf<InsurerWorld>({
    path: "/sign-in",
    title: INSURER_NAME,
    factor: "totp",
    signOutPath: "/sign-out",
    loginField: "email",
    login: (world) => world.user.email,
    wrong: "We do not know this email address and password.",
    signIn: signInPage,
    verify: codePage,
    stale: staleInsurerForm,
  }),
  {
    method: "GET",
    path: "/",
    access: "anyone",
    handle: (world, exchange) => redirect(302, isSignedIn(world, exchange) ? "/cover" : "/sign-in"),
  },
];
