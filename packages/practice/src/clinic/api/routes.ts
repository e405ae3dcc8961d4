import { json } from "../../http/reply.ts";
import { API_LIFE_MS } from "../../limits.ts";
import { apiSignIn } from "../../site/api-session.ts";
import { keepToken } from "../idle.ts";
import type { ClinicRoute } from "../route.ts";
import { billsAt, CLINIC_NAME, claimsAt, PATIENT_NUMBER, PRACTITIONERS, SERVICES } from "../seed.ts";
import { localOf } from "../time.ts";
import type { ClinicWorld } from "../world.ts";
import {
  listAppointments,
  listFreeTimes,
  makeDraft,
  showAppointment,
  showDraft,
  submitBooking,
} from "./appointments.ts";
import { billWire, claimWire, clinicBearerOf, refuseClinic } from "./wire.ts";

const signedIn = { access: "signed_in" } as const;
const readBack = { access: "signed_in", readBack: "read_back" } as const;

const session = apiSignIn<ClinicWorld>({
  title: CLINIC_NAME,
  factor: "push",
  loginField: "patient_number",
  login: () => PATIENT_NUMBER,
  tokens: (world) => ({ put: (token) => void keepToken(world, token) }),
  tokenMs: API_LIFE_MS,
  challenges: (world) => world.state.challenges,
  refuse: refuseClinic,
});

/** The JSON twin of the pages. */
export const clinicApiRoutes: readonly ClinicRoute[] = [
  { method: "POST", path: "/api/sessions", access: "anyone", handle: session.start },
  { method: "POST", path: "/api/sessions/confirm", access: "anyone", handle: session.verify },
  {
    method: "DELETE",
    path: "/api/sessions",
    ...signedIn,
    handle: (world, exchange) => {
      world.state.tokens.delete(clinicBearerOf(exchange) ?? "");
      return json(200, { signed_out: true });
    },
  },
  {
    method: "GET",
    path: "/api/patient",
    ...signedIn,
    handle: ({ user }) => json(200, { name: user.name, patient_number: PATIENT_NUMBER }),
  },
  {
    method: "GET",
    path: "/api/services",
    ...signedIn,
    handle: () => json(200, { services: SERVICES.map(({ id, name, minutes }) => ({ id, name, minutes })) }),
  },
  {
    method: "GET",
    path: "/api/practitioners",
    ...signedIn,
    handle: () =>
      json(200, { practitioners: PRACTITIONERS.map(({ id, name, does }) => ({ id, name, services: does })) }),
  },
  { method: "GET", path: "/api/free-times", ...signedIn, handle: listFreeTimes },
  { method: "POST", path: "/api/booking-drafts", ...signedIn, handle: makeDraft },
  { method: "GET", path: "/api/booking-drafts/:draft", ...signedIn, handle: showDraft },
  { method: "POST", path: "/api/appointments", ...signedIn, commit: "booking", handle: submitBooking },
  { method: "GET", path: "/api/appointments", ...readBack, handle: listAppointments },
  { method: "GET", path: "/api/appointments/:number", ...readBack, handle: showAppointment },
  {
    method: "GET",
    path: "/api/bills",
    ...readBack,
    handle: (world) =>
      json(200, { bills: billsAt(localOf(world.now()).day).map((bill) => billWire(bill, world.user.name)) }),
  },
  {
    method: "GET",
    path: "/api/claims",
    ...readBack,
    handle: (world) =>
      json(200, { claims: claimsAt(localOf(world.now()).day).map((claim) => claimWire(claim, world.user.name)) }),
  },
];
