import type { IncomingMessage } from "node:http";
import { type Answer, json } from "../http/reply.ts";
import { DELAY_MS_MAX } from "../limits.ts";
import { type SiteControl, siteControl } from "../site/control.ts";
import { answerPort } from "../site/port.ts";
import { appointmentWire } from "./api/wire.ts";
import { appointmentsOf, book, freeTimes, offerOf } from "./diary.ts";
import type { Appointment, FreeTime } from "./model.ts";
import { serviceOf } from "./seed.ts";
import { type ClinicCommit, type ClinicSetting, problemWithClinic } from "./switches.ts";
import { type ClinicCounters, type ClinicWorld, resetClinicWorld } from "./world.ts";

/** Everything a test or demo can do to the clinic from outside its pages. */
export interface ClinicControl extends SiteControl<ClinicSetting, ClinicCounters, ClinicCommit> {
  /** What every visit costs the patient moves by this from now on (never below nothing). 0 moves it back. */
  readonly copay: (deltaMinor: number) => void;
  /** Somebody else books the time in the moment in which it is to be booked. */
  readonly takeMeanwhile: (scope?: { readonly times?: number }) => void;
  /** Lists on pages never get further than their first screen. */
  readonly stickLists: (scope?: { readonly times?: number }) => void;
  /** The free times of a service, soonest first. */
  readonly freeTimes: (serviceId: string) => readonly FreeTime[];
  /** Books as the person would by telephone: not counted, no fault strikes it. */
  readonly bookElsewhere: (timeId: string) => Appointment;
  /** Every token that programs were given since the clinic opened or was reset. */
  readonly issued: () => readonly string[];
  /** The one furthest ahead first. */
  readonly appointments: () => readonly Appointment[];
}

export function createClinicControl(world: ClinicWorld): ClinicControl {
  const common = siteControl<ClinicCommit, ClinicSetting, ClinicCounters>({
    title: "practice clinic",
    world,
    switches: world.switches,
    problemWith: (setting) => problemWithClinic(setting, DELAY_MS_MAX),
    counters: () => ({ ...world.state.counters }),
    endSession: () => {
      world.state.sessions.clear();
      world.state.tokens.clear();
    },
    reset: () => resetClinicWorld(world),
  });
  return {
    ...common,
    copay: (deltaMinor) => common.set({ switch: "copay", deltaMinor }),
    takeMeanwhile: (scope = {}) => common.set({ switch: "takenMeanwhile", ...scope }),
    stickLists: (scope = {}) => common.set({ switch: "stuckList", ...scope }),
    freeTimes: (serviceId) => {
      const service = serviceOf(serviceId);
      return service === undefined ? [] : freeTimes(world, { service });
    },
    bookElsewhere: (timeId) => {
      const offer = offerOf(world, { timeId, ownReference: "" });
      if (typeof offer === "string") throw new RangeError(`practice clinic: ${offer}`);
      return book(world, offer);
    },
    issued: () => world.state.issued,
    appointments: () => appointmentsOf(world),
  };
}

/** The clinic's control port: what every site's has, and `GET /appointments`. */
export function answerClinicControl(world: ClinicWorld, request: IncomingMessage): Promise<Answer> {
  const control = createClinicControl(world);
  return answerPort<ClinicSetting>(
    {
      control,
      problemWith: (setting) => problemWithClinic(setting, DELAY_MS_MAX),
      withDefaults: (body) => body,
      more: {
        "GET /appointments": () =>
          json(200, { appointments: control.appointments().map((each) => appointmentWire(each, world.user.name)) }),
      },
    },
    request,
  );
}
