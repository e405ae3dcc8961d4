import { csrfToken, type Exchange, formOf, hasCsrf } from "../../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../../http/reply.ts";
import { DRAFT_MS } from "../../limits.ts";
import { type Html, html } from "../../site/html.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { randomToken } from "../../site/random.ts";
import { printedDay } from "../days.ts";
import {
  accountOf,
  OWN_REFERENCE_LENGTH_MAX,
  offerOf,
  payeeOf,
  send,
  TEXT_LENGTH_MAX,
  type WishProblem,
} from "../ledger.ts";
import type { Offer, Transfer, Wish } from "../model.ts";
import type { BankRoute } from "../route.ts";
import { ACCOUNTS, PAYEES } from "../seed.ts";
import type { BankWorld } from "../world.ts";
import { bankNotice, bankPage, staleBankForm } from "./layout.ts";
import { printedAmount, typedAmount } from "./money.ts";

const PROBLEMS: Readonly<Record<WishProblem, string>> = {
  invalid_request: "Please check the amount and the texts.",
  unknown_account: "Money cannot be sent from this account.",
  unknown_payee: "Please choose a payee.",
  currency_not_possible: "Payees in other currencies cannot be paid online.",
  date_not_possible: "A payment cannot be made on this day.",
  insufficient_funds: "There is not enough on this account.",
};

function formPage(world: BankWorld, exchange: Exchange, problem?: string): Answer {
  const main = html`<h1>Send money</h1>
${problem === undefined ? undefined : alert(problem)}
<form class="panel" method="post" action="/payments/new">${csrfField(csrfToken(world, exchange.sid))}
<label for="from">From</label>
<select id="from" name="from">${ACCOUNTS.filter((account) => account.kind !== "card").map(
    (account) => html`<option value="${account.id}">${account.name}, ${account.number}</option>`,
  )}</select>
<label for="payee">To</label>
<select id="payee" name="payee">${PAYEES.map(
    (payee) => html`<option value="${payee.id}">${payee.name}, ${payee.number}</option>`,
  )}</select>
<label>Amount in EUR<input name="amount" inputmode="decimal" autocomplete="off" required></label>
<label>Message to the payee<input name="text" maxlength="${TEXT_LENGTH_MAX}" autocomplete="off"></label>
<label>Your own reference<input name="own_reference" maxlength="${OWN_REFERENCE_LENGTH_MAX}" autocomplete="off"></label>
<label>On<input name="execute_on" type="date"></label>
<p class="note">Leave the date empty to pay now.</p>
<button class="primary">Continue</button></form>`;
  return bankPage(world, exchange, { title: "Send money", main, status: problem === undefined ? 200 : 422 });
}

function takeForm(world: BankWorld, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleBankForm(world, exchange);
  const form = formOf(exchange);
  const amountMinor = typedAmount(form.get("amount") ?? "");
  const executeOn = form.get("execute_on") ?? "";
  if (amountMinor === undefined) return formPage(world, exchange, PROBLEMS.invalid_request);
  const wish: Wish = {
    from: form.get("from") ?? "",
    payee: form.get("payee") ?? "",
    amountMinor,
    text: (form.get("text") ?? "").trim(),
    ownReference: (form.get("own_reference") ?? "").trim(),
    ...(executeOn === "" ? {} : { executeOn }),
  };
  const offer = offerOf(world, wish);
  if (typeof offer === "string") return formPage(world, exchange, PROBLEMS[offer]);
  const id = randomToken(world.random);
  world.state.drafts.put(id, wish, world.now() + DRAFT_MS);
  return redirect(303, `/payments/${id}/review`);
}

function facts(offer: Offer): readonly (readonly [string, string])[] {
  const from = accountOf(offer.from);
  const payee = payeeOf(offer.payee);
  return [
    ["From", `${from?.name}, ${from?.number}`],
    ["To", payee?.name ?? ""],
    ["Account of the payee", payee?.number ?? ""],
    ["The name, says their bank", payee?.nameCheck ?? ""],
    ["Amount", printedAmount(offer.amountMinor)],
    ["Fee", printedAmount(offer.feeMinor)],
    ["Total", printedAmount(offer.totalMinor)],
    ["Message to the payee", offer.text],
    ["Your own reference", offer.ownReference],
    ["Leaves on", printedDay(offer.executeOn)],
    ["Arrives", offer.speed],
  ];
}

function factsTable(caption: string, offer: Offer): Html {
  return html`<table class="facts"><caption>${caption}</caption><tbody>${facts(offer).map(
    ([term, text]) => html`
<tr><th scope="row">${term}</th><td>${text}</td></tr>`,
  )}
</tbody></table>`;
}

function lapsed(world: BankWorld, exchange: Exchange): Answer {
  return bankNotice(world, exchange, {
    status: 410,
    title: "This payment has lapsed",
    text: "It was not confirmed in time. Nothing was sent.",
    href: "/payments/new",
    link: "Begin again",
  });
}

function notSent(world: BankWorld, exchange: Exchange, text: string): Answer {
  return bankNotice(world, exchange, {
    status: 422,
    title: "Your payment was not sent",
    text,
    href: "/payments/new",
    link: "Begin again",
  });
}

/** The last screen; what sends is in a window of its own over it. */
function showReview(world: BankWorld, exchange: Exchange): Answer {
  const id = exchange.params["draft"] ?? "";
  const draft = world.state.drafts.get(id, world.now());
  if (draft === undefined) return lapsed(world, exchange);
  if (draft.sent !== undefined) return redirect(303, `/payments/${draft.sent}/sent`);
  const offer = offerOf(world, draft);
  if (typeof offer === "string") return notSent(world, exchange, PROBLEMS[offer]);
  const main = html`<h1>Check your payment</h1>
<div class="panel">${factsTable("Your payment", offer)}
<p><button class="primary" data-opens="confirm">Send money</button> <a href="/payments/new">Change</a></p></div>
<dialog id="confirm" aria-labelledby="confirm-title"><h2 id="confirm-title">Send ${printedAmount(offer.totalMinor)}?</h2>
<p>To ${payeeOf(offer.payee)?.name}. A payment that has left cannot be called back.</p>
<form method="post" action="/payments/${id}/confirm" data-once>${csrfField(csrfToken(world, exchange.sid))}
<button class="primary">Confirm and send</button> <button type="button" data-closes>Not now</button></form></dialog>`;
  return bankPage(world, exchange, { title: "Check your payment", main });
}

/** The commit. The form carries no amount: what leaves is what the bank says at this moment. */
function confirm(world: BankWorld, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleBankForm(world, exchange);
  const id = exchange.params["draft"] ?? "";
  const draft = world.state.drafts.get(id, world.now());
  if (draft === undefined) return lapsed(world, exchange);
  // A second pressing shows the first one's payment.
  if (draft.sent !== undefined) return redirect(303, `/payments/${draft.sent}/sent`);
  if (world.switches.take("refuse", { commit: "transfer" }))
    return notSent(world, exchange, "The bank's checks have stopped it. Please call us.");
  const offer = offerOf(world, draft);
  if (typeof offer === "string") return notSent(world, exchange, PROBLEMS[offer]);
  const transfer = send(world, offer, world.switches.take("chargeOver")?.deltaMinor);
  world.state.drafts.put(id, { ...draft, sent: transfer.number }, world.now() + DRAFT_MS);
  world.state.counters.transfers += 1;
  const answer = redirect(303, `/payments/${transfer.number}/sent`);
  return { kind: "committed", commit: "transfer", answer, landing: () => sentPage(world, exchange, transfer) };
}

function sentPage(world: BankWorld, exchange: Exchange, transfer: Transfer): Answer {
  const title = transfer.status === "scheduled" ? "Your payment is scheduled" : "Your payment is on its way";
  const main = html`<h1>${title}</h1><div class="panel">
<p>Reference <strong>${transfer.number}</strong></p>${factsTable(`Payment ${transfer.number}`, transfer)}
<p><a href="/payments">Your payments</a></p></div>`;
  return bankPage(world, exchange, { title, main });
}

function showSent(world: BankWorld, exchange: Exchange): Answer {
  const transfer = world.state.transfers.find(({ number }) => number === exchange.params["number"]);
  if (transfer !== undefined) return sentPage(world, exchange, transfer);
  return bankNotice(world, exchange, {
    status: 404,
    title: "No such payment",
    text: "You have no payment with this reference.",
    href: "/payments",
    link: "Your payments",
  });
}

function showPayments(world: BankWorld, exchange: Exchange): Answer {
  const rows = world.state.transfers.toReversed().map(
    (each) => html`
<tr><th scope="row"><a href="/payments/${each.number}/sent">${each.number}</a></th><td>${each.status === "scheduled" ? "Scheduled" : "Sent"}</td><td>${printedDay(each.executeOn)}</td><td>${payeeOf(each.payee)?.name}</td><td>${each.ownReference}</td><td class="num">${printedAmount(each.totalMinor)}</td></tr>`,
  );
  const main = html`<h1>Your payments</h1>
<div class="panel scroll"><table class="stack"><caption>Sent and scheduled</caption>
<thead><tr><th scope="col">Reference</th><th scope="col">State</th><th scope="col">Leaves on</th><th scope="col">To</th><th scope="col">Your own reference</th><th scope="col" class="num">Total</th></tr></thead>
<tbody>${rows}
</tbody></table></div>${rows.length === 0 ? html`<p>You have sent nothing yet.</p>` : undefined}`;
  return bankPage(world, exchange, { title: "Your payments", main });
}

export const paymentRoutes: readonly BankRoute[] = [
  { method: "GET", path: "/payments/new", access: "signed_in", handle: (world, exchange) => formPage(world, exchange) },
  { method: "POST", path: "/payments/new", access: "signed_in", handle: takeForm },
  { method: "GET", path: "/payments/:draft/review", access: "signed_in", handle: showReview },
  { method: "POST", path: "/payments/:draft/confirm", access: "signed_in", commit: "transfer", handle: confirm },
  { method: "GET", path: "/payments/:number/sent", access: "signed_in", readBack: "read_back", handle: showSent },
  { method: "GET", path: "/payments", access: "signed_in", readBack: "read_back", handle: showPayments },
];
