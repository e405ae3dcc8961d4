import { type CommonSetting, createSwitches, problemWithCommon, type Switches } from "../site/switches.ts";

export const LANTERN_COMMITS = ["cancel", "plan", "stay", "address", "contact"] as const;
export type LanternCommit = (typeof LANTERN_COMMITS)[number];

export type LanternSetting =
  | CommonSetting<LanternCommit>
  /** Every plan costs this much more (or less, never below nothing) to whoever moves to it. */
  | { readonly switch: "price"; readonly deltaMinor: number }
  /** The first offer for staying is another one. */
  | { readonly switch: "offer" }
  /** A sentence more stands in what the service says of a change. */
  | { readonly switch: "notice" }
  /** This much more than was said is charged at a change of plan (decisions 10). */
  | { readonly switch: "chargeOver"; readonly deltaMinor: number; readonly times?: number };

export interface LanternSwitches extends Switches<LanternSetting> {
  readonly priceDeltaMinor: () => number;
  readonly isOn: (name: "offer" | "notice") => boolean;
}

export function createLanternSwitches(): LanternSwitches {
  const store = createSwitches<LanternSetting>();
  return {
    ...store,
    priceDeltaMinor: () => store.list().reduce((sum, each) => (each.switch === "price" ? each.deltaMinor : sum), 0),
    isOn: (name) => store.list().some((each) => each.switch === name),
  };
}

/** Why a setting is no setting; undefined when it is one. */
export function problemWithLantern(setting: LanternSetting, delayMsMax: number): string | undefined {
  const problem = problemWithCommon(setting, LANTERN_COMMITS, delayMsMax);
  if (problem !== "not_common") return problem;
  switch (setting.switch) {
    case "price":
    case "chargeOver":
      return Number.isSafeInteger(setting.deltaMinor) ? undefined : "deltaMinor must be a whole number";
    case "offer":
    case "notice":
      return undefined;
    default:
      return "unknown switch";
  }
}
