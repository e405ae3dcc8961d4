import type { ViewInput } from "@countersign/plugin";

export type KeyInput = Extract<ViewInput, { type: "key" }>;

/** Parameters of CDP `Input.dispatchKeyEvent`. */
export interface KeyDispatch {
  readonly type: "keyDown" | "rawKeyDown" | "keyUp";
  readonly key: string;
  readonly code: string;
  readonly modifiers: number;
  readonly windowsVirtualKeyCode?: number;
  readonly text?: string;
  readonly unmodifiedText?: string;
}

const ALT = 1;
const CTRL = 2;
const META = 4;
const SHIFT = 8;

/** Keys without a character of their own. Everything not listed and not one character is dropped (`Dead`, `F12`, ...). */
const NAMED: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Shift: 16,
  Control: 17,
  Alt: 18,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};

/** By place on the keyboard. A character's own code is not its key code: `.` is 46, and 46 is Delete (lessons U46). */
const BY_CODE: Readonly<Record<string, number>> = {
  Space: 32,
  Semicolon: 186,
  Equal: 187,
  Comma: 188,
  Minus: 189,
  Period: 190,
  Slash: 191,
  Backquote: 192,
  BracketLeft: 219,
  Backslash: 220,
  BracketRight: 221,
  Quote: 222,
  IntlBackslash: 226,
};

/** Chords that edit. Copy, cut and paste are not among them: a person's contexts share one clipboard. */
const CHORDS = new Set(["a", "z", "y"]);

/** What is dispatched for a key of the person's, or undefined for one that is dropped. */
export function keyDispatch(input: KeyInput): KeyDispatch | undefined {
  const named = NAMED[input.key];
  if (named !== undefined) return namedKey(input, named);
  if (Array.from(input.key).length !== 1) return undefined;
  const chord = chordOf(input);
  if (chord === "refused") return undefined;
  if (chord) return chord;
  const base = { key: input.key, code: input.code, modifiers: input.shift ? SHIFT : 0, ...virtual(input) };
  if (input.action === "up") return { type: "keyUp", ...base };
  return { type: "keyDown", ...base, text: input.key, unmodifiedText: input.key };
}

function namedKey(input: KeyInput, code: number): KeyDispatch {
  // The viewer's Command is the remote browser's Control: it runs on Linux.
  const control = input.ctrl || input.meta;
  const modifiers = (input.alt ? ALT : 0) | (control ? CTRL : 0) | (input.shift ? SHIFT : 0);
  const base = { key: input.key, code: input.code, modifiers, windowsVirtualKeyCode: code };
  if (input.action === "up") return { type: "keyUp", ...base };
  return input.key === "Enter" ? { type: "keyDown", ...base, text: "\r" } : { type: "rawKeyDown", ...base };
}

/**
 * Control or Command with a letter. Control and Alt together is AltGr, and Alt alone makes characters on a Mac: those
 * carry text, and with either bit set Chromium would type nothing.
 */
function chordOf(input: KeyInput): KeyDispatch | "refused" | undefined {
  const control = (input.ctrl && !input.alt) || input.meta;
  const menu = input.alt && !input.ctrl && !input.meta && input.key.toLowerCase() === keyOfCode(input.code);
  if (menu) return "refused";
  if (!control) return undefined;
  const key = input.key.toLowerCase();
  if (!CHORDS.has(key)) return "refused";
  return {
    type: input.action === "up" ? "keyUp" : "rawKeyDown",
    key,
    code: input.code,
    modifiers: CTRL | (input.shift ? SHIFT : 0),
    windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
  };
}

function virtual(input: KeyInput): { windowsVirtualKeyCode?: number } {
  const code = virtualKey(input);
  return code === undefined ? {} : { windowsVirtualKeyCode: code };
}

function virtualKey({ key, code }: KeyInput): number | undefined {
  if (/^[A-Za-z0-9]$/.test(key)) return key.toUpperCase().charCodeAt(0);
  if (key === " ") return 32;
  return BY_CODE[code];
}

function keyOfCode(code: string): string | undefined {
  return /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase();
}

/** Key down and up for one character typed by us, for fields that take keys only (dates, one-digit boxes). */
export function keysFor(character: string): readonly KeyDispatch[] {
  const letter = /^[A-Za-z]$/.test(character);
  const code = letter ? `Key${character.toUpperCase()}` : /^[0-9]$/.test(character) ? `Digit${character}` : "";
  const input = { type: "key", key: character, code, shift: false, ctrl: false, alt: false, meta: false } as const;
  return [keyDispatch({ ...input, action: "down" }), keyDispatch({ ...input, action: "up" })].filter(
    (each) => each !== undefined,
  );
}

export const KEY_MODIFIERS = { alt: ALT, ctrl: CTRL, meta: META, shift: SHIFT } as const;
