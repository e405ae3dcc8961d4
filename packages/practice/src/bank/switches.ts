import { type CommonSetting, createSwitches, problemWithCommon, type Switches } from "../site/switches.ts";

export type BankCommit = "transfer";

export type BankSetting =
  | CommonSetting<BankCommit>
  /** Every fee is higher (or lower, never below nothing) by this from now on: the terms that were approved change. */
  | { readonly switch: "fee"; readonly deltaMinor: number }
  /** This much more than the offer said leaves the account (decisions 10). */
  | { readonly switch: "chargeOver"; readonly deltaMinor: number; readonly times?: number }
  /** The token endpoint renews and the answer is lost: the old refresh token is spent, the new one has not arrived. */
  | { readonly switch: "loseRenewal"; readonly times?: number };

export interface BankSwitches extends Switches<BankSetting> {
  readonly feeDeltaMinor: () => number;
}

export function createBankSwitches(): BankSwitches {
  const store = createSwitches<BankSetting>();
  return {
    ...store,
    feeDeltaMinor: () => store.list().reduce((sum, each) => (each.switch === "fee" ? each.deltaMinor : sum), 0),
  };
}

/** Why a setting is no setting; undefined when it is one. */
export function problemWithBank(setting: BankSetting, delayMsMax: number): string | undefined {
  const problem = problemWithCommon(setting, ["transfer"], delayMsMax);
  if (problem !== "not_common") return problem;
  switch (setting.switch) {
    case "fee":
    case "chargeOver":
      return Number.isSafeInteger(setting.deltaMinor) ? undefined : "deltaMinor must be a whole number";
    case "loseRenewal":
      return undefined;
    default:
      return "unknown switch";
  }
}
