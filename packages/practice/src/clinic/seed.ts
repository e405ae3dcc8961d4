import type { Appointment, AppointmentStatus, Bill, Claim, Practitioner, Service } from "./model.ts";
import { atLocal, dayAfter, weekdayOf } from "./time.ts";

export const CLINIC_NAME = "Elm Street Clinic";
/** What the practice person types in place of an e-mail address; no secret. */
export const PATIENT_NUMBER = "72041183";
export const CURRENCY = "EUR";
const STREET = "12 Elm Street";

export const SERVICES: readonly Service[] = [
  { id: "check-up", name: "General check-up", minutes: 20, copayMinor: 1_500, noShowMinor: 3_000 },
  { id: "flu-shot", name: "Flu vaccination", minutes: 20, copayMinor: 0, noShowMinor: 1_000 },
  { id: "skin-check", name: "Skin check", minutes: 40, copayMinor: 4_500, noShowMinor: 4_000 },
  { id: "physio", name: "Physiotherapy", minutes: 40, copayMinor: 2_250, noShowMinor: 2_500 },
];

export const PRACTITIONERS: readonly Practitioner[] = [
  { id: "pr-1", name: "Dr. Aoife Keane", room: "room 2", does: ["check-up", "skin-check"] },
  { id: "pr-2", name: "Dr. Emeka Okafor", room: "room 3", does: ["check-up", "flu-shot"] },
  { id: "pr-3", name: "Maja Lindqvist, nurse", room: "room 1", does: ["flu-shot"] },
  { id: "pr-4", name: "Tadhg Byrne, physiotherapist", room: "the gym", does: ["physio"] },
];

export function serviceOf(id: string): Service | undefined {
  return SERVICES.find((service) => service.id === id);
}

export function practitionerOf(id: string): Practitioner | undefined {
  return PRACTITIONERS.find((practitioner) => practitioner.id === id);
}

export function placeOf(practitioner: Practitioner): string {
  return `${STREET}, ${practitioner.room}`;
}

type Visit = readonly [daysAgo: number, minutes: number, service: string, practitioner: string];

/** One half year of a patient with a stubborn knee; repeated into the past. */
const HALF_YEAR: readonly Visit[] = [
  [9, 560, "physio", "pr-4"],
  [16, 560, "physio", "pr-4"],
  [23, 600, "physio", "pr-4"],
  [37, 680, "check-up", "pr-1"],
  [44, 560, "physio", "pr-4"],
  [58, 860, "skin-check", "pr-1"],
  [86, 520, "check-up", "pr-2"],
  [121, 940, "flu-shot", "pr-3"],
  [150, 600, "check-up", "pr-2"],
];
const HALF_YEARS = 6;
const HALF_YEAR_DAYS = 182;
const FIRST_NUMBER = 30_110;

/** Visits are on working days: one that would fall on a weekend is on the Friday before. */
function workingDay(day: string): string {
  const weekday = weekdayOf(day);
  return weekday === 0 ? dayAfter(day, -2) : weekday === 6 ? dayAfter(day, -1) : day;
}

/** Oldest first. Two lie ahead; one of the past was called off. */
export function seedAppointments(today: string): readonly Appointment[] {
  const ahead: readonly Visit[] = [
    [-5, 560, "physio", "pr-4"],
    [-19, 680, "check-up", "pr-1"],
  ];
  const past = Array.from({ length: HALF_YEARS }, (_, half) =>
    HALF_YEAR.map(([daysAgo, ...rest]): Visit => [half * HALF_YEAR_DAYS + daysAgo, ...rest]),
  ).flat();
  const all = [...past, ...ahead].toSorted(([a], [b]) => b - a);
  return all.flatMap(([daysAgo, minutes, serviceId, practitionerId], at): Appointment[] => {
    const service = serviceOf(serviceId);
    const practitioner = practitionerOf(practitionerId);
    if (service === undefined || practitioner === undefined) return [];
    const day = workingDay(dayAfter(today, -daysAgo));
    const startsAtMs = atLocal({ day, minutes });
    const status: AppointmentStatus = daysAgo < 0 ? "booked" : daysAgo === 23 ? "cancelled" : "past";
    return [
      {
        number: `AP-${FIRST_NUMBER + at * 37}`,
        service,
        practitioner,
        startsAtMs,
        endsAtMs: startsAtMs + service.minutes * 60_000,
        status,
        ownReference: "",
        bookedAtMs: startsAtMs - 21 * 86_400_000,
      },
    ];
  });
}

export const FIRST_BOOKED_NUMBER = 41_200;

/** Newest first. */
export function billsAt(today: string): readonly Bill[] {
  const bill = (
    id: string,
    daysAgo: number,
    title: string,
    totalMinor: number,
    openMinor: number,
    status: Bill["status"],
  ): Bill => {
    const issuedOn = dayAfter(today, -daysAgo);
    return {
      id,
      number: `R-${issuedOn.slice(0, 4)}-${id.slice(3)}`,
      title,
      issuedOn,
      dueOn: dayAfter(issuedOn, 30),
      totalMinor,
      openMinor,
      status,
    };
  };
  return [
    bill("mb-3391", 6, "Physiotherapy, three visits", 6_750, 6_750, "open"),
    bill("mb-3342", 34, "General check-up", 1_500, 1_500, "overdue"),
    bill("mb-3288", 55, "Skin check with biopsy", 12_400, 6_000, "part_paid"),
    bill("mb-3190", 118, "Flu vaccination", 0, 0, "paid"),
    bill("mb-3021", 147, "General check-up", 1_500, 0, "paid"),
    bill("mb-2874", 232, "Physiotherapy, four visits", 9_000, 0, "paid"),
    bill("mb-2650", 301, "Blood test", 3_800, 0, "paid"),
  ];
}

/** Newest first. */
export function claimsAt(today: string): readonly Claim[] {
  const claim = (id: string, daysAgo: number, title: string, rest: Omit<Claim, ClaimCommon>): Claim => ({
    id,
    number: `CL-${id.slice(3)}`,
    title,
    insurer: "Hazel Health Insurance",
    treatedOn: dayAfter(today, -(daysAgo + 4)),
    sentOn: dayAfter(today, -daysAgo),
    ...rest,
  });
  return [
    claim("mc-902", 5, "Physiotherapy, three visits", {
      status: "in_review",
      statusText: "With the insurer",
      claimedMinor: 18_600,
    }),
    claim("mc-871", 53, "Skin check with biopsy", {
      status: "part_approved",
      statusText: "Approved in part",
      claimedMinor: 31_000,
      approvedMinor: 18_600,
    }),
    claim("mc-820", 84, "General check-up", {
      status: "paid",
      statusText: "Paid",
      claimedMinor: 6_400,
      approvedMinor: 6_400,
      paidMinor: 6_400,
      paidOn: dayAfter(today, -70),
    }),
    claim("mc-777", 230, "Physiotherapy, four visits", {
      status: "refused",
      statusText: "Refused: not prescribed",
      claimedMinor: 24_800,
      approvedMinor: 0,
    }),
  ];
}

type ClaimCommon = "id" | "number" | "title" | "insurer" | "treatedOn" | "sentOn";
