import type { Page } from "playwright-core";
import { watchCanvas } from "./watch.ts";

/** What people type to sign in; each character differs from the one before it. */
const TEXT = "a.b@c-d.co+Z7_4 kW9!x#m";
/** The field is emptied after so many keys: text that runs out of it would look the same with every further key. */
const LINE_KEYS = 20;
const STILL_MS = 700;

export interface Typed {
  readonly times: readonly number[];
  /** Keys whose picture never came. */
  readonly missed: number;
  /** What should stand in the field now. */
  readonly line: string;
}

/** Types into the field that has the focus in the picture, one key after the other, and takes the time of each. */
export async function typeKeys(
  page: Page,
  keys: number,
  at: { readonly x: number; readonly y: number },
): Promise<Typed> {
  const canvas = page.locator("canvas");
  await still(page);
  await canvas.click({ position: at });
  await still(page);
  const watcher = await watchCanvas(page, at.y);
  const times: number[] = [];
  let missed = 0;
  let line = "";
  for (let pressed = 0; pressed < keys; pressed++) {
    if (line.length === LINE_KEYS) {
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Backspace");
      await still(page);
      line = "";
    }
    const key = TEXT[pressed % TEXT.length] ?? "a";
    const ms = await watcher.press(key);
    if (ms === undefined) missed++;
    else times.push(ms);
    line += key;
  }
  return { times, missed, line };
}

/** A caret blinks; everything else has to have come to rest. */
async function still(page: Page): Promise<void> {
  await page.waitForTimeout(STILL_MS);
}

export function share(times: readonly number[], of: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * of) - 1)] ?? Number.NaN).toFixed(1));
}
