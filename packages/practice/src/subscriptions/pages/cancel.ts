import { csrfToken, type Exchange, formOf, hasCsrf } from "../../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../../http/reply.ts";
import { DRAFT_MS } from "../../limits.ts";
import { html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { randomToken } from "../../site/random.ts";
import { type ContractProblem, cancel, quoteCancellation, takeOffer } from "../contract.ts";
import { printedDay } from "../days.ts";
import type { Cancellation, CancellationQuote } from "../model.ts";
import type { LanternRoute } from "../route.ts";
import type { Intent, LanternWorld } from "../world.ts";
import { back, facts, lanternPage, lapsed, staleLanternForm } from "./layout.ts";

const WORD = "CANCEL";
const REASONS = ["It costs too much", "I watch too little", "Something did not work", "I would rather not say"];

const NOT_CANCELLED = "Your plan was not cancelled";

function notPossible(world: LanternWorld, exchange: Exchange, problem: ContractProblem): Answer {
  return problem === "already_ending"
    ? back(world, exchange, 409, "This is cancelled already", "It ends as you were told.")
    : back(world, exchange, 404, "No such subscription", "You have no subscription of this name.");
}

/** First of the steps: why? */
function showWhy(world: LanternWorld, exchange: Exchange): Answer {
  const id = exchange.params["subscription"] ?? "";
  const quote = quoteCancellation(world, id);
  if (typeof quote === "string") return notPossible(world, exchange, quote);
  const main = html`<p class="steps">Cancelling ${quote.plan}</p><h1>May we ask why?</h1>
<form method="post" action="/subscriptions/${id}/cancel">${csrfField(csrfToken(world, exchange.sid))}
<fieldset><legend>Choose one</legend>${REASONS.map(
    (reason, at) =>
      html`<label class="choice"><input type="radio" name="reason" value="${at}" required>${reason}</label>`,
  )}</fieldset>
<p class="ways"><a class="act glow" href="/subscriptions">Keep my plan</a><button>Continue</button></p></form>`;
  return lanternPage(world, exchange, { title: "May we ask why?", main, width: "slim" });
}

function takeWhy(world: LanternWorld, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleLanternForm(world, exchange);
  const subscription = exchange.params["subscription"] ?? "";
  const quote = quoteCancellation(world, subscription);
  if (typeof quote === "string") return notPossible(world, exchange, quote);
  const draft = randomToken(world.random);
  const expiresAtMs = world.now() + DRAFT_MS;
  world.state.intents.put(draft, { kind: "cancel", subscription, step: 0, expiresAtMs }, expiresAtMs);
  return redirect(303, stepPath(draft, 1, quote));
}

function stepPath(draft: string, step: number, quote: CancellationQuote): string {
  return step <= quote.offers.length ? `/leaving/${draft}/offers/${step}` : `/leaving/${draft}/confirm`;
}

/** What somebody is leaving, while it can be left. */
function leaving(
  world: LanternWorld,
  exchange: Exchange,
): { readonly draft: string; readonly intent: Intent; readonly quote: CancellationQuote } | Answer {
  const draft = exchange.params["draft"] ?? "";
  const intent = world.state.intents.get(draft, world.now());
  if (intent?.kind !== "cancel") return lapsed(world, exchange);
  if (intent.done !== undefined) return redirect(303, `/cancellations/${intent.done}`);
  const quote = quoteCancellation(world, intent.subscription);
  return typeof quote === "string" ? notPossible(world, exchange, quote) : { draft, intent, quote };
}

function showOffer(world: LanternWorld, exchange: Exchange): Answer {
  const seen = leaving(world, exchange);
  if ("kind" in seen) return seen;
  const { draft, quote } = seen;
  const step = Number(exchange.params["step"]);
  const offer = quote.offers[step - 1];
  if (offer === undefined) return redirect(303, `/leaving/${draft}/confirm`);
  const main = html`<p class="steps">Cancelling ${quote.plan}: offer ${step} of ${quote.offers.length}</p>
<section class="offer" aria-labelledby="offer"><h1 id="offer">${offer.title}</h1><p>${offer.text}</p>
<form method="post" action="/leaving/${draft}/offers/${step}/take">${csrfField(csrfToken(world, exchange.sid))}
<button class="glow">${offer.take}</button></form></section>
<p class="ways"><a href="${stepPath(draft, step + 1, quote)}">No thanks, continue to cancel</a></p>`;
  return lanternPage(world, exchange, { title: offer.title, main, width: "slim" });
}

/** Staying after all, with the offer. */
function take(world: LanternWorld, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleLanternForm(world, exchange);
  const seen = leaving(world, exchange);
  if ("kind" in seen) return seen;
  const offer = seen.quote.offers[Number(exchange.params["step"]) - 1];
  if (offer === undefined) return lapsed(world, exchange);
  takeOffer(world, seen.quote.subscription, offer.id);
  world.state.intents.delete(seen.draft);
  const answer = redirect(303, "/subscriptions");
  return { kind: "committed", commit: "stay", answer, landing: () => answer };
}

/** The last screen: what is lost, a box to tick and a word to type. */
function showConfirm(world: LanternWorld, exchange: Exchange, problem?: string): Answer {
  const seen = leaving(world, exchange);
  if ("kind" in seen) return seen;
  const { draft, quote } = seen;
  const main = html`<p class="steps">Last step</p><h1>Cancel your plan?</h1>
${problem === undefined ? undefined : alert(problem)}
<div class="facts">${facts([
    ["Your plan", quote.plan],
    ["Ends on", printedDay(quote.endsOn)],
    ["What you lose", quote.consequence],
  ])}</div>
<form method="post" action="/leaving/${draft}/confirm" autocomplete="off">${csrfField(csrfToken(world, exchange.sid))}
<label class="tick"><input type="checkbox" name="understood" value="yes">I understand what I lose</label>
<label>Type ${WORD} to confirm<input name="word" autocapitalize="characters" spellcheck="false"></label>
<p class="ways"><a class="act glow" href="/subscriptions">Keep my plan</a><button>Cancel my plan</button></p></form>`;
  const status = problem === undefined ? 200 : 422;
  return lanternPage(world, exchange, { title: "Cancel your plan?", main, status, width: "slim" });
}

/** The commit. */
function confirm(world: LanternWorld, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleLanternForm(world, exchange);
  const seen = leaving(world, exchange);
  if ("kind" in seen) return seen;
  const form = formOf(exchange);
  if (form.get("understood") !== "yes" || form.get("word")?.trim() !== WORD)
    return showConfirm(world, exchange, `Tick the box and type ${WORD}.`);
  if (world.switches.take("refuse", { commit: "cancel" }))
    return back(world, exchange, 422, NOT_CANCELLED, "We cannot do this at the moment. Please call us.");
  const { draft, intent, quote } = seen;
  const cancellation = cancel(world, quote, "");
  world.state.intents.put(draft, { ...intent, done: cancellation.number }, intent.expiresAtMs);
  world.state.counters.cancels += 1;
  const answer = redirect(303, `/cancellations/${cancellation.number}`);
  return { kind: "committed", commit: "cancel", answer, landing: () => donePage(world, exchange, cancellation) };
}

function donePage(world: LanternWorld, exchange: Exchange, cancellation: Cancellation): Answer {
  const { number, plan, endsOn } = cancellation;
  const main = html`<h1>Your plan is cancelled</h1>
<div class="facts">${facts([
    ["Cancellation", number],
    ["Plan", plan],
    ["Ends on", printedDay(endsOn)],
    ["Cancelled on", printedDay(new Date(cancellation.madeAtMs).toISOString().slice(0, 10))],
  ])}</div>
<p>Until then everything plays as before.</p>
<p class="ways"><a class="act" href="/subscriptions">Your subscriptions</a></p>`;
  return lanternPage(world, exchange, { title: "Your plan is cancelled", main, width: "slim" });
}

function showDone(world: LanternWorld, exchange: Exchange): Answer {
  const found = world.state.cancellations.find(({ number }) => number === exchange.params["number"]);
  return found === undefined
    ? back(world, exchange, 404, "No such cancellation", "There is none with this number.")
    : donePage(world, exchange, found);
}

export const cancelRoutes: readonly LanternRoute[] = [
  { method: "GET", path: "/subscriptions/:subscription/cancel", access: "signed_in", handle: showWhy },
  { method: "POST", path: "/subscriptions/:subscription/cancel", access: "signed_in", handle: takeWhy },
  { method: "GET", path: "/leaving/:draft/offers/:step", access: "signed_in", handle: showOffer },
  { method: "POST", path: "/leaving/:draft/offers/:step/take", access: "signed_in", commit: "stay", handle: take },
  {
    method: "GET",
    path: "/leaving/:draft/confirm",
    access: "signed_in",
    handle: (world, exchange) => showConfirm(world, exchange),
  },
  { method: "POST", path: "/leaving/:draft/confirm", access: "signed_in", commit: "cancel", handle: confirm },
  { method: "GET", path: "/cancellations/:number", access: "signed_in", readBack: "read_back", handle: showDone },
];
