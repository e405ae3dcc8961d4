import { csrfToken, type Exchange } from "../http/exchange.ts";
import type { Answer } from "../http/reply.ts";
import type { Route } from "../shop/route.ts";
import { SHOP_NAME } from "../shop/seed.ts";
import type { World } from "../shop/world.ts";
import { type Html, html } from "../site/html.ts";
import { alert, csrfField } from "../site/parts.ts";
import { isPerson, type SignInState, signInRoutesOf } from "../site/sign-in.ts";
import { shopPage, staleForm } from "./layout.ts";

/** The sign-in page; also what the fault switches show in place of a confirmation. */
export function signInPage(world: World, exchange: Exchange, state: SignInState): Answer {
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

function verifyPage(world: World, exchange: Exchange, state: Omit<SignInState, "next">): Answer {
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

/** Does this pair belong to the practice person? */
export function isPassword(world: World, email: string, password: string): boolean {
  return isPerson(world.user.email, email, world.user, password);
}

export const signInRoutes: readonly Route[] = signInRoutesOf<World>({
  path: "/sign-in",
  title: SHOP_NAME,
  factor: "totp",
  signOutPath: "/sign-out",
  loginField: "email",
  login: (world) => world.user.email,
  wrong: "That email and password do not match.",
  signIn: signInPage,
  verify: verifyPage,
  stale: staleForm,
});
