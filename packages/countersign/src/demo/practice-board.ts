import type { PracticeBoard } from "@countersign/gateway";
import type { PracticeShop, SwitchSetting } from "@countersign/practice";

const MORE_MINOR = 100;
const DEARER_MINOR = 200;
const SERVER_ERROR = 502;

/** What each switch of the board sets at the shop; those with `times` strike once and turn themselves off. */
const SWITCHES: Readonly<Record<string, SwitchSetting>> = {
  lose_answer: { switch: "commitThenDrop", times: 1 },
  error_after: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
  lose_request: { switch: "dropBeforeCommit", times: 1 },
  refuse: { switch: "refuse", times: 1 },
  bank_code: { switch: "verifyPayment", times: 1 },
  overcharge: { switch: "chargeOver", deltaMinor: MORE_MINOR, times: 1 },
  dearer: { switch: "total", deltaMinor: DEARER_MINOR },
  history_down: { switch: "readBack" },
};

/** The practice shop's control as a board for the trusted interface of a demonstration. */
export function practiceBoard(shop: PracticeShop): PracticeBoard {
  const { control } = shop;
  const acts: Readonly<Record<string, () => void>> = {
    sign_out: control.endSession,
    bank_approves: control.bankApproves,
    reset: control.reset,
  };
  return {
    view() {
      const on = new Set(control.switches().map((setting) => setting.switch));
      const bankCode = control.bankCode();
      return {
        shop_origin: shop.origin,
        switches: Object.entries(SWITCHES).map(([id, setting]) => ({ id, on: on.has(setting.switch) })),
        counters: { ...control.counters() },
        sign_in_code: control.currentCode(),
        ...(bankCode === undefined ? {} : { bank_code: bankCode }),
      };
    },
    set(id, on) {
      const setting = Object.hasOwn(SWITCHES, id) ? SWITCHES[id] : undefined;
      if (setting === undefined) return false;
      if (on) control.set(setting);
      else control.clear(setting.switch);
      return true;
    },
    act(id) {
      const act = Object.hasOwn(acts, id) ? acts[id] : undefined;
      act?.();
      return act !== undefined;
    },
  };
}
