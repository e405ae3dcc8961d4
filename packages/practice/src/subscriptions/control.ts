import type { IncomingMessage } from "node:http";
import { type Answer, json } from "../http/reply.ts";
import { DELAY_MS_MAX } from "../limits.ts";
import { type SiteControl, siteControl } from "../site/control.ts";
import { answerPort } from "../site/port.ts";
import { subscriptionWire } from "./api/wire.ts";
import { cancel, changePlan, quoteCancellation, quotePlan } from "./contract.ts";
import { changeHolder, quoteHolder } from "./holder.ts";
import type { Cancellation, HolderChange, HolderWish, PlanChange, Subscription } from "./model.ts";
import { type LanternCommit, type LanternSetting, problemWithLantern } from "./switches.ts";
import { type LanternCounters, type LanternWorld, resetLanternWorld, restoreContracts } from "./world.ts";

/** Everything a test or demo can do to the subscription service from outside its pages. */
export interface LanternControl extends SiteControl<LanternSetting, LanternCounters, LanternCommit> {
  /** Every plan costs this much more to whoever moves to it from now on. 0 moves it back. */
  readonly price: (deltaMinor: number) => void;
  /** What is offered for staying is something else than before. */
  readonly offer: (state: "another" | "as_before") => void;
  /** What the service says of a change has a sentence more. */
  readonly notice: (state: "more" | "as_before") => void;
  readonly chargeOver: (deltaMinor: number, scope?: { readonly times?: number }) => void;
  /** Subscriptions and account as at the opening; counters and what was done stay. */
  readonly restore: () => void;
  /** As the person would on their phone: not counted, no fault strikes it. */
  readonly cancelElsewhere: (subscription: string) => Cancellation;
  readonly changePlanElsewhere: (subscription: string, plan: string) => PlanChange;
  readonly changeHolderElsewhere: (wish: HolderWish) => HolderChange;
  readonly subscriptions: () => readonly Subscription[];
  /** Oldest first, all three. */
  readonly cancellations: () => readonly Cancellation[];
  readonly planChanges: () => readonly PlanChange[];
  readonly holderChanges: () => readonly HolderChange[];
  /** Every token that programs were given since the service opened or was reset. */
  readonly issued: () => readonly string[];
}

function offered<T>(quote: T | string): T {
  if (typeof quote === "string") throw new RangeError(`practice subscription service: ${quote}`);
  return quote;
}

export function createLanternControl(world: LanternWorld): LanternControl {
  const common = siteControl<LanternCommit, LanternSetting, LanternCounters>({
    title: "practice subscription service",
    world,
    switches: world.switches,
    problemWith: (setting) => problemWithLantern(setting, DELAY_MS_MAX),
    counters: () => ({ ...world.state.counters }),
    endSession: () => {
      world.state.sessions.clear();
      world.state.tokens.clear();
    },
    reset: () => resetLanternWorld(world),
  });
  return {
    ...common,
    price: (deltaMinor) => common.set({ switch: "price", deltaMinor }),
    offer: (state) => (state === "another" ? common.set({ switch: "offer" }) : common.clear("offer")),
    notice: (state) => (state === "more" ? common.set({ switch: "notice" }) : common.clear("notice")),
    chargeOver: (deltaMinor, scope = {}) => common.set({ switch: "chargeOver", deltaMinor, ...scope }),
    restore: () => restoreContracts(world),
    cancelElsewhere: (subscription) => cancel(world, offered(quoteCancellation(world, subscription)), ""),
    changePlanElsewhere: (subscription, plan) => changePlan(world, offered(quotePlan(world, subscription, plan)), ""),
    changeHolderElsewhere: (wish) => changeHolder(world, offered(quoteHolder(world, wish)), ""),
    subscriptions: () => world.state.subscriptions,
    cancellations: () => world.state.cancellations,
    planChanges: () => world.state.planChanges,
    holderChanges: () => world.state.holderChanges,
    issued: () => world.state.issued,
  };
}

/** The service's control port: what every site's has, `GET /subscriptions` and `POST /restore`. */
export function answerLanternControl(world: LanternWorld, request: IncomingMessage): Promise<Answer> {
  const control = createLanternControl(world);
  return answerPort<LanternSetting>(
    {
      control,
      problemWith: (setting) => problemWithLantern(setting, DELAY_MS_MAX),
      withDefaults: (body) => body,
      more: {
        "GET /subscriptions": () => json(200, { subscriptions: control.subscriptions().map(subscriptionWire) }),
        "POST /restore": () => {
          control.restore();
          return json(200, { done: true });
        },
      },
    },
    request,
  );
}
