import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import { APPOINTMENT_NUMBER, appointmentRow, type ListedAppointment } from "../shared/booking.ts";
import { type ListRow, readLongList } from "./long-list.ts";
import { look, printedVisit, shown, visits } from "./page-text.ts";

const COLUMNS = ["When", "What for", "With", "Where", "State", "Number", "Your own reference"];
const STATES: Readonly<Record<string, ListedAppointment["status"]>> = {
  Booked: "booked",
  "Called off": "cancelled",
  Past: "past",
};
const HOLDER = /^(.+), patient ([0-9]{4,16})$/;
const NONE = "There is no appointment in this time.";

export interface ShownAppointments {
  readonly patient: string;
  readonly patientNumber: string;
  readonly appointments: readonly ListedAppointment[];
}

/** The page of appointments, all of them. @throws SiteTrouble when it is not exactly as it should be. */
export function readAppointments(
  session: BrowserSession,
  days: Readonly<Record<string, string>> = {},
): Promise<Attempt<ShownAppointments>> {
  return visits.visit(session, `/appointments?${new URLSearchParams(days)}`, async (page) => {
    const seen = await look(page);
    visits.expectHeading(seen.heading, "Your appointments");
    const [, patient, patientNumber] = HOLDER.exec(seen.hint) ?? [];
    if (patient === undefined || patientNumber === undefined)
      throw new SiteTrouble("the clinic does not say whose appointments these are");
    const isEmpty = (await page.getByText(NONE, { exact: true }).count()) === 1;
    const rows = isEmpty ? [] : await readLongList(page, "Appointments", COLUMNS);
    return ok({ patient, patientNumber, appointments: rows.map((row) => appointmentOf(row, patient)) });
  });
}

/** One row of the list. @throws SiteTrouble when it is not exactly as it should be. */
export function appointmentOf({ cells }: ListRow, patient: string): ListedAppointment {
  const [when = "", service = "", practitioner = "", place = "", state = "", number = "", own = ""] = cells;
  const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  if (!APPOINTMENT_NUMBER.test(number) || status === undefined)
    throw new SiteTrouble("the clinic shows an appointment that cannot be read");
  return {
    number,
    status,
    service: shown(service, "service"),
    practitioner: shown(practitioner, "practitioner"),
    patient,
    place: shown(place, "place"),
    ...printedVisit(when),
    ownReference: own,
  };
}

export const appointmentsList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "healthcare.appointments.list",
  async read(_ctx, session, params) {
    const days = Object.fromEntries(
      ["from", "to"].flatMap((name) => (typeof params[name] === "string" ? [[name, params[name]]] : [])),
    );
    const seen = await readAppointments(session, days);
    if (!seen.ok) return seen.reason;
    const rows = seen.value.appointments.slice(0, Number(params["limit"]));
    return { kind: "done", result: { appointments: rows.map(appointmentRow) } };
  },
};
