import { currentTotp } from "./auth/credentials.ts";
import { createControl, type ShopControl } from "./control/control.ts";
import { answerControl } from "./control/port.ts";
import { dispatch } from "./http/dispatch.ts";
import { listen } from "./http/listen.ts";
import type { PracticeUser } from "./shop/model.ts";
import { type Random, seededRandom, systemRandom } from "./shop/random.ts";
import { PRACTICE_USER } from "./shop/seed.ts";
import { createWorld } from "./shop/world.ts";

export interface PracticeShopOptions {
  /** Port of the shop on 127.0.0.1; a free one when absent. */
  readonly port?: number;
  /** Port of the control server on 127.0.0.1; a free one when absent. */
  readonly controlPort?: number;
  /** Epoch milliseconds. One-time codes, sessions, orders and dates all follow it. */
  readonly clock?: () => number;
  /** How the `delay` switch waits; a timer when absent. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** ISO 4217 code of every price; EUR when absent. Minor-unit figures stay the same. */
  readonly currency?: string;
  /** Replaces members of the documented practice person. */
  readonly user?: Partial<PracticeUser>;
  /** Makes order numbers, tokens and references reproducible. Absent: the machine's randomness. */
  readonly seed?: string;
}

export interface PracticeShop {
  /** For example `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly controlOrigin: string;
  readonly control: ShopControl;
  readonly user: PracticeUser;
  /** The six digits the person's authenticator shows now. */
  readonly currentCode: () => string;
  /** Stops both servers and cuts their connections. */
  readonly close: () => Promise<void>;
}

function timer(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/**
 * Opens a practice shop on loopback: pages, JSON API, and a control port beside it. For tests, demos and adapters;
 * it stands for a destination and shares nothing with the gateway.
 */
export async function startPracticeShop(options: PracticeShopOptions = {}): Promise<PracticeShop> {
  const random: Random = options.seed === undefined ? systemRandom : seededRandom(options.seed);
  const user: PracticeUser = { ...PRACTICE_USER, ...options.user };
  const world = createWorld({
    now: options.clock ?? Date.now,
    sleep: options.sleep ?? timer,
    random,
    currency: options.currency ?? "EUR",
    user,
  });
  const shop = await listen(options.port ?? 0, (request) => dispatch(world, request));
  try {
    const controlServer = await listen(options.controlPort ?? 0, (request) => answerControl(world, request));
    return {
      origin: shop.origin,
      controlOrigin: controlServer.origin,
      control: createControl(world),
      user,
      currentCode: () => currentTotp(user, world.now()),
      close: async () => {
        await Promise.all([shop.close(), controlServer.close()]);
      },
    };
  } catch (error) {
    await shop.close();
    throw error;
  }
}
