import type { IncomingMessage } from "node:http";
import { type Answer, json } from "../http/reply.ts";
import { DELAY_MS_MAX } from "../limits.ts";
import { type SiteControl, siteControl } from "../site/control.ts";
import { answerPort } from "../site/port.ts";
import { change, offerOf, pay } from "./account.ts";
import { changeWire, paymentWire } from "./api/wire.ts";
import type { Change, Payment, Wish } from "./model.ts";
import { FIRST_SETTINGS } from "./seed.ts";
import { problemWithUtility, type UtilityCommit, type UtilitySetting } from "./switches.ts";
import { resetUtilityWorld, type UtilityCounters, type UtilityWorld } from "./world.ts";

/** Everything a test or demo can do to Northlight from outside its pages. */
export interface UtilityControl extends SiteControl<UtilitySetting, UtilityCounters, UtilityCommit> {
  /** The fee of every way to pay moves by this from now on (never below nothing). 0 moves it back. */
  readonly fee: (deltaCents: number) => void;
  /** Every plan's price moves by this from now on. */
  readonly planPrice: (deltaCents: number) => void;
  /** Bills are charged so many days before they are due. */
  readonly chargeEarly: (days: number) => void;
  /** This much more than was said is taken. */
  readonly chargeOver: (deltaCents: number, scope?: { readonly times?: number }) => void;
  /** Every key is revoked; sessions stay. */
  readonly revokeKeys: () => void;
  /** The person's bank takes every payment back: the bills are open again, and the payments stay listed. */
  readonly reopenBills: () => void;
  /** Announced plan changes and automatic payment are as at opening time; what was done stays listed. */
  readonly withdrawChanges: () => void;
  /** Does what the person would do from another device: not counted, no fault strikes it. Gives its number. */
  readonly doElsewhere: (wish: Wish) => string;
  /** Every key that was made since Northlight opened or was reset. */
  readonly issued: () => readonly string[];
  /** Newest first, as are the changes. */
  readonly payments: () => readonly Payment[];
  readonly changes: () => readonly Change[];
}

export function createUtilityControl(world: UtilityWorld): UtilityControl {
  const common = siteControl<UtilityCommit, UtilitySetting, UtilityCounters>({
    title: "practice utility",
    world,
    switches: world.switches,
    problemWith: (setting) => problemWithUtility(setting, DELAY_MS_MAX),
    counters: () => ({ ...world.state.counters }),
    endSession: () => {
      world.state.sessions.clear();
      world.state.keys = [];
    },
    reset: () => resetUtilityWorld(world),
  });
  return {
    ...common,
    fee: (deltaCents) => common.set({ switch: "fee", deltaCents }),
    planPrice: (deltaCents) => common.set({ switch: "planPrice", deltaCents }),
    chargeEarly: (days) => common.set({ switch: "chargeEarly", days }),
    chargeOver: (deltaCents, scope = {}) => common.set({ switch: "chargeOver", deltaCents, ...scope }),
    revokeKeys: () => {
      world.state.keys = [];
    },
    reopenBills: () => {
      world.state.payments = world.state.payments.map((each) => ({ ...each, counts: "no" }));
    },
    withdrawChanges: () => {
      world.state.settings = FIRST_SETTINGS;
    },
    doElsewhere: (wish) => {
      const offer = offerOf(world, wish);
      if (typeof offer === "string") throw new RangeError(`practice utility: ${offer}`);
      return offer.kind === "payment" ? pay(world, offer).number : change(world, offer).number;
    },
    issued: () => world.state.issued,
    payments: () => world.state.payments.toReversed(),
    changes: () => world.state.changes.toReversed(),
  };
}

/** Northlight's control port: what every site's has, `GET /payments`, `GET /changes`, `POST /reopen-bills`. */
export function answerUtilityControl(world: UtilityWorld, request: IncomingMessage): Promise<Answer> {
  const control = createUtilityControl(world);
  const done = (act: () => void) => (): Answer => {
    act();
    return json(200, { done: true });
  };
  return answerPort<UtilitySetting>(
    {
      control,
      problemWith: (setting) => problemWithUtility(setting, DELAY_MS_MAX),
      withDefaults: (body) => body,
      more: {
        "GET /payments": () => json(200, { payments: control.payments().map(paymentWire) }),
        "GET /changes": () => json(200, { changes: control.changes().map(changeWire) }),
        "POST /reopen-bills": done(control.reopenBills),
        "POST /revoke-keys": done(control.revokeKeys),
      },
    },
    request,
  );
}
