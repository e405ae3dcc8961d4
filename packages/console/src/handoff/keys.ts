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

/**
 * A key of the person's keyboard as the gateway takes it. Undefined for what is no key of its own: a dead key and a
 * composition (their text follows as text), the escape hatch, and paste, which the page does with its own text.
 */
export function keyInput(event: KeyLike, action: KeyInput["action"]): KeyInput | undefined {
  if (event.isComposing || event.key === "Dead" || event.key === "Process" || event.key === "Unidentified")
    return undefined;
  if (isEscapeHatch(event) || isPaste(event)) return undefined;
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

/** Ctrl+Shift+Escape gives the keyboard back to this page: Tab and Escape themselves belong to the remote one. */
export function isEscapeHatch(event: KeyLike): boolean {
  return event.key === "Escape" && event.ctrlKey && event.shiftKey;
}

export function isPaste(event: KeyLike): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "v";
}
