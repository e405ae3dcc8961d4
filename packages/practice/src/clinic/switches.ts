import { type CommonSetting, createSwitches, problemWithCommon, type Switches } from "../site/switches.ts";

export type ClinicCommit = "booking";

export type ClinicSetting =
  | CommonSetting<ClinicCommit>
  /** What a visit costs the patient is higher (or lower, never below nothing) by this from now on. */
  | { readonly switch: "copay"; readonly deltaMinor: number }
  /** Somebody else books the time in the moment in which it is to be booked. */
  | { readonly switch: "takenMeanwhile"; readonly times?: number }
  /** Lists on pages never get further than their first screen: the rest does not come. */
  | { readonly switch: "stuckList"; readonly times?: number };

export interface ClinicSwitches extends Switches<ClinicSetting> {
  readonly copayDeltaMinor: () => number;
}

export function createClinicSwitches(): ClinicSwitches {
  const store = createSwitches<ClinicSetting>();
  return {
    ...store,
    copayDeltaMinor: () => store.list().reduce((sum, each) => (each.switch === "copay" ? each.deltaMinor : sum), 0),
  };
}

/** Why a setting is no setting; undefined when it is one. */
export function problemWithClinic(setting: ClinicSetting, delayMsMax: number): string | undefined {
  const problem = problemWithCommon(setting, ["booking"], delayMsMax);
  if (problem !== "not_common") return problem;
  switch (setting.switch) {
    case "copay":
      return Number.isSafeInteger(setting.deltaMinor) ? undefined : "deltaMinor must be a whole number";
    case "takenMeanwhile":
    case "stuckList":
      return undefined;
    default:
      return "unknown switch";
  }
}
