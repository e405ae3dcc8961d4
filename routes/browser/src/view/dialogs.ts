import type { ViewMessage } from "@countersign/plugin";
import type { Dialog } from "playwright-core";
import { VIEW_DIALOG_MS, VIEW_DIALOG_TEXT_MAX_CHARS } from "../limits.ts";
import type { Timers } from "../timers.ts";

export type DialogMessage = Extract<ViewMessage, { type: "dialog" }>;

/** The page's `alert`, `confirm` and `prompt`: not in the picture, and the page stands still until they are answered. */
export class Dialogs {
  readonly #timers: Timers;
  readonly #emit: (message: DialogMessage) => void;
  #open: { readonly dialog: Dialog; readonly message: DialogMessage; readonly stop: () => void } | undefined;

  constructor(timers: Timers, emit: (message: DialogMessage) => void) {
    this.#timers = timers;
    this.#emit = emit;
  }

  /** For a viewer that comes while one is open. */
  get current(): DialogMessage | undefined {
    return this.#open?.message;
  }

  opened(dialog: Dialog): void {
    // "Leave this page?" is asked of somebody who has just said so.
    if (dialog.type() === "beforeunload") {
      dialog.accept().catch(() => {});
      return;
    }
    this.#open?.stop();
    const text = dialog.message().slice(0, VIEW_DIALOG_TEXT_MAX_CHARS);
    const message: DialogMessage = { type: "dialog", kind: dialog.type(), text };
    const stop = this.#timers.after(VIEW_DIALOG_MS, () => {
      void this.answer("dismiss");
    });
    this.#open = { dialog, message, stop };
    this.#emit(message);
  }

  async answer(how: "accept" | "dismiss", text?: string): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    open.stop();
    const answered = how === "accept" ? open.dialog.accept(text) : open.dialog.dismiss();
    await answered.catch(() => {});
  }
}
