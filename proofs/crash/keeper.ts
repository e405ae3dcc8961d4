import { Died, type GatewayProcess } from "./gateway-process.ts";
import type { CrashWorld } from "./world.ts";

export const PAST_EVERY_LEASE_MS = 3 * 60_000;
const TAKE_OVER_MS = 1_500;

/** Sees to the process for all lives of one strike: when it has died the next one starts, when it is held others pass it. */
export class Keeper {
  struck = false;
  readonly #world: CrashWorld;
  #side: GatewayProcess | undefined;
  #busy: Promise<void> | undefined;

  constructor(world: CrashWorld) {
    this.#world = world;
  }

  /** True while there is something to see to. */
  troubled(): boolean {
    return this.#busy !== undefined || this.#world.gateway.dead() || this.#world.gateway.held();
  }

  recover(): Promise<void> {
    this.#busy ??= this.#seeTo().finally(() => {
      this.#busy = undefined;
    });
    return this.#busy;
  }

  async end(): Promise<void> {
    await this.recover();
    // The moment may come in between: then the process that took its place has nothing to disarm.
    await this.#world.gateway.ask({ do: "disarm" }).catch(async (error: unknown) => {
      if (!(error instanceof Died)) throw error;
      await this.#world.gateway.kill();
      await this.recover();
    });
    await this.#side?.kill();
    this.#side = undefined;
  }

  async #seeTo(): Promise<void> {
    const { gateway } = this.#world;
    if (gateway.dead()) {
      this.struck = true;
      await this.#world.revive();
      // On a shared database a dead gateway's leases end by time alone.
      if (this.#world.store === "postgres") this.#world.advance(PAST_EVERY_LEASE_MS);
      return;
    }
    if (!gateway.held()) return;
    this.struck = true;
    if (this.#world.store === "postgres") {
      this.#side = await this.#world.beside();
      this.#world.advance(PAST_EVERY_LEASE_MS);
      await this.#side.ask({ do: "look" });
      await pause(TAKE_OVER_MS);
    } else {
      this.#world.advance(PAST_EVERY_LEASE_MS);
    }
    gateway.release();
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
