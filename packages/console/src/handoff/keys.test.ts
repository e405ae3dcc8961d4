import { describe, expect, it } from "vitest";
import { EscapeTwice, type KeyLike, keyInput, pressOf } from "./keys.ts";

const key = (more: Partial<KeyLike>): KeyLike => ({
  key: "a",
  code: "KeyA",
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  isComposing: false,
  ...more,
});

describe("keyInput", () => {
  it("U46 passes characters with the place of their key, so that `.` is never Delete", () => {
    expect(keyInput(key({ key: ".", code: "Period" }), "down")).toEqual({
      type: "key",
      action: "down",
      key: ".",
      code: "Period",
      shift: false,
      ctrl: false,
      alt: false,
      meta: false,
    });
  });

  it.each([
    ["AltGr on Windows", { key: "@", code: "KeyQ", ctrlKey: true, altKey: true }],
    ["Option on a Mac", { key: "@", code: "KeyL", altKey: true }],
    ["Shift", { key: "A", shiftKey: true }],
    ["an emoji key", { key: "😀", code: "" }],
    ["select all", { ctrlKey: true }],
    ["undo on a Mac", { key: "z", code: "KeyZ", metaKey: true }],
    ["Tab", { key: "Tab", code: "Tab" }],
    ["word by word", { key: "ArrowLeft", code: "ArrowLeft", ctrlKey: true }],
  ] as readonly (readonly [string, Partial<KeyLike>])[])("passes %s", (_name, more) => {
    expect(keyInput(key(more), "down")).toMatchObject({ key: more.key ?? "a" });
  });

  it.each([
    ["a dead key", { key: "Dead", code: "BracketLeft" }],
    ["a key of a composition", { isComposing: true }],
    ["what an input method took", { key: "Process", code: "KeyA" }],
    ["a key of an on-screen keyboard", { key: "Unidentified", code: "" }],
    ["paste", { key: "v", code: "KeyV", ctrlKey: true }],
    ["paste on a Mac", { key: "v", code: "KeyV", metaKey: true }],
    ["a new tab", { key: "t", code: "KeyT", ctrlKey: true }],
    ["reload", { key: "F5", code: "F5" }],
    ["going back", { key: "ArrowLeft", code: "ArrowLeft", altKey: true }],
  ])("leaves %s to the person's own browser", (_name, more) => {
    expect(keyInput(key(more), "down")).toBeUndefined();
  });
});

describe("EscapeTwice", () => {
  it("leaves on the second Escape in a short time, and not on others", () => {
    const keys = new EscapeTwice();
    expect(keys.isLeaving("Escape", 1_000)).toBe(false);
    expect(keys.isLeaving("Escape", 1_400)).toBe(true);
    expect(keys.isLeaving("Escape", 1_500)).toBe(false);
    expect(keys.isLeaving("Escape", 3_000)).toBe(false);
    expect(keys.isLeaving("a", 3_100)).toBe(false);
    expect(keys.isLeaving("Escape", 3_200)).toBe(false);
  });
});

it("pressOf presses and releases", () => {
  expect(pressOf("Enter").map((i) => i.action)).toEqual(["down", "up"]);
});
