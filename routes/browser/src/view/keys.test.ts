import { describe, expect, it } from "vitest";
import { type KeyInput, keyDispatch, keysFor } from "./keys.ts";

const key = (more: Partial<KeyInput>): KeyInput => ({
  type: "key",
  action: "down",
  key: "a",
  code: "KeyA",
  shift: false,
  ctrl: false,
  alt: false,
  meta: false,
  ...more,
});

describe("U46 keyDispatch", () => {
  it.each([
    [".", "Period", 190],
    ["-", "Minus", 189],
    ["@", "Digit2", undefined],
    ["#", "Digit3", undefined],
    ["a", "KeyA", 65],
    ["A", "KeyA", 65],
    ["5", "Numpad5", 53],
    [" ", "Space", 32],
    ["é", "Digit2", undefined],
  ])("types %s by its own key code, never by its character code", (character, code, virtual) => {
    const dispatch = keyDispatch(key({ key: character, code }));
    expect(dispatch).toMatchObject({ type: "keyDown", text: character });
    expect(dispatch?.windowsVirtualKeyCode).toBe(virtual);
  });

  it.each([
    ["AltGr on Windows", { key: "€", code: "KeyE", ctrl: true, alt: true }],
    ["AltGr with a plain letter", { key: "q", code: "KeyA", ctrl: true, alt: true }],
    ["Option on a Mac", { key: "@", code: "KeyL", alt: true }],
  ])("%s is text without modifiers", (_name, more) => {
    expect(keyDispatch(key(more))).toMatchObject({ type: "keyDown", text: more.key, modifiers: 0 });
  });

  it.each(["Dead", "Process", "Unidentified", "AltGraph", "F5", "F12", "MediaPlay", ""])("drops %j", (name) => {
    expect(keyDispatch(key({ key: name, code: "" }))).toBeUndefined();
  });

  it("lets editing chords through without text, Command as Control, and no clipboard", () => {
    expect(keyDispatch(key({ ctrl: true }))).toMatchObject({ type: "rawKeyDown", modifiers: 2 });
    expect(keyDispatch(key({ ctrl: true }))).not.toHaveProperty("text");
    expect(keyDispatch(key({ meta: true }))).toMatchObject({ modifiers: 2 });
    for (const letter of ["c", "v", "x", "t", "w", "p"]) {
      expect(keyDispatch(key({ key: letter, code: `Key${letter.toUpperCase()}`, ctrl: true }))).toBeUndefined();
    }
    expect(keyDispatch(key({ key: "d", code: "KeyD", alt: true }))).toBeUndefined();
  });

  it("gives Enter its text and other named keys none", () => {
    expect(keyDispatch(key({ key: "Enter", code: "Enter" }))).toMatchObject({ type: "keyDown", text: "\r" });
    expect(keyDispatch(key({ key: "Delete", code: "Delete" }))).toMatchObject({ type: "rawKeyDown" });
    expect(keyDispatch(key({ key: "Tab", code: "Tab", shift: true }))).toMatchObject({ modifiers: 8 });
    expect(keyDispatch(key({ action: "up" }))).toMatchObject({ type: "keyUp" });
  });
});

it("keysFor presses and releases", () => {
  expect(keysFor("7").map((each) => [each.type, each.windowsVirtualKeyCode])).toEqual([
    ["keyDown", 55],
    ["keyUp", 55],
  ]);
});
