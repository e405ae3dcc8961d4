import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, redirect } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { type SignInState, signInRoutesOf } from "../../site/sign-in.ts";
import type { BankRoute } from "../route.ts";
import { BANK_NAME, CUSTOMER_NUMBER } from "../seed.ts";
import type { BankWorld } from "../world.ts";
import { bankPage, staleBankForm } from "./layout.ts";

/** The log-in page; also what the fault switches show in place of a confirmation. */
export function loginPage(world: BankWorld, exchange: Exchange, state: SignInState): Answer {
  const main = html`<section class="panel narrow"><h1>Log in to online banking</h1>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/login">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="next" value="${state.next}">
<label>Customer number<input name="customer_number" inputmode="numeric" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="primary">Log in</button>
</form></section>`;
  return bankPage(world, exchange, { title: "Log in", main, status: state.status });
}

function codePage(world: BankWorld, exchange: Exchange, state: Omit<SignInState, "next">): Answer {
  const main = html`<section class="panel narrow"><h1>Confirm that it is you</h1>
<p>Enter the six digits that your authenticator app shows for Quayside Bank.</p>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/login/verify">
${csrfField(csrfToken(world, exchange.sid))}
<label>Security code<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus></label>
<button class="primary">Continue</button>
</form></section>`;
  return bankPage(world, exchange, { title: "Confirm that it is you", main, status: state.status });
}

export const loginRoutes: readonly BankRoute[] = [
  ...signInRoutesOf<BankWorld>({
    path: "/login",
    title: BANK_NAME,
    factor: "totp",
    signOutPath: "/logout",
    loginField: "customer_number",
    login: () => CUSTOMER_NUMBER,
    wrong: "The customer number and password do not match.",
    signIn: loginPage,
    verify: codePage,
    stale: staleBankForm,
  }),
  {
    method: "GET",
    path: "/",
    access: "anyone",
    handle: (world, exchange) => redirect(302, isSignedIn(world, exchange) ? "/accounts" : "/login"),
  },
];
