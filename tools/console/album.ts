import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Pictures of each page and state, light and dark, under names that sort in the order of the walk. */
export class Album {
  readonly folder: string;
  readonly #counts = new Map<string, number>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** An empty one: pictures of an earlier run are not of this one. */
  static open(folder: string): Album {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (name.endsWith(".png")) rmSync(join(folder, name));
    return new Album(folder);
  }

  /** @param whole `screen` shows what fits; `page` all that can be scrolled to. */
  async add(page: Page, walk: string, name: string, whole: "page" | "screen" = "page"): Promise<void> {
    const count = (this.#counts.get(walk) ?? 0) + 1;
    this.#counts.set(walk, count);
    const title = `${walk}-${String(count).padStart(2, "0")}-${name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}`;
    const usual = page.viewportSize();
    // A screen as high as the page: what stands at the edge of a screen would else be drawn across a long page.
    if (whole === "page" && usual !== null) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...usual, height: Math.max(usual.height, height) });
    }
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      // Hiding the caret would put a style into the page, which the page's own policy rightly refuses.
      await page.screenshot({ path: join(this.folder, `${title}.${colorScheme}.png`), caret: "initial" });
    }
    if (usual !== null) await page.setViewportSize(usual);
  }
}
