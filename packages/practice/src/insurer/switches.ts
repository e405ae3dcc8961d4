import { type CommonSetting, createSwitches, problemWithCommon, type Switches } from "../site/switches.ts";

export type InsurerCommit = "claim";

export type InsurerSetting =
  | CommonSetting<InsurerCommit>
  /** Every excess is higher (or lower, never below nothing) by this from now on: the terms that were approved change. */
  | { readonly switch: "excess"; readonly deltaMinor: number }
  /** A session's cookie that was changed is worth nothing at once; else it works for half a minute longer. */
  | { readonly switch: "strictCookies" };

export interface InsurerSwitches extends Switches<InsurerSetting> {
  readonly excessDeltaMinor: () => number;
  readonly isStrict: () => boolean;
}

export function createInsurerSwitches(): InsurerSwitches {
  const store = createSwitches<InsurerSetting>();
  return {
    ...store,
    excessDeltaMinor: () => store.list().reduce((sum, each) => (each.switch === "excess" ? each.deltaMinor : sum), 0),
    isStrict: () => store.list().some((each) => each.switch === "strictCookies"),
  };
}

/** Why a setting is no setting; undefined when it is one. */
export function problemWithInsurer(setting: InsurerSetting, delayMsMax: number): string | undefined {
  const problem = problemWithCommon(setting, ["claim"], delayMsMax);
  if (problem !== "not_common") return problem;
  switch (setting.switch) {
    case "excess":
      return Number.isSafeInteger(setting.deltaMinor) ? undefined : "deltaMinor must be a whole number";
    case "strictCookies":
      return undefined;
    default:
      return "unknown switch";
  }
}
