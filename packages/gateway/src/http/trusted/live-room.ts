import type { LiveView, ViewInput, ViewMessage } from "@countersign/plugin";
import type { LiveClientMessage, LiveServerMessage } from "../../trusted/contract.ts";

/** Pictures on their way to one window; a later one waits, and the one that waited is left out. */
const PICTURES_IN_FLIGHT_MAX = 3;

type Picture = Extract<ViewMessage, { type: "frame" }>;

/** One window's end of the line; what it says comes in by {@link Seat.hear}. */
export interface Line {
  say(message: LiveServerMessage): void;
  show(picture: Picture): void;
  /** The view has ended. */
  end(): void;
}

export interface Seat {
  hear(message: LiveClientMessage): void;
  leave(): void;
}

interface Taken {
  readonly line: Line;
  inFlight: number;
  waiting: Picture | undefined;
}

/**
 * The windows of one session that look at one live view. One drives, the others watch, and it is here that this is
 * enforced: what a watching window sends is dropped, whatever its page shows (U46). The first window drives; a later one
 * has to say that it takes over, and a seat that its driver has left is free for whoever takes it or comes next.
 */
export class LiveRoom {
  readonly #view: LiveView;
  readonly #onTrouble: (inputType: string) => void;
  readonly #windows = new Set<Taken>();
  #driver: Taken | undefined;

  constructor(view: LiveView, onTrouble: (inputType: string) => void) {
    this.#view = view;
    this.#onTrouble = onTrouble;
  }

  join(line: Line): Seat {
    const window: Taken = { line, inFlight: 0, waiting: undefined };
    this.#windows.add(window);
    this.#driver ??= window;
    this.#tellRole(window);
    const unsubscribe = this.#view.subscribe((message) => this.#pass(window, message));
    return {
      hear: (message) => this.#hear(window, message),
      leave: () => {
        if (!this.#windows.delete(window)) return;
        unsubscribe();
        if (this.#driver === window) this.#seat(undefined);
      },
    };
  }

  #hear(window: Taken, message: LiveClientMessage): void {
    if (message.type === "take") this.#seat(window);
    else if (message.type === "ack") this.#acked(window, message.id);
    else if (this.#driver === window) this.#drive(message);
  }

  #seat(window: Taken | undefined): void {
    if (this.#driver === window) return;
    this.#driver = window;
    for (const each of this.#windows) this.#tellRole(each);
  }

  #tellRole(window: Taken): void {
    const role = this.#driver === window ? "driver" : "watcher";
    window.line.say({ type: "role", role, driven: this.#driver !== undefined });
  }

  #pass(window: Taken, message: ViewMessage): void {
    if (message.type === "frame") this.#picture(window, message);
    else window.line.say(message);
    if (message.type === "closed") window.line.end();
  }

  #picture(window: Taken, picture: Picture): void {
    if (window.inFlight < PICTURES_IN_FLIGHT_MAX) {
      window.inFlight++;
      window.line.show(picture);
      return;
    }
    const leftOut = window.waiting;
    window.waiting = picture;
    if (leftOut !== undefined) this.#paces(window, leftOut.id);
  }

  #acked(window: Taken, id: number): void {
    this.#paces(window, id);
    window.inFlight = Math.max(0, window.inFlight - 1);
    const next = window.waiting;
    window.waiting = undefined;
    if (next !== undefined) this.#picture(window, next);
  }

  /** The driver's eyes set the pace of the pictures; without a driver anybody's do. */
  #paces(window: Taken, id: number): void {
    if (this.#driver === undefined || this.#driver === window) this.#drive({ type: "ack", id });
  }

  #drive(input: ViewInput): void {
    this.#view.input(input).catch(() => this.#onTrouble(input.type));
  }
}
