import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { formatMoney } from "../../site/money.ts";
import { appointmentsOf } from "../diary.ts";
import type { Appointment, AppointmentStatus, Bill, Claim } from "../model.ts";
import type { ClinicRoute } from "../route.ts";
import { billsAt, CURRENCY, claimsAt, PATIENT_NUMBER, placeOf } from "../seed.ts";
import { isDay, localOf, printedDay, printedVisit } from "../time.ts";
import type { ClinicWorld } from "../world.ts";
import { clinicNotice, clinicPage } from "./layout.ts";
import { type ListRow, longList, rowsAnswer } from "./list.ts";

const COLUMNS = ["When", "What for", "With", "Where", "State", "Number", "Your own reference"];
const STATES: Readonly<Record<AppointmentStatus, string>> = {
  booked: "Booked",
  cancelled: "Called off",
  past: "Past",
};

function rowOf(each: Appointment): ListRow {
  return {
    cells: [
      printedVisit(each.startsAtMs, each.endsAtMs),
      each.service.name,
      each.practitioner.name,
      placeOf(each.practitioner),
      STATES[each.status],
      each.number,
      each.ownReference,
    ],
  };
}

/** The days that are asked for; what is no day narrows nothing. */
function windowOf(exchange: Exchange): { readonly from?: string; readonly to?: string } {
  const day = (name: string) => {
    const text = exchange.url.searchParams.get(name) ?? "";
    return isDay(text) ? text : undefined;
  };
  const [from, to] = [day("from"), day("to")];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function showAppointments(world: ClinicWorld, exchange: Exchange): Answer {
  const days = windowOf(exchange);
  const query = new URLSearchParams(days);
  const all = appointmentsOf(world, days);
  const rowsPath = `/appointments/rows?${query}`;
  const main = html`<h1>Your appointments</h1>
<p class="hint">${world.user.name}, patient ${PATIENT_NUMBER}</p>
<form class="narrow" action="/appointments"><label>From<input type="date" name="from" value="${days.from ?? ""}"></label>
<label>Until<input type="date" name="to" value="${days.to ?? ""}"></label><button>Show</button></form>
${all.length === 0 ? html`<p>There is no appointment in this time.</p>` : longList({ label: "Appointments", columns: COLUMNS, rowsPath, count: all.length })}
<p><a class="strong" href="/book">Book a visit</a></p>`;
  return clinicPage(world, exchange, { title: "Your appointments", main });
}

function showBooked(world: ClinicWorld, exchange: Exchange): Answer {
  const found = appointmentsOf(world).find(({ number }) => number === exchange.params["number"]);
  if (found === undefined)
    return clinicNotice(world, exchange, {
      status: 404,
      title: "There is no such appointment",
      text: "There is nothing at this address.",
      href: "/appointments",
      link: "Your appointments",
    });
  const main = html`<section class="sheet small"><h1>Your appointment is booked</h1>
<p class="number"><strong>${found.number}</strong></p>
<p>${printedVisit(found.startsAtMs, found.endsAtMs)}</p>
<p>${found.service.name} with ${found.practitioner.name}, ${placeOf(found.practitioner)}.</p>
<p><a href="/appointments">Your appointments</a></p></section>`;
  return clinicPage(world, exchange, { title: "Your appointment is booked", main });
}

const money = (minor: number) => formatMoney(minor, CURRENCY);
const BILL_STATES: Readonly<Record<Bill["status"], string>> = {
  open: "Open",
  paid: "Paid",
  part_paid: "Paid in part",
  overdue: "Overdue",
};

function showBills(world: ClinicWorld, exchange: Exchange): Answer {
  const rows = billsAt(localOf(world.now()).day).map(
    (bill) =>
      html`<tr><th scope="row">${bill.number}</th><td>${bill.title}</td><td>${printedDay(bill.issuedOn)}</td><td>${printedDay(bill.dueOn)}</td><td class="sum">${money(bill.totalMinor)}</td><td class="sum">${money(bill.openMinor)}</td><td>${BILL_STATES[bill.status]}</td></tr>`,
  );
  const main = html`<h1>Your bills</h1><div class="sheet wide"><table><caption>Bills, newest first</caption>
<thead><tr><th scope="col">Number</th><th scope="col">For</th><th scope="col">Issued</th><th scope="col">Due</th><th scope="col" class="sum">Sum</th><th scope="col" class="sum">Open</th><th scope="col">State</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  return clinicPage(world, exchange, { title: "Your bills", main });
}

function claimRow(claim: Claim) {
  const sum = (minor: number | undefined) => (minor === undefined ? "" : money(minor));
  return html`<tr><th scope="row">${claim.number}</th><td>${claim.title}</td><td>${printedDay(claim.sentOn)}</td><td>${claim.statusText}</td><td class="sum">${money(claim.claimedMinor)}</td><td class="sum">${sum(claim.approvedMinor)}</td><td class="sum">${sum(claim.paidMinor)}</td></tr>`;
}

function showClaims(world: ClinicWorld, exchange: Exchange): Answer {
  const main = html`<h1>Your claims</h1><p class="hint">What we passed on to Hazel Health Insurance for you.</p>
<div class="sheet wide"><table><caption>Claims, newest first</caption>
<thead><tr><th scope="col">Number</th><th scope="col">For</th><th scope="col">Sent</th><th scope="col">State</th><th scope="col" class="sum">Claimed</th><th scope="col" class="sum">Approved</th><th scope="col" class="sum">Paid</th></tr></thead>
<tbody>${claimsAt(localOf(world.now()).day).map(claimRow)}</tbody></table></div>`;
  return clinicPage(world, exchange, { title: "Your claims", main });
}

const readBack = { access: "signed_in", readBack: "read_back" } as const;

export const appointmentRoutes: readonly ClinicRoute[] = [
  { method: "GET", path: "/appointments", ...readBack, handle: showAppointments },
  {
    method: "GET",
    path: "/appointments/rows",
    ...readBack,
    handle: (world, exchange) => rowsAnswer(world, exchange, appointmentsOf(world, windowOf(exchange)).map(rowOf)),
  },
  { method: "GET", path: "/appointments/:number/booked", access: "signed_in", handle: showBooked },
  { method: "GET", path: "/bills", ...readBack, handle: showBills },
  { method: "GET", path: "/claims", ...readBack, handle: showClaims },
];
