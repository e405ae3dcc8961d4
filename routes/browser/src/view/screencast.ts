import type { CDPSession } from "playwright-core";
import {
  VIEW_FRAME_MIN_MS,
  VIEW_FRAME_WAIT_MS,
  VIEW_FRAMES_IN_FLIGHT_MAX,
  VIEW_JPEG_QUALITY,
  VIEW_SCALE,
} from "../limits.ts";
import type { Timers } from "../timers.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Frame extends Size {
  readonly id: number;
  readonly jpeg: Uint8Array;
}

export interface ScreencastOptions {
  /** A session of the page's. */
  readonly cdp: CDPSession;
  readonly timers: Timers;
  /** Ids are unique over all pages of a view. */
  nextId(): number;
  onFrame(frame: Frame): void;
}

/**
 * Pictures of one page. The browser stops by itself after three frames that nobody acknowledged, so a slow or absent
 * viewer costs nothing; acknowledgements are passed on no faster than {@link VIEW_FRAME_MIN_MS} apart.
 */
export class Screencast {
  readonly #options: ScreencastOptions;
  /** Our id of a frame to the number the browser wants back. */
  readonly #unacked = new Map<number, number>();
  readonly #acks: number[] = [];
  #size: Size;
  #running = false;
  #pacing = false;
  #stopWaiting: () => void = () => {};

  constructor(options: ScreencastOptions, size: Size) {
    this.#options = options;
    this.#size = size;
    options.cdp.on("Page.screencastFrame", (frame) => {
      if (!this.#running) return;
      this.#stopWaiting();
      const id = options.nextId();
      this.#unacked.set(id, frame.sessionId);
      const { deviceWidth, deviceHeight } = frame.metadata;
      const jpeg = new Uint8Array(Buffer.from(frame.data, "base64"));
      options.onFrame({ id, width: deviceWidth, height: deviceHeight, jpeg });
    });
  }

  /** Starts, or starts again: the browser then sends a frame even of a page that stands still. */
  async start(size: Size = this.#size): Promise<void> {
    this.#size = size;
    if (this.#running) await this.#send("Page.stopScreencast");
    this.#running = true;
    this.#unacked.clear();
    this.#acks.length = 0;
    await this.#options.cdp
      .send("Page.startScreencast", {
        format: "jpeg",
        quality: VIEW_JPEG_QUALITY,
        maxWidth: size.width * VIEW_SCALE,
        maxHeight: size.height * VIEW_SCALE,
      })
      .catch(() => {});
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#stopWaiting();
    await this.#send("Page.stopScreencast");
  }

  /** Frames of an earlier start are not acknowledged any more. */
  ack(id: number): void {
    const number = this.#unacked.get(id);
    if (number === undefined) return;
    this.#unacked.delete(id);
    this.#acks.push(number);
    if (!this.#pacing) this.#pass();
  }

  /** Something changed: a frame should follow. Without one the stream is stuck and is started again. */
  expectFrame(): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#options.timers.after(VIEW_FRAME_WAIT_MS, () => {
      if (this.#running && this.#unacked.size < VIEW_FRAMES_IN_FLIGHT_MAX) void this.start();
    });
  }

  #pass(): void {
    const number = this.#acks.shift();
    this.#pacing = number !== undefined;
    if (number === undefined) return;
    this.#options.cdp.send("Page.screencastFrameAck", { sessionId: number }).catch(() => {});
    this.#options.timers.after(VIEW_FRAME_MIN_MS, () => this.#pass());
  }

  async #send(method: "Page.stopScreencast"): Promise<void> {
    await this.#options.cdp.send(method).catch(() => {});
  }
}
