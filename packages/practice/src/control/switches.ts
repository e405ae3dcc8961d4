import type { CatalogueChanges } from "../shop/catalogue.ts";
import { PRODUCTS } from "../shop/seed.ts";

/** The two things that can be committed in the practice shop. */
export type CommitKind = "order" | "cancellation";

/**
 * What comes instead of the shop's own answer: an HTTP status with a plain HTML error page (as a proxy in front would
 * send it), the confirmation cut in half, the sign-in page with status 200, or a redirect to it.
 */
export type FaultAnswer = number | "half_body" | "sign_in_page" | "sign_in_redirect";

/** `times`: how often the switch acts before it turns itself off; absent means until reset. `on`: absent means both. */
interface CommitFault {
  readonly on?: CommitKind;
  readonly times?: number;
}

export type SwitchSetting =
  /** Commit, then destroy the socket without a byte of answer. */
  | ({ readonly switch: "commitThenDrop" } & CommitFault)
  /** Commit, then give this answer instead of the shop's own. */
  | ({ readonly switch: "commitThen"; readonly answer: FaultAnswer } & CommitFault)
  /** Destroy the socket when the submission has arrived, committing nothing. */
  | ({ readonly switch: "dropBeforeCommit" } & CommitFault)
  /** Commit nothing and give this answer. */
  | ({ readonly switch: "withoutCommitThen"; readonly answer: FaultAnswer } & CommitFault)
  /** Refuse in the shop's own words (out of stock; cancellation not possible), committing nothing. */
  | ({ readonly switch: "refuse" } & CommitFault)
  /** Orders by card are received, and placed only once the person has sent the code of their bank. */
  | { readonly switch: "verifyPayment"; readonly times?: number }
  /** The right code places the order, and the socket is destroyed without a byte of answer. */
  | { readonly switch: "verifyThenDrop"; readonly times?: number }
  /** Wait: before the commit, between commit and answer, or before any page or API answer that is no commit. */
  | ({
      readonly switch: "delay";
      readonly ms: number;
      readonly at: "before_commit" | "after_commit" | "page";
    } & CommitFault)
  /** Charge this much more than the order's lines at the moment of commit (decision 10); the order says so. */
  | { readonly switch: "chargeOver"; readonly deltaMinor: number; readonly times?: number }
  /** Move every total by this from now on, through the delivery price. */
  | { readonly switch: "total"; readonly deltaMinor: number }
  /** Move one SKU's unit price by this from now on. */
  | { readonly switch: "price"; readonly sku: string; readonly deltaMinor: number }
  /** Retitle a product or variant from now on. */
  | { readonly switch: "title"; readonly text: string; readonly sku: string }
  /** Order history, order and membership pages (and their API twins) answer 503. */
  | { readonly switch: "readBack"; readonly times?: number };

export type SwitchName = SwitchSetting["switch"];
type Setting<N extends SwitchName> = Extract<SwitchSetting, { switch: N }>;

export interface Switches {
  /** Turns a switch on, replacing an earlier setting for the same target. */
  readonly set: (setting: SwitchSetting) => void;
  readonly clear: (name: SwitchName) => void;
  readonly reset: () => void;
  /** What is on now, with the remaining `times`. */
  readonly list: () => readonly SwitchSetting[];
  /** Uses the switch once, if it is on for this commit. */
  readonly take: <N extends SwitchName>(name: N, where?: Where) => Setting<N> | undefined;
  readonly changes: () => CatalogueChanges;
}

interface Where {
  readonly commit?: CommitKind;
  readonly at?: Setting<"delay">["at"];
}

/** The SKU that `title` changes unless told otherwise. */
export const DEFAULT_TITLE_SKU = PRODUCTS[0]?.sku ?? "";

function targetOf(setting: SwitchSetting): string {
  const on = "on" in setting ? setting.on : undefined;
  const at = "at" in setting ? setting.at : undefined;
  const sku = "sku" in setting ? setting.sku : undefined;
  return [setting.switch, on, at, sku].join("|");
}

function applies(setting: SwitchSetting, where: Where): boolean {
  if ("on" in setting && setting.on !== undefined && setting.on !== where.commit) return false;
  return !("at" in setting) || setting.at === where.at;
}

export function createSwitches(): Switches {
  const settings = new Map<string, SwitchSetting>();
  const remaining = new Map<string, number>();

  const clearTarget = (target: string): void => {
    settings.delete(target);
    remaining.delete(target);
  };

  return {
    set: (setting) => {
      const target = targetOf(setting);
      clearTarget(target);
      settings.set(target, setting);
      if ("times" in setting && setting.times !== undefined) remaining.set(target, setting.times);
    },
    clear: (name) => {
      for (const [target, setting] of settings) if (setting.switch === name) clearTarget(target);
    },
    reset: () => {
      settings.clear();
      remaining.clear();
    },
    list: () =>
      [...settings].map(([target, setting]) => {
        const times = remaining.get(target);
        return times === undefined ? setting : { ...setting, times };
      }),
    take: <N extends SwitchName>(name: N, where: Where = {}) => {
      for (const [target, setting] of settings) {
        if (setting.switch !== name || !applies(setting, where)) continue;
        const times = remaining.get(target);
        if (times !== undefined) {
          if (times <= 1) clearTarget(target);
          else remaining.set(target, times - 1);
        }
        return setting as Setting<N>;
      }
      return undefined;
    },
    changes: () => {
      let deliveryDeltaMinor = 0;
      const unitDeltaMinor = new Map<string, number>();
      const titles = new Map<string, string>();
      for (const setting of settings.values()) {
        if (setting.switch === "total") deliveryDeltaMinor = setting.deltaMinor;
        if (setting.switch === "price") unitDeltaMinor.set(setting.sku, setting.deltaMinor);
        if (setting.switch === "title") titles.set(setting.sku, setting.text);
      }
      return { deliveryDeltaMinor, unitDeltaMinor, titles };
    },
  };
}
