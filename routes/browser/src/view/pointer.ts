import type { ViewInput } from "@countersign/plugin";

export type MouseInput = Extract<ViewInput, { type: "mouse" }>;
type Button = NonNullable<MouseInput["button"]>;

/** Parameters of CDP `Input.dispatchMouseEvent`. */
export interface MouseDispatch {
  readonly type: "mouseMoved" | "mousePressed" | "mouseReleased" | "mouseWheel";
  readonly x: number;
  readonly y: number;
  readonly button: Button | "none";
  /** Bits of what is pressed, as in `MouseEvent.buttons`; a drag needs them. */
  readonly buttons: number;
  readonly clickCount?: number;
  readonly deltaX?: number;
  readonly deltaY?: number;
}

const BITS: Readonly<Record<Button, number>> = { left: 1, right: 2, middle: 4 };
const CLICKS_MAX = 3;
const WHEEL_MAX = 5_000;

/** @param pressed the bits before this event. @returns what is dispatched, and the bits after it. */
export function mouseDispatch(input: MouseInput, pressed: number): { dispatch: MouseDispatch; pressed: number } {
  const { x, y } = input;
  const button = input.button ?? "left";
  const clickCount = Math.min(Math.max(Math.trunc(input.clicks ?? 1), 1), CLICKS_MAX);
  switch (input.action) {
    case "move": {
      const held = (Object.keys(BITS) as Button[]).find((each) => pressed & BITS[each]) ?? "none";
      return { dispatch: { type: "mouseMoved", x, y, button: held, buttons: pressed }, pressed };
    }
    case "down": {
      const buttons = pressed | BITS[button];
      return { dispatch: { type: "mousePressed", x, y, button, buttons, clickCount }, pressed: buttons };
    }
    case "up": {
      const buttons = pressed & ~BITS[button];
      return { dispatch: { type: "mouseReleased", x, y, button, buttons, clickCount }, pressed: buttons };
    }
    case "wheel": {
      const delta = { deltaX: bounded(input.deltaX), deltaY: bounded(input.deltaY) };
      return { dispatch: { type: "mouseWheel", x, y, button: "none", buttons: pressed, ...delta }, pressed };
    }
  }
}

function bounded(delta: number | undefined): number {
  return Math.min(Math.max(delta ?? 0, -WHEEL_MAX), WHEEL_MAX);
}
