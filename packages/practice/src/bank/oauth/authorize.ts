import { csrfToken, type Exchange, formOf, hasCsrf, isSignedIn } from "../../http/exchange.ts";
import { type Answer, pagePolicy, redirect } from "../../http/reply.ts";
import { AUTHORIZATION_CODE_MS } from "../../limits.ts";
import { html } from "../../site/html.ts";
import { csrfField } from "../../site/parts.ts";
import { randomToken } from "../../site/random.ts";
import { bankNotice, bankPage, staleBankForm } from "../pages/layout.ts";
import type { BankRoute } from "../route.ts";
import type { AuthorizationCode, BankWorld } from "../world.ts";
import { CLIENT_ID, isRedirectUri, readScope, SCOPES } from "./client.ts";
import { tokenEndpoint } from "./token.ts";

interface Asked extends AuthorizationCode {
  readonly state: string;
}

/** What a program asks for. What cannot be sent back to it safely is undefined: the person hears of it instead. */
function readAsked(params: URLSearchParams): Asked | undefined {
  const redirectUri = params.get("redirect_uri") ?? "";
  const scope = readScope(params.get("scope") ?? "");
  const challenge = params.get("code_challenge") ?? "";
  if (params.get("client_id") !== CLIENT_ID || !isRedirectUri(redirectUri)) return undefined;
  if (params.get("response_type") !== "code" || params.get("code_challenge_method") !== "S256") return undefined;
  if (scope === undefined || !/^[\w-]{43}$/.test(challenge)) return undefined;
  return { clientId: CLIENT_ID, redirectUri, scope, challenge, state: params.get("state") ?? "" };
}

function unreadable(world: BankWorld, exchange: Exchange): Answer {
  return bankNotice(world, exchange, {
    status: 400,
    title: "This request cannot be answered",
    text: "A program has sent you here with a request that the bank does not understand. Nothing was allowed.",
    href: "/accounts",
    link: "Your accounts",
  });
}

function ask(world: BankWorld, exchange: Exchange): Answer {
  const asked = readAsked(exchange.url.searchParams);
  if (asked === undefined) return unreadable(world, exchange);
  if (!isSignedIn(world, exchange)) {
    const back = `${exchange.url.pathname}${exchange.url.search}`;
    return redirect(302, `/login?next=${encodeURIComponent(back)}`);
  }
  const hidden = [...exchange.url.searchParams].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const main = html`<section class="panel narrow"><h1>Let a program in?</h1>
<p><strong>Countersign</strong> at ${new URL(asked.redirectUri).host} asks to:</p>
<ul>${asked.scope.split(" ").map((scope) => html`<li>${SCOPES[scope]}</li>`)}</ul>
<p class="note">It never learns your password. You can end this at any time under Security.</p>
<form method="post" action="/oauth/authorize">${csrfField(csrfToken(world, exchange.sid))}${hidden}
<button name="answer" value="allow" class="primary">Allow</button>
<button name="answer" value="deny">Do not allow</button>
</form></section>`;
  const answer = bankPage(world, exchange, { title: "Let a program in?", main });
  // Chromium takes the redirect after a form for a part of the form: the validated place must be named (lessons U37).
  const policy = pagePolicy(["'self'", new URL(asked.redirectUri).origin]);
  return { ...answer, headers: { ...answer.headers, "content-security-policy": policy } };
}

function decide(world: BankWorld, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleBankForm(world, exchange);
  const form = formOf(exchange);
  const asked = readAsked(form);
  if (asked === undefined) return unreadable(world, exchange);
  const back = new URL(asked.redirectUri);
  back.searchParams.set("state", asked.state);
  back.searchParams.set("iss", issuerOf(exchange));
  if (form.get("answer") !== "allow") {
    back.searchParams.set("error", "access_denied");
    return redirect(303, back.href);
  }
  const code = randomToken(world.random);
  world.state.codes.put(code, asked, world.now() + AUTHORIZATION_CODE_MS);
  world.state.counters.authorizations += 1;
  back.searchParams.set("code", code);
  return redirect(303, back.href);
}

function issuerOf(exchange: Exchange): string {
  return `http://${exchange.headers.host ?? "127.0.0.1"}`;
}

export const oauthRoutes: readonly BankRoute[] = [
  { method: "GET", path: "/oauth/authorize", access: "anyone", handle: ask },
  { method: "POST", path: "/oauth/authorize", access: "signed_in", handle: decide },
  { method: "POST", path: "/oauth/token", access: "anyone", handle: tokenEndpoint },
];
