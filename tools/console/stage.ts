import { assert } from "@countersign/wire";
import type { Browser } from "playwright-core";
import type { Album } from "./album.ts";
import { type Demo, startDemo } from "./demo.ts";
import { Device, type DeviceName } from "./device.ts";
import { firstRun, type Walk } from "./first-run.ts";

interface Opened {
  readonly walk: Walk;
  readonly demo: Demo;
  /** The first run has come to its end. */
  ready: boolean;
}

/** One gateway at a time, each with its newcomer: on a small machine two would only wait for each other. */
export class Stage {
  readonly browser: Browser;
  readonly album: Album;
  readonly #say: (line: string) => void;
  #open: Opened | undefined;

  constructor(browser: Browser, album: Album, say: (line: string) => void) {
    this.browser = browser;
    this.album = album;
    this.#say = say;
  }

  /** A newcomer who has been through the first run on this device, with the gateway still running. */
  async newcomer(name: DeviceName): Promise<Walk> {
    if (this.#open?.walk.device.name !== name) {
      await this.close();
      this.#open = await this.#start(name);
      await firstRun(this.#open.walk);
      this.#open.ready = true;
    }
    assert(this.#open.ready, `the first run on the ${name} did not come to its end`);
    return this.#open.walk;
  }

  /** What the demonstration said last, and a picture of where a scenario ended that should not have. */
  async lookAtFailure(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    const last = open.demo.lastWords();
    if (last !== undefined) this.#say(`the demonstration has ended:\n${last}`);
    const { context, name } = open.walk.device;
    for (const page of context.pages()) await this.album.add(page, name, "FAILED", "screen");
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.walk.device.context.close();
    await open?.demo.stop();
  }

  async #start(name: DeviceName): Promise<Opened> {
    const demo = await startDemo();
    this.#say(`        countersign demo runs at ${demo.issuer}`);
    try {
      // At the desk being signed in is enough to approve; on the phone the operator demands a passkey.
      if (name === "phone") await demo.countersign("policy", "set", "retail.order.submit", "passkey");
      const device = await Device.open(this.browser, name, demo.issuer);
      return { demo, ready: false, walk: { browser: this.browser, demo, device, album: this.album } };
    } catch (cause) {
      await demo.stop();
      throw cause;
    }
  }
}
