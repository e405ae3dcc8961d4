import { csrfToken, type Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { type SignInState, signInRoutesOf, type VerifyState } from "../../site/sign-in.ts";
import type { UtilityRoute } from "../route.ts";
import { UTILITY_NAME } from "../seed.ts";
import type { UtilityWorld } from "../world.ts";
import { staleUtilityForm, utilityPage } from "./layout.ts";

/** The sign-in page; also what the fault switches show in place of an answer. */
export function utilitySignIn(world: UtilityWorld, exchange: Exchange, state: SignInState): Answer {
  const main = html`<section class="card narrow"><h1>Sign in to Northlight</h1>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="next" value="${state.next}">
<label>E-mail<input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button>
</form></section>`;
  return utilityPage(world, exchange, { title: "Sign in", main, status: state.status });
}

function codePage(world: UtilityWorld, exchange: Exchange, state: VerifyState): Answer {
  const { challenge } = state;
  const sentTo = challenge.kind === "email_code" ? challenge.sentTo : "your e-mail address";
  const main = html`<section class="card narrow"><h1>Check your e-mail</h1>
<p>We have sent a code of six digits to ${sentTo}. It works for ten minutes.</p>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in/verify">
${csrfField(csrfToken(world, exchange.sid))}
<label>Code from the e-mail<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus></label>
<button class="main">Continue</button>
</form></section>`;
  return utilityPage(world, exchange, { title: "Check your e-mail", main, status: state.status });
}

export const utilitySignInRoutes: readonly UtilityRoute[] = signInRoutesOf<UtilityWorld>({
  path: "/sign-in",
  title: UTILITY_NAME,
  factor: "email_code",
  signOutPath: "/sign-out",
  loginField: "email",
  login: (world) => world.user.email,
  wrong: "The e-mail address and password do not match.",
  signIn: utilitySignIn,
  verify: codePage,
  stale: staleUtilityForm,
});
