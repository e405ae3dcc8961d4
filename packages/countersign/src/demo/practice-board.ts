import type { PracticeBoard } from "@countersign/gateway";
import { type PracticeShop, SHOP_SWITCHES } from "@countersign/practice";

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
        switches: Object.entries(SHOP_SWITCHES).map(([id, { setting }]) => ({ id, on: on.has(setting.switch) })),
        counters: { ...control.counters() },
        sign_in_code: control.currentCode(),
        ...(bankCode === undefined ? {} : { bank_code: bankCode }),
      };
    },
    set(id, on) {
      const setting = Object.hasOwn(SHOP_SWITCHES, id) ? SHOP_SWITCHES[id]?.setting : undefined;
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
