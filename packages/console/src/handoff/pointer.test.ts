import { describe, expect, it } from "vitest";
import { PointerInput, type PointerLike } from "./pointer.ts";

const event = (kind: PointerLike["kind"], more: Partial<PointerLike> = {}): PointerLike => ({
  kind,
  isTouch: false,
  pointerId: 1,
  x: 10,
  y: 10,
  button: 0,
  atMs: 1_000,
  ...more,
});

describe("PointerInput", () => {
  it("counts clicks that are near in place and time, up to three", () => {
    const pointer = new PointerInput();
    const clicks = [1_000, 1_200, 1_400, 1_600, 5_000].map(
      (atMs) => pointer.inputs(event("down", { atMs }))[0]?.clicks,
    );
    expect(clicks).toEqual([1, 2, 3, 1, 1]);
    expect(pointer.inputs(event("down", { atMs: 5_100, x: 100 }))[0]?.clicks).toBe(1);
  });

  it("thins moves, and names the button", () => {
    const pointer = new PointerInput();
    expect(pointer.inputs(event("move", { atMs: 1_000 }))).toHaveLength(1);
    expect(pointer.inputs(event("move", { atMs: 1_010 }))).toHaveLength(0);
    expect(pointer.inputs(event("move", { atMs: 1_050 }))).toHaveLength(1);
    expect(pointer.inputs(event("down", { button: 2 }))[0]).toMatchObject({ action: "down", button: "right" });
    expect(pointer.inputs(event("down", { button: 4 }))).toEqual([]);
  });

  it("makes a click of a tap, scrolling of a swipe, and nothing of a touch that was taken away", () => {
    const pointer = new PointerInput();
    const touch = (kind: PointerLike["kind"], y: number, atMs: number) =>
      pointer.inputs(event(kind, { isTouch: true, y, atMs })).map((i) => [i.action, i.deltaY]);
    touch("down", 100, 1_000);
    expect(touch("up", 103, 1_050).map(([action]) => action)).toEqual(["move", "down", "up"]);
    touch("down", 100, 2_000);
    expect(touch("move", 60, 2_050)).toEqual([["wheel", 40]]);
    expect(touch("move", 30, 2_100)).toEqual([["wheel", 30]]);
    expect(touch("up", 30, 2_120)).toEqual([]);
    touch("down", 100, 3_000);
    expect(touch("cancel", 100, 3_050)).toEqual([]);
    expect(touch("up", 100, 3_060)).toEqual([]);
  });

  it("leaves two fingers to the person's own browser, and goes on with the next single one", () => {
    const pointer = new PointerInput();
    const touch = (kind: PointerLike["kind"], pointerId: number, y: number) =>
      pointer.inputs(event(kind, { isTouch: true, pointerId, y })).map((i) => i.action);
    const first = [touch("down", 1, 100), touch("down", 2, 200), touch("move", 1, 50), touch("move", 2, 250)];
    expect([...first, touch("up", 1, 50), touch("up", 2, 250)].flat()).toEqual([]);
    touch("down", 3, 100);
    expect(touch("up", 3, 100)).toEqual(["move", "down", "up"]);
  });
});
