import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, redirect } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { type SignInState, signInRoutesOf } from "../../site/sign-in.ts";
import type { LanternRoute } from "../route.ts";
import { SERVICE_NAME } from "../seed.ts";
import type { LanternWorld } from "../world.ts";
import { lanternPage, staleLanternForm } from "./layout.ts";

/** The sign-in page; also what the fault switches show in place of a confirmation. */
export function lanternSignInPage(world: LanternWorld, exchange: Exchange, state: SignInState): Answer {
  const main = html`<h1>Good evening</h1>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="next" value="${state.next}">
<label>Email<input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="glow">Sign in</button>
</form>`;
  return lanternPage(world, exchange, { title: "Sign in", main, status: state.status, width: "slim" });
}

function codePage(world: LanternWorld, exchange: Exchange, state: Omit<SignInState, "next">): Answer {
  const main = html`<h1>One more thing</h1>
<p>Enter the six digits that your authenticator app shows for ${SERVICE_NAME}.</p>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in/verify">
${csrfField(csrfToken(world, exchange.sid))}
<label>Code<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus></label>
<button class="glow">Go on</button>
</form>`;
  return lanternPage(world, exchange, { title: "One more thing", main, status: state.status, width: "slim" });
}

export const lanternSignInRoutes: readonly LanternRoute[] = [
  ...signInRoutesOf<LanternWorld>({
    path: "/sign-in",
    title: SERVICE_NAME,
    factor: "totp",
    signOutPath: "/sign-out",
    loginField: "email",
    login: (world) => world.user.email,
    wrong: "We do not know this email and password.",
    signIn: lanternSignInPage,
    verify: codePage,
    stale: staleLanternForm,
  }),
  {
    method: "GET",
    path: "/",
    access: "anyone",
    handle: (world, exchange) => redirect(302, isSignedIn(world, exchange) ? "/subscriptions" : "/sign-in"),
  },
];
