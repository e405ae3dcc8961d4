import type { ViewInput } from "@countersign/plugin";

type MouseInput = Extract<ViewInput, { readonly type: "mouse" }>;

/** What of a pointer event matters, already in the remote page's own pixels. */
export interface PointerLike {
  readonly kind: "down" | "move" | "up" | "cancel";
  /** Tells fingers apart. */
  readonly pointerId: number;
  readonly isTouch: boolean;
  readonly x: number;
  readonly y: number;
  /** As in PointerEvent: 0 left, 1 middle, 2 right. */
  readonly button: number;
  readonly atMs: number;
}

const BUTTONS = ["left", "middle", "right"] as const;
const CLICKS_MAX = 3;
const AGAIN_MS = 500;
const NEAR_PX = 6;
/** A finger that moved further than this scrolls; one that did not taps. */
const TAP_PX = 10;
const MOVE_EVERY_MS = 33;

/** Mouse and touch as the gateway takes them: double clicks are counted, a swipe becomes scrolling, moves are thinned. */
export class PointerInput {
  #movedAt = Number.NEGATIVE_INFINITY;
  #last: { readonly x: number; readonly y: number; readonly atMs: number; readonly clicks: number } | undefined;
  readonly #down = new Set<number>();
  #finger: { x: number; y: number; readonly startX: number; readonly startY: number; scrolls: boolean } | undefined;

  /** The inputs that an event makes, in order; often none. */
  inputs(event: PointerLike): readonly MouseInput[] {
    return event.isTouch ? this.#touch(event) : this.#mouse(event);
  }

  #mouse(event: PointerLike): readonly MouseInput[] {
    const { x, y } = event;
    if (event.kind === "move") return this.#thin(event) ? [] : [{ type: "mouse", action: "move", x, y }];
    const button = BUTTONS[event.button];
    if (button === undefined) return [];
    if (event.kind === "down") return [{ type: "mouse", action: "down", x, y, button, clicks: this.#count(event) }];
    return [{ type: "mouse", action: "up", x, y, button, clicks: this.#last?.clicks ?? 1 }];
  }

  #touch(event: PointerLike): readonly MouseInput[] {
    const { x, y } = event;
    if (event.kind === "down") this.#down.add(event.pointerId);
    else if (event.kind !== "move") this.#down.delete(event.pointerId);
    // Two fingers enlarge the picture in the person's own browser; the page inside has no part in it.
    if (this.#down.size > 1) {
      this.#finger = undefined;
      return [];
    }
    if (event.kind === "down") {
      this.#finger = { x, y, startX: x, startY: y, scrolls: false };
      return [];
    }
    const finger = this.#finger;
    if (finger === undefined) return [];
    if (event.kind === "move") {
      if (Math.hypot(x - finger.startX, y - finger.startY) > TAP_PX) finger.scrolls = true;
      if (!finger.scrolls || this.#thin(event)) return [];
      const scroll = { deltaX: finger.x - x, deltaY: finger.y - y };
      finger.x = x;
      finger.y = y;
      return [{ type: "mouse", action: "wheel", x: finger.startX, y: finger.startY, ...scroll }];
    }
    this.#finger = undefined;
    if (event.kind === "cancel" || finger.scrolls) return [];
    const tap = { type: "mouse", x, y, button: "left", clicks: this.#count(event) } as const;
    return [
      { type: "mouse", action: "move", x, y },
      { ...tap, action: "down" },
      { ...tap, action: "up" },
    ];
  }

  #thin(event: PointerLike): boolean {
    if (event.atMs - this.#movedAt < MOVE_EVERY_MS) return true;
    this.#movedAt = event.atMs;
    return false;
  }

  #count({ x, y, atMs }: PointerLike): number {
    const last = this.#last;
    const again = last !== undefined && atMs - last.atMs <= AGAIN_MS && Math.hypot(x - last.x, y - last.y) <= NEAR_PX;
    const clicks = again ? (last.clicks % CLICKS_MAX) + 1 : 1;
    this.#last = { x, y, atMs, clicks };
    return clicks;
  }
}
