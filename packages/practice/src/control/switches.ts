import type { CatalogueChanges } from "../shop/catalogue.ts";
import { PRODUCTS } from "../shop/seed.ts";
import { type CommonSetting, createSwitches as createStore, type Switches as Store } from "../site/switches.ts";

/** What can be committed in the practice shop: an order, the end of the membership, an order called off. */
export type CommitKind = "order" | "cancellation" | "order_cancellation";
export const COMMIT_KINDS: readonly CommitKind[] = ["order", "cancellation", "order_cancellation"];

export type SwitchSetting =
  | CommonSetting<CommitKind>
  /** Orders by card are received, and placed only once the person has sent the code of their bank. */
  | { readonly switch: "verifyPayment"; readonly times?: number }
  /** The right code places the order, and the socket is destroyed without a byte of answer. */
  | { readonly switch: "verifyThenDrop"; readonly times?: number }
  /** Charge this much more than the order's lines at the moment of commit (decision 10); the order says so. */
  | { readonly switch: "chargeOver"; readonly deltaMinor: number; readonly times?: number }
  /** Move every total by this from now on, through the delivery price. */
  | { readonly switch: "total"; readonly deltaMinor: number }
  /** Keep this much of what was paid for an order that is called off, from now on. */
  | { readonly switch: "cancelFee"; readonly feeMinor: number }
  /** Move one SKU's unit price by this from now on. */
  | { readonly switch: "price"; readonly sku: string; readonly deltaMinor: number }
  /** Retitle a product or variant from now on. */
  | { readonly switch: "title"; readonly text: string; readonly sku: string };

export type SwitchName = SwitchSetting["switch"];

export interface Switches extends Store<SwitchSetting> {
  readonly changes: () => CatalogueChanges;
  readonly cancelFeeMinor: () => number;
}

/** The SKU that `title` changes unless told otherwise. */
export const DEFAULT_TITLE_SKU = PRODUCTS[0]?.sku ?? "";

export function createSwitches(): Switches {
  const store = createStore<SwitchSetting>();
  return {
    ...store,
    cancelFeeMinor: () => {
      const setting = store.list().find((each) => each.switch === "cancelFee");
      return setting?.switch === "cancelFee" ? setting.feeMinor : 0;
    },
    changes: () => {
      let deliveryDeltaMinor = 0;
      const unitDeltaMinor = new Map<string, number>();
      const titles = new Map<string, string>();
      for (const setting of store.list()) {
        if (setting.switch === "total") deliveryDeltaMinor = setting.deltaMinor;
        if (setting.switch === "price") unitDeltaMinor.set(setting.sku, setting.deltaMinor);
        if (setting.switch === "title") titles.set(setting.sku, setting.text);
      }
      return { deliveryDeltaMinor, unitDeltaMinor, titles };
    },
  };
}
