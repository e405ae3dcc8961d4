import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { dayOf, isDay, printedDay } from "../days.ts";
import { accountOf, balanceOf, rowsOf } from "../ledger.ts";
import type { Account } from "../model.ts";
import type { BankRoute } from "../route.ts";
import { ACCOUNTS, CUSTOMER_NUMBER, PAYEES, rewardsAt } from "../seed.ts";
import type { BankWorld } from "../world.ts";
import { bankNotice, bankPage } from "./layout.ts";
import { printedAmount } from "./money.ts";

/** Rows of one page of transactions; "Older" leads to the next. */
const PAGE_ROWS = 25;

const KINDS = { current: "Current account", savings: "Savings account", card: "Credit card" } as const;

function accountRow(world: BankWorld, account: Account): Html {
  const { bookedMinor, availableMinor } = balanceOf(world, account);
  return html`
<tr><th scope="row"><a href="/accounts/${account.id}">${account.name}</a></th><td>${KINDS[account.kind]}</td><td>${account.number}</td><td class="num">${printedAmount(bookedMinor)}</td><td class="num">${printedAmount(availableMinor)}</td></tr>`;
}

function showAccounts(world: BankWorld, exchange: Exchange): Answer {
  const main = html`<h1>Your accounts</h1>
<p class="note">${world.user.name}, customer ${CUSTOMER_NUMBER}</p>
<div class="panel scroll"><table class="stack"><caption>Accounts and cards</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Number</th><th scope="col" class="num">Balance</th><th scope="col" class="num">Available</th></tr></thead>
<tbody>${ACCOUNTS.map((account) => accountRow(world, account))}
</tbody></table></div>
<p><a class="act" href="/payments/new">Send money</a></p>`;
  return bankPage(world, exchange, { title: "Your accounts", main });
}

function showTransactions(world: BankWorld, exchange: Exchange): Answer {
  const account = accountOf(exchange.params["account"] ?? "");
  if (account === undefined) {
    return bankNotice(world, exchange, {
      status: 404,
      title: "No such account",
      text: "You have no account at this address.",
      href: "/accounts",
      link: "Your accounts",
    });
  }
  const { searchParams } = exchange.url;
  const day = (name: string) => {
    const text = searchParams.get(name) ?? "";
    return isDay(text) ? text : undefined;
  };
  const [from, to] = [day("from"), day("to")];
  const rows = rowsOf(world, account).filter(
    (row) => (from === undefined || row.valueOn >= from) && (to === undefined || row.valueOn <= to),
  );
  const page = Math.max(1, Number.parseInt(searchParams.get("page") ?? "1", 10) || 1);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const shown = rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  const link = (to_: number) => {
    const params = new URLSearchParams(searchParams);
    params.set("page", String(to_));
    return `/accounts/${account.id}?${params}`;
  };
  const main = html`<h1>${account.name}</h1>
<p class="note">${KINDS[account.kind]} ${account.number}</p>
<form class="panel filter" method="get" action="/accounts/${account.id}">
<label>From<input type="date" name="from" value="${from ?? ""}"></label>
<label>To<input type="date" name="to" value="${to ?? ""}"></label>
<button>Show</button></form>
<div class="panel scroll"><table class="stack"><caption>Transactions</caption>
<thead><tr><th scope="col">Date</th><th scope="col">Who</th><th scope="col">Details</th><th scope="col" class="num">Amount</th><th scope="col" class="num">Balance</th><th scope="col">Reference</th></tr></thead>
<tbody>${shown.map(
    (row) => html`
<tr><td>${row.pending ? "Pending" : printedDay(row.bookedOn)}</td><td>${row.counterparty}</td><td>${row.text}</td><td class="num">${printedAmount(row.amountMinor)}</td><td class="num">${row.balanceMinor === undefined ? "" : printedAmount(row.balanceMinor)}</td><td>${row.id}</td></tr>`,
  )}
</tbody></table></div>
<nav class="pages" aria-label="Pages of transactions">${page > 1 ? html`<a href="${link(page - 1)}">Newer</a>` : undefined}
<span>Page ${page} of ${pages}</span>${page < pages ? html` <a href="${link(page + 1)}">Older</a>` : undefined}</nav>`;
  return bankPage(world, exchange, { title: account.name, main });
}

function showPayees(world: BankWorld, exchange: Exchange): Answer {
  const main = html`<h1>Your payees</h1>
<div class="panel scroll"><table class="stack"><caption>People and companies that you pay</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Account</th><th scope="col">Bank</th><th scope="col">Currency</th></tr></thead>
<tbody>${PAYEES.map(
    (payee) => html`
<tr><th scope="row">${payee.name}</th><td>${payee.number}</td><td>${payee.bank}</td><td>${payee.currency}</td></tr>`,
  )}
</tbody></table></div>
<p class="note">A new payee is added at a branch or by telephone.</p>`;
  return bankPage(world, exchange, { title: "Your payees", main });
}

function showPoints(world: BankWorld, exchange: Exchange): Answer {
  const main = html`<h1>Your points</h1>${rewardsAt(dayOf(world.now())).map(
    (reward) => html`<section class="panel"><h2>${reward.name}</h2>
<p class="big">${reward.points} points</p>
<p>Worth ${printedAmount(reward.worthMinor)}. ${reward.expiringPoints} run out on ${printedDay(reward.expiresOn)}.</p></section>`,
  )}`;
  return bankPage(world, exchange, { title: "Your points", main });
}

export const accountRoutes: readonly BankRoute[] = [
  { method: "GET", path: "/accounts", access: "signed_in", handle: showAccounts },
  { method: "GET", path: "/accounts/:account", access: "signed_in", readBack: "read_back", handle: showTransactions },
  { method: "GET", path: "/payees", access: "signed_in", handle: showPayees },
  { method: "GET", path: "/points", access: "signed_in", handle: showPoints },
];
