import { csrfToken, type Exchange, formOf, hasCsrf } from "../../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../../http/reply.ts";
import { DRAFT_MS } from "../../limits.ts";
import { html } from "../../site/html.ts";
import { formatMoney } from "../../site/money.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { randomToken } from "../../site/random.ts";
import { book, freeTimes, OWN_REFERENCE_LENGTH_MAX, offerOf, take, type Wanted, type WishProblem } from "../diary.ts";
import type { FreeTime } from "../model.ts";
import type { ClinicRoute } from "../route.ts";
import { CURRENCY, PRACTITIONERS, placeOf, practitionerOf, SERVICES, serviceOf } from "../seed.ts";
import { isDay, printedMoment, printedVisit } from "../time.ts";
import type { ClinicWorld } from "../world.ts";
import { clinicNotice, clinicPage, staleClinicForm } from "./layout.ts";
import { type ListRow, longList, rowsAnswer } from "./list.ts";

const COLUMNS = ["When", "With", "Where", "Choose"];

/** What the form asks for; the problem is the page's own words. */
function wantedOf(query: URLSearchParams): Wanted | string {
  const service = serviceOf(query.get("service") ?? "");
  if (service === undefined) return "Choose what the visit is for.";
  const asked = query.get("practitioner") ?? "";
  const practitioner = asked === "" ? undefined : practitionerOf(asked);
  if (asked !== "" && practitioner === undefined) return "Nobody here is called this.";
  if (practitioner !== undefined && !practitioner.does.includes(service.id))
    return `${practitioner.name} does not do this.`;
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  if ((from !== "" && !isDay(from)) || (to !== "" && !isDay(to))) return "That is no day.";
  return {
    service,
    ...(practitioner === undefined ? {} : { practitioner }),
    ...(from === "" ? {} : { from }),
    ...(to === "" ? {} : { to }),
  };
}

function showForm(world: ClinicWorld, exchange: Exchange, problem?: string): Answer {
  const query = exchange.url.searchParams;
  const chosen = (name: string, id: string) => (query.get(name) === id ? html` selected` : undefined);
  const main = html`<section class="sheet small"><h1>Book a visit</h1>
${problem === undefined ? undefined : alert(problem)}
<form action="/book/times">
<label for="service">What for</label><select id="service" name="service">${SERVICES.map(
    ({ id, name }) => html`<option value="${id}"${chosen("service", id)}>${name}</option>`,
  )}</select>
<label for="practitioner">With</label><select id="practitioner" name="practitioner"><option value="">Anyone</option>${PRACTITIONERS.map(
    ({ id, name }) => html`<option value="${id}"${chosen("practitioner", id)}>${name}</option>`,
  )}</select>
<div class="pair"><label>From<input type="date" name="from" value="${query.get("from") ?? ""}"></label>
<label>Until<input type="date" name="to" value="${query.get("to") ?? ""}"></label></div>
<button class="strong">Find free times</button>
</form></section>`;
  return clinicPage(world, exchange, { title: "Book a visit", main, status: problem === undefined ? 200 : 422 });
}

function timeRow(time: FreeTime): ListRow {
  return {
    cells: [printedVisit(time.startsAtMs, time.endsAtMs), time.practitioner.name, placeOf(time.practitioner), "Choose"],
    href: `/book/times/${time.id}`,
  };
}

function showTimes(world: ClinicWorld, exchange: Exchange): Answer {
  const query = exchange.url.searchParams;
  const wanted = wantedOf(query);
  if (typeof wanted === "string") return showForm(world, exchange, wanted);
  const times = freeTimes(world, wanted);
  const again = `/book?${query}`;
  const list = longList({
    label: "Free times",
    columns: COLUMNS,
    rowsPath: `/book/rows?${query}`,
    count: times.length,
  });
  const main = html`<h1>Free times</h1>
<p><strong>${wanted.service.name}</strong>, ${wanted.practitioner?.name ?? "anyone"}. <a href="${again}">Change</a></p>
${times.length === 0 ? html`<p>There is no free time then.</p>` : list}`;
  return clinicPage(world, exchange, { title: "Free times", main });
}

function showRows(world: ClinicWorld, exchange: Exchange): Answer {
  const wanted = wantedOf(exchange.url.searchParams);
  return rowsAnswer(world, exchange, typeof wanted === "string" ? [] : freeTimes(world, wanted).map(timeRow));
}

const PROBLEMS: Readonly<Record<WishProblem, string>> = {
  invalid_request: "Your own reference can have letters, digits, dots and dashes.",
  unknown_time: "This is no time of the clinic's diary.",
  time_taken: "This time was taken by somebody else meanwhile. Nothing was booked.",
};

function taken(world: ClinicWorld, exchange: Exchange, problem: WishProblem): Answer {
  const [status, title] =
    problem === "time_taken" ? ([409, "This time is taken"] as const) : ([422, "This cannot be booked"] as const);
  const more = { href: "/book", link: "Find another time" };
  return clinicNotice(world, exchange, { status, title, text: PROBLEMS[problem], ...more });
}

function lapsed(world: ClinicWorld, exchange: Exchange): Answer {
  return clinicNotice(world, exchange, {
    status: 410,
    title: "This booking has lapsed",
    text: "Nothing was booked. Choose a time again.",
    href: "/book",
    link: "Find a time",
  });
}

function showTime(world: ClinicWorld, exchange: Exchange): Answer {
  const timeId = exchange.params["time"] ?? "";
  const offer = offerOf(world, { timeId, ownReference: "" });
  if (typeof offer === "string") return taken(world, exchange, offer);
  const main = html`<section class="sheet small"><h1>Your visit</h1>
<p>${offer.service.name} with ${offer.practitioner.name}<br>${printedVisit(offer.startsAtMs, offer.endsAtMs)}</p>
<form method="post" action="/book/drafts">
${csrfField(csrfToken(world, exchange.sid))}<input type="hidden" name="time" value="${timeId}">
<label>Your own reference (optional)<input name="own_reference" maxlength="${OWN_REFERENCE_LENGTH_MAX}" autocomplete="off"></label>
<button class="strong">Go on</button>
</form></section>`;
  return clinicPage(world, exchange, { title: "Your visit", main });
}

function takeDraft(world: ClinicWorld, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleClinicForm(world, exchange);
  const form = formOf(exchange);
  const wish = { timeId: form.get("time") ?? "", ownReference: (form.get("own_reference") ?? "").trim() };
  const offer = offerOf(world, wish);
  if (typeof offer === "string") return taken(world, exchange, offer);
  const id = randomToken(world.random);
  world.state.drafts.put(id, wish, world.now() + DRAFT_MS);
  return redirect(303, `/book/drafts/${id}`);
}

/** The last screen: it keeps the wish, not what it costs, and it keeps no time free. */
function showDraft(world: ClinicWorld, exchange: Exchange): Answer {
  const id = exchange.params["draft"] ?? "";
  const draft = world.state.drafts.get(id, world.now());
  if (draft === undefined) return lapsed(world, exchange);
  if (draft.booked !== undefined) return redirect(302, `/appointments/${draft.booked}/booked`);
  const offer = offerOf(world, draft);
  if (typeof offer === "string") return taken(world, exchange, offer);
  const facts: readonly (readonly [string, string])[] = [
    ["What for", offer.service.name],
    ["With", offer.practitioner.name],
    ["When", printedVisit(offer.startsAtMs, offer.endsAtMs)],
    ["Where", placeOf(offer.practitioner)],
    ["For", world.user.name],
    ["The visit costs you", formatMoney(offer.copayMinor, CURRENCY)],
    ["Staying away costs you", formatMoney(offer.noShowMinor, CURRENCY)],
    ["Free to call off until", offer.freeUntilMs === undefined ? "Not any more" : printedMoment(offer.freeUntilMs)],
    ["Your own reference", offer.ownReference],
  ];
  const main = html`<section class="sheet small"><h1>Check your booking</h1>
<dl>${facts.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
<p class="hint">You pay nothing now; the clinic sends a bill after the visit.</p>
<form method="post" action="/book/drafts/${id}/confirm" data-once>
${csrfField(csrfToken(world, exchange.sid))}
<button class="strong">Book this visit</button>
</form></section>`;
  return clinicPage(world, exchange, { title: "Check your booking", main });
}

/** The commit. A draft that is booked leads to its appointment, however often its button is pressed. */
function confirm(world: ClinicWorld, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleClinicForm(world, exchange);
  const id = exchange.params["draft"] ?? "";
  const draft = world.state.drafts.get(id, world.now());
  if (draft === undefined) return lapsed(world, exchange);
  if (draft.booked !== undefined) return redirect(303, `/appointments/${draft.booked}/booked`);
  if (world.switches.take("refuse", { commit: "booking" }))
    return clinicNotice(world, exchange, {
      status: 422,
      title: "This visit was not booked",
      text: "The clinic cannot book this online. Nothing was booked.",
      href: "/book",
      link: "Find another time",
    });
  const offer = offerOf(world, draft);
  if (typeof offer === "string") return taken(world, exchange, offer);
  if (world.switches.take("takenMeanwhile")) {
    take(world, offer);
    return taken(world, exchange, "time_taken");
  }
  const appointment = book(world, offer);
  world.state.drafts.put(id, { ...draft, booked: appointment.number }, world.now() + DRAFT_MS);
  world.state.counters.bookings += 1;
  const path = `/appointments/${appointment.number}/booked`;
  return {
    kind: "committed",
    commit: "booking",
    answer: redirect(303, path),
    landing: () =>
      clinicNotice(world, exchange, {
        status: 200,
        title: "Your appointment is booked",
        text: appointment.number,
        href: path,
        link: "Your appointment",
      }),
  };
}

const signedIn = { access: "signed_in" } as const;

export const bookingRoutes: readonly ClinicRoute[] = [
  { method: "GET", path: "/book", ...signedIn, handle: (world, exchange) => showForm(world, exchange) },
  { method: "GET", path: "/book/times", ...signedIn, handle: showTimes },
  { method: "GET", path: "/book/rows", ...signedIn, handle: showRows },
  { method: "GET", path: "/book/times/:time", ...signedIn, handle: showTime },
  { method: "POST", path: "/book/drafts", ...signedIn, handle: takeDraft },
  { method: "GET", path: "/book/drafts/:draft", ...signedIn, handle: showDraft },
  { method: "POST", path: "/book/drafts/:draft/confirm", ...signedIn, commit: "booking", handle: confirm },
];
