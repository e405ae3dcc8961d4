import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { formatMoney } from "../../site/money.ts";
import type { Bill, Claim } from "../model.ts";
import type { ClinicRoute } from "../route.ts";
import { billsAt, CLINIC_NAME, CURRENCY, claimsAt } from "../seed.ts";
import { localOf, printedDay } from "../time.ts";
import type { ClinicWorld } from "../world.ts";
import { clinicNotice, clinicPage } from "./layout.ts";

const BILL_STATES: Readonly<Record<Bill["status"], string>> = {
  open: "Open",
  paid: "Paid",
  part_paid: "Paid in part",
  overdue: "Overdue",
};

const money = (minor: number) => formatMoney(minor, CURRENCY);
const today = (world: ClinicWorld) => localOf(world.now()).day;
const dayOrNone = (day: string | undefined) => (day === undefined ? "" : printedDay(day));
const moneyOrNone = (minor: number | undefined) => (minor === undefined ? "" : money(minor));

function factsPage(
  world: ClinicWorld,
  exchange: Exchange,
  part: {
    readonly title: string;
    readonly facts: readonly (readonly [string, string])[];
    readonly href: string;
    readonly link: string;
  },
): Answer {
  const main = html`<section class="sheet small"><h1>${part.title}</h1>
<dl>${part.facts.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
<p><a href="${part.href}">${part.link}</a></p></section>`;
  return clinicPage(world, exchange, { title: part.title, main });
}

function nothing(world: ClinicWorld, exchange: Exchange): Answer {
  return clinicNotice(world, exchange, {
    status: 404,
    title: "This page does not exist",
    text: "There is nothing at this address.",
    href: "/appointments",
    link: "Your appointments",
  });
}

function tablePage(
  world: ClinicWorld,
  exchange: Exchange,
  part: {
    readonly title: string;
    readonly hint: string;
    readonly caption: string;
    readonly columns: readonly string[];
    readonly rows: readonly { readonly href: string; readonly cells: readonly string[] }[];
  },
): Answer {
  // On a narrow screen each cell is a line of its own, with its column's name before it.
  const rowOf = ({ href, cells: [number, ...others] }: { readonly href: string; readonly cells: readonly string[] }) =>
    html`<tr><th scope="row"><a href="${href}">${number}</a></th>${others.map(
      (text, at) => html`<td data-label="${part.columns[at + 1]}">${text}</td>`,
    )}</tr>`;
  const main = html`<h1>${part.title}</h1><p class="hint">${part.hint}</p>
<div class="sheet wide"><table><caption>${part.caption}</caption>
<thead><tr>${part.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${part.rows.map(rowOf)}</tbody></table></div>`;
  return clinicPage(world, exchange, { title: part.title, main });
}

function showBills(world: ClinicWorld, exchange: Exchange): Answer {
  const rows = billsAt(today(world)).map((bill) => ({
    href: `/bills/${bill.id}`,
    cells: [
      bill.number,
      bill.title,
      printedDay(bill.issuedOn),
      printedDay(bill.dueOn),
      money(bill.totalMinor),
      money(bill.openMinor),
      BILL_STATES[bill.status],
    ],
  }));
  return tablePage(world, exchange, {
    title: "Your bills",
    hint: `For ${world.user.name}. Pay them by bank transfer, with the number as the reference.`,
    caption: "Bills, newest first",
    columns: ["Number", "What for", "Issued", "Due", "Sum", "Open", "State"],
    rows,
  });
}

function showBill(world: ClinicWorld, exchange: Exchange): Answer {
  const bill = billsAt(today(world)).find(({ id }) => id === exchange.params["bill"]);
  if (bill === undefined) return nothing(world, exchange);
  return factsPage(world, exchange, {
    title: `Bill ${bill.number}`,
    facts: [
      ["What for", bill.title],
      ["For", world.user.name],
      ["Issued", printedDay(bill.issuedOn)],
      ["Due", printedDay(bill.dueOn)],
      ["Sum", money(bill.totalMinor)],
      ["Open", money(bill.openMinor)],
      ["State", BILL_STATES[bill.status]],
    ],
    href: "/bills",
    link: "Your bills",
  });
}

function claimRow(claim: Claim) {
  return {
    href: `/claims/${claim.id}`,
    cells: [
      claim.number,
      claim.title,
      printedDay(claim.treatedOn),
      printedDay(claim.sentOn),
      claim.statusText,
      money(claim.claimedMinor),
      moneyOrNone(claim.approvedMinor),
      moneyOrNone(claim.paidMinor),
      dayOrNone(claim.paidOn),
    ],
  };
}

function showClaims(world: ClinicWorld, exchange: Exchange): Answer {
  return tablePage(world, exchange, {
    title: "Your claims",
    hint: `What ${CLINIC_NAME} passed on to your insurer for ${world.user.name}.`,
    caption: "Claims, newest first",
    columns: ["Number", "What for", "Treated", "Sent", "State", "Claimed", "Approved", "Paid", "Paid on"],
    rows: claimsAt(today(world)).map(claimRow),
  });
}

function showClaim(world: ClinicWorld, exchange: Exchange): Answer {
  const claim = claimsAt(today(world)).find(({ id }) => id === exchange.params["claim"]);
  if (claim === undefined) return nothing(world, exchange);
  return factsPage(world, exchange, {
    title: `Claim ${claim.number}`,
    facts: [
      ["What for", claim.title],
      ["For", world.user.name],
      ["Insurer", claim.insurer],
      ["Treated", printedDay(claim.treatedOn)],
      ["Sent", printedDay(claim.sentOn)],
      ["State", claim.statusText],
      ["Claimed", money(claim.claimedMinor)],
      ["Approved", moneyOrNone(claim.approvedMinor)],
      ["Paid", moneyOrNone(claim.paidMinor)],
      ["Paid on", dayOrNone(claim.paidOn)],
    ],
    href: "/claims",
    link: "Your claims",
  });
}

const readBack = { access: "signed_in", readBack: "read_back" } as const;

export const billRoutes: readonly ClinicRoute[] = [
  { method: "GET", path: "/bills", ...readBack, handle: showBills },
  { method: "GET", path: "/bills/:bill", ...readBack, handle: showBill },
  { method: "GET", path: "/claims", ...readBack, handle: showClaims },
  { method: "GET", path: "/claims/:claim", ...readBack, handle: showClaim },
];
