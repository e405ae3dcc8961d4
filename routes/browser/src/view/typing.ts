import type { CDPSession, Frame, Page } from "playwright-core";
import { VIEW_TEXT_MAX_CHARS } from "../limits.ts";
import { keysFor } from "./keys.ts";

/** Which way of entering a text the focused field takes. */
type Field = "keys" | "paste_taken" | "text";

/** Codes and dates: the only texts for which the focused field is looked at. */
const SHORT = /^[0-9A-Za-z ./:-]{2,20}$/;

/**
 * Puts composed or pasted text where the focus is. Most fields take it at once; a row of one-digit boxes gets a paste
 * event and else single keys, date and time fields take keys only.
 */
export async function enterText(page: Page, cdp: CDPSession, text: string): Promise<void> {
  const cut = text.slice(0, VIEW_TEXT_MAX_CHARS);
  const field = SHORT.test(cut) ? await offer(page, cut) : "text";
  if (field === "paste_taken") return;
  if (field === "text") return insertText(cdp, cut);
  for (const character of cut.replace(/[^0-9A-Za-z]/g, "")) {
    for (const dispatch of keysFor(character)) await cdp.send("Input.dispatchKeyEvent", dispatch);
  }
}

export async function insertText(cdp: CDPSession, text: string): Promise<void> {
  await cdp.send("Input.insertText", { text: text.slice(0, VIEW_TEXT_MAX_CHARS) });
}

/** Shows what is being composed, underlined, where the focus is: the page hears of it as of an input method's. */
export async function compose(cdp: CDPSession, text: string): Promise<void> {
  const cut = text.slice(0, VIEW_TEXT_MAX_CHARS);
  await cdp.send("Input.imeSetComposition", { text: cut, selectionStart: cut.length, selectionEnd: cut.length });
}

async function offer(page: Page, text: string): Promise<Field> {
  const frames: readonly Frame[] = page.frames();
  const answers = await Promise.all(frames.map((frame) => frame.evaluate(offerInFrame, text).catch(() => null)));
  return answers.find((each) => each !== null) ?? "text";
}

/** Runs in the page. Null where the focus is not in this frame itself. */
function offerInFrame(text: string): Field | null {
  if (!document.hasFocus()) return null;
  let active: Element | null = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (!active || active.tagName === "IFRAME" || active.tagName === "FRAME") return null;
  if (!(active instanceof HTMLInputElement)) return "text";
  if (["date", "time", "datetime-local", "month", "week"].includes(active.type)) return "keys";
  if (active.maxLength !== 1) return "text";
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  return active.dispatchEvent(paste) ? "keys" : "paste_taken";
}
