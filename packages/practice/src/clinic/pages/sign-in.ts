import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, redirect } from "../../http/reply.ts";
import { IDLE_MS } from "../../limits.ts";
import { html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { type SignInState, signInRoutesOf, type VerifyState } from "../../site/sign-in.ts";
import type { ClinicRoute } from "../route.ts";
import { CLINIC_NAME, PATIENT_NUMBER } from "../seed.ts";
import type { ClinicWorld } from "../world.ts";
import { clinicPage, staleClinicForm } from "./layout.ts";

/** The sign-in page; also what the fault switches show in place of a confirmation. */
export function clinicSignInPage(world: ClinicWorld, exchange: Exchange, state: SignInState): Answer {
  const main = html`<section class="sheet small"><h1>Sign in to your patient account</h1>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="next" value="${state.next}">
<label>Patient number<input name="patient_number" inputmode="numeric" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required></label>
<button class="strong">Sign in</button>
</form>
<p class="hint">We sign you out when nothing is asked for a quarter of an hour.</p></section>`;
  return clinicPage(world, exchange, { title: "Sign in", main, status: state.status });
}

/** Waits for the phone: the person compares the number, taps it there, and the page goes on by itself. */
function phonePage(world: ClinicWorld, exchange: Exchange, state: VerifyState): Answer {
  const { challenge } = state;
  const main = html`<section class="sheet small"><h1>Confirm on your phone</h1>
<p>Open the question from ${CLINIC_NAME} on your phone and tap this number there:</p>
<p class="number"><strong>${challenge.kind === "push" ? challenge.number : ""}</strong></p>
${state.problem === undefined ? undefined : alert(state.problem)}
<form method="post" action="/sign-in/verify" data-waits="/sign-in/verify/state">
${csrfField(csrfToken(world, exchange.sid))}
<button class="strong">I have tapped it</button>
</form>
<p class="hint">This page goes on by itself. If you did not begin this, say so on your phone.</p></section>`;
  const { status, waitScript } = state;
  return clinicPage(world, exchange, { title: "Confirm on your phone", main, status, script: waitScript });
}

export const clinicSignInRoutes: readonly ClinicRoute[] = [
  ...signInRoutesOf<ClinicWorld>({
    path: "/sign-in",
    title: CLINIC_NAME,
    factor: "push",
    sessionMs: IDLE_MS,
    signOutPath: "/sign-out",
    loginField: "patient_number",
    login: () => PATIENT_NUMBER,
    wrong: "The patient number and password do not match.",
    signIn: clinicSignInPage,
    verify: phonePage,
    stale: staleClinicForm,
  }),
  {
    method: "GET",
    path: "/",
    access: "anyone",
    handle: (world, exchange) => redirect(302, isSignedIn(world, exchange) ? "/appointments" : "/sign-in"),
  },
];
