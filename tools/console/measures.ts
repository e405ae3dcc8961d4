import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CONSOLE_DIST } from "@countersign/console";
import { assert } from "@countersign/wire";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { firstScreenMs, quietLoadMax, scriptBytesMax, stepMs } from "./limits.ts";

type Say = (line: string) => void;

/**
 * The page's own time from the start of its navigation until its contents are there and what they lead to can be
 * pressed, in a browser that has seen nothing of the console before.
 */
export async function firstScreen(
  browser: Browser,
  what: { readonly url: string; readonly name: string; readonly text: string; readonly control: string },
  options: BrowserContextOptions,
  say: Say,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.addInitScript(({ text, control }) => {
      const look = () => {
        const usable = [...document.querySelectorAll("a, button:not([disabled])")].some((each) =>
          each.textContent?.includes(control),
        );
        if (!usable || !document.body.textContent?.includes(text)) return requestAnimationFrame(look);
        (globalThis as unknown as { usableMs: number }).usableMs = performance.now();
      };
      requestAnimationFrame(look);
    }, what);
    await page.goto(what.url);
    const there = () => (globalThis as unknown as { usableMs?: number }).usableMs;
    await page.waitForFunction(there, undefined, { timeout: stepMs });
    const took = Number(await page.evaluate(there));
    const load = loadavg()[0] ?? 0;
    const busy = load >= quietLoadMax;
    const how = busy ? `, measured under load ${load.toFixed(1)}` : "";
    say(`        ${what.name}: to be used after ${Math.round(took)} ms (wanted: under ${firstScreenMs})${how}`);
    assert(busy || took < firstScreenMs, `${what.name} takes ${Math.round(took)} ms`);
  } finally {
    await context.close();
  }
}

/** What all scripts of all pages weigh as they would be sent. */
export function weighScripts(say: Say): void {
  const folder = join(CONSOLE_DIST, "assets");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0);
  say(`        all scripts of all pages: ${bytes} bytes as gzip (wanted: under ${scriptBytesMax})`);
  assert(bytes < scriptBytesMax, `the scripts weigh ${bytes} bytes`);
}
