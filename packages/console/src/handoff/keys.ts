import type { ViewInput } from "@countersign/plugin";

type KeyInput = Extract<ViewInput, { readonly type: "key" }>;

/** What of a keyboard event the remote page is to see. */
export interface KeyLike {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
}

/** Keys without a character that a page understands. All others stay with the person's own browser (F5, F6, F12, ...). */
const NAMED = new Set([
  "Backspace",
  "Tab",
  "Enter",
  "Shift",
  "Control",
  "Alt",
  "AltGraph",
  "Escape",
  "PageUp",
  "PageDown",
  "End",
  "Home",
  "ArrowLeft",
  "ArrowUp",
  "ArrowRight",
  "ArrowDown",
  "Delete",
]);
/** Chords that edit text. Others (new tab, close, find, copy, paste) belong to the person's own browser. */
const EDITING = new Set(["a", "y", "z"]);

/**
 * A key of the person's keyboard as the gateway takes it. Undefined for what must not go as a key: a dead key and a
 * composition (their text follows as text), paste (its text follows as text), and the browser's own shortcuts.
 */
export function keyInput(event: KeyLike, action: KeyInput["action"]): KeyInput | undefined {
  if (event.isComposing) return undefined;
  const isCharacter = Array.from(event.key).length === 1;
  if (!isCharacter && !NAMED.has(event.key)) return undefined;
  if (isCharacter && isChord(event) && !EDITING.has(event.key.toLowerCase())) return undefined;
  const line = event.metaKey ? LINE[event.key] : undefined;
  if (line !== undefined) return named(line, event, action);
  // Alt+Left and Alt+Right would be the person's own history, and Alt+Tab their window; plain text keys with Alt are letters on a Mac.
  if (event.altKey && !event.ctrlKey && event.key.startsWith("Arrow")) return undefined;
  return {
    type: "key",
    action,
    key: event.key,
    code: event.code,
    shift: event.shiftKey,
    ctrl: event.ctrlKey,
    alt: event.altKey,
    meta: event.metaKey,
  };
}

/** On a Mac, Command with an arrow goes to the end of the line or of the text; the remote browser has keys for that. */
const LINE: Readonly<Record<string, { readonly key: "Home" | "End"; readonly ctrl: boolean }>> = {
  ArrowLeft: { key: "Home", ctrl: false },
  ArrowRight: { key: "End", ctrl: false },
  ArrowUp: { key: "Home", ctrl: true },
  ArrowDown: { key: "End", ctrl: true },
};

function named(
  { key, ctrl }: { readonly key: string; readonly ctrl: boolean },
  { shiftKey: shift }: KeyLike,
  action: KeyInput["action"],
): KeyInput {
  return { type: "key", action, key, code: key, shift, ctrl, alt: false, meta: false };
}

/** Control alone or Command with a character. Control with Alt is AltGr on Windows: it makes characters such as `@`. */
function isChord(event: KeyLike): boolean {
  return (event.ctrlKey && !event.altKey) || event.metaKey;
}

const TWICE_MS = 600;

/** The key that a keyboard alone needs to leave the picture: Escape twice. Tab belongs to the page inside. */
export class EscapeTwice {
  #at = Number.NEGATIVE_INFINITY;

  /** Takes each key that goes down, with the time of its event. True when the person asks to leave. */
  isLeaving(key: string, atMs: number): boolean {
    if (key !== "Escape") {
      this.#at = Number.NEGATIVE_INFINITY;
      return false;
    }
    const twice = atMs - this.#at <= TWICE_MS;
    this.#at = twice ? Number.NEGATIVE_INFINITY : atMs;
    return twice;
  }
}

/** A key press as two inputs: what the buttons beside the picture send, for keyboards that have no such key. */
export function pressOf(key: "Tab" | "Enter" | "Backspace"): readonly KeyInput[] {
  const base = { type: "key", key, code: key, shift: false, ctrl: false, alt: false, meta: false } as const;
  return [
    { ...base, action: "down" },
    { ...base, action: "up" },
  ];
}
