import type { Timers } from "../timers.ts";

const AGAIN_MS = 50;
/** Chromium's words while one page is on its way out and the next is not yet the one in force. */
const BETWEEN_PAGES = "Not attached to an active page";

/** Goes back or reloads; asked between two pages, which have no history yet, it asks again a moment later. */
export async function onceSettled(timers: Timers, tries: number, step: () => Promise<unknown>): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      await step();
      return;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(BETWEEN_PAGES))) throw error;
    }
    await new Promise<void>((resolve) => {
      timers.after(AGAIN_MS, resolve);
    });
  }
}
