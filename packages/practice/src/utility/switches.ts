import { type CommonSetting, createSwitches, problemWithCommon, type Switches } from "../site/switches.ts";

export const UTILITY_COMMITS = ["payment", "plan", "autopay"] as const;
export type UtilityCommit = (typeof UTILITY_COMMITS)[number];

export type UtilitySetting =
  | CommonSetting<UtilityCommit>
  /** The fee of every way to pay is higher (or lower, never below nothing) by this from now on. */
  | { readonly switch: "fee"; readonly deltaCents: number }
  /** Every plan's price is higher by this from now on. */
  | { readonly switch: "planPrice"; readonly deltaCents: number }
  /** Bills are charged so many days before they are due. */
  | { readonly switch: "chargeEarly"; readonly days: number }
  /** This much more than was said is taken (decisions 10). */
  | { readonly switch: "chargeOver"; readonly deltaCents: number; readonly times?: number };

export interface UtilitySwitches extends Switches<UtilitySetting> {
  readonly feeDeltaCents: () => number;
  readonly planDeltaCents: () => number;
  readonly earlyDays: () => number;
}

export function createUtilitySwitches(): UtilitySwitches {
  const store = createSwitches<UtilitySetting>();
  const last = (read: (setting: UtilitySetting) => number | undefined): number =>
    store.list().reduce((value, each) => read(each) ?? value, 0);
  return {
    ...store,
    feeDeltaCents: () => last((each) => (each.switch === "fee" ? each.deltaCents : undefined)),
    planDeltaCents: () => last((each) => (each.switch === "planPrice" ? each.deltaCents : undefined)),
    earlyDays: () => last((each) => (each.switch === "chargeEarly" ? each.days : undefined)),
  };
}

const EARLY_DAYS_MAX = 14;

/** Why a setting is no setting; undefined when it is one. */
export function problemWithUtility(setting: UtilitySetting, delayMsMax: number): string | undefined {
  const problem = problemWithCommon(setting, UTILITY_COMMITS, delayMsMax);
  if (problem !== "not_common") return problem;
  switch (setting.switch) {
    case "fee":
    case "planPrice":
    case "chargeOver":
      return Number.isSafeInteger(setting.deltaCents) ? undefined : "deltaCents must be a whole number";
    case "chargeEarly":
      return Number.isInteger(setting.days) && setting.days >= 0 && setting.days <= EARLY_DAYS_MAX
        ? undefined
        : `days must be from 0 to ${EARLY_DAYS_MAX}`;
    default:
      return "unknown switch";
  }
}
