import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { html } from "../../site/html.ts";
import { appointmentsOf } from "../diary.ts";
import type { Appointment, AppointmentStatus } from "../model.ts";
import type { ClinicRoute } from "../route.ts";
import { PATIENT_NUMBER, placeOf } from "../seed.ts";
import { isDay, printedVisit } from "../time.ts";
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
];
