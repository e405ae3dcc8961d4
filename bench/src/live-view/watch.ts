import type { Page } from "playwright-core";

/** A glyph moves the caret: less than this many columns of difference is a caret that blinks. */
const GLYPH_PX = 6;
const KEY_MS = 10_000;
/** Half the height of the row that is looked at. */
const ROW_PX = 16;

/** Follows the live view's canvas in the person's own browser: from the key going down to the picture that shows it. */
export interface Watcher {
  /** Presses one key. @returns milliseconds from its event to the picture with it; undefined when none came. */
  press(key: string): Promise<number | undefined>;
}

interface Looking {
  from: number;
  got: number | undefined;
  done(): void;
}

export async function watchCanvas(page: Page, middleY: number): Promise<Watcher> {
  await page.evaluate(
    ({ glyphPx, middle, half }) => {
      const canvas = document.querySelector("canvas");
      const context = canvas?.getContext("2d", { willReadFrequently: true });
      if (!canvas || !context) throw new Error("the live view has its canvas");
      // The row of the field alone: to look at all of the picture would take longer than what is measured.
      const scale = canvas.width / canvas.getBoundingClientRect().width;
      const read = () => context.getImageData(0, (middle - half) * scale, canvas.width, 2 * half * scale);
      let before: ImageData = read();
      let looking: Looking | undefined;
      const differs = (after: ImageData): boolean => {
        if (after.width !== before.width || after.height !== before.height) return true;
        const [a, b] = [new Uint32Array(before.data.buffer), new Uint32Array(after.data.buffer)];
        let left = after.width;
        let right = -1;
        // JPEG rings around what changed; a real change is larger than its noise.
        for (let at = 0; at < a.length; at++) {
          const x = a[at] ?? 0;
          const y = b[at] ?? 0;
          if (x === y || Math.abs((x & 255) - (y & 255)) < 48) continue;
          const column = at % after.width;
          if (column < left) left = column;
          if (column > right) right = column;
        }
        return right - left >= glyphPx;
      };
      new MutationObserver(() => {
        const drawnAt = performance.now();
        if (looking === undefined || looking.from === 0) return;
        const after = read();
        if (!differs(after)) return;
        looking.got = drawnAt - looking.from;
        looking.done();
      }).observe(canvas, { attributeFilter: ["data-frame"] });
      addEventListener(
        "keydown",
        () => {
          if (looking !== undefined && looking.from === 0) looking.from = performance.now();
        },
        true,
      );
      Reflect.set(globalThis, "lookFor", (ms: number) => {
        before = read();
        return new Promise<void>((ready) => {
          Reflect.set(
            globalThis,
            "looked",
            new Promise<number | undefined>((resolve) => {
              const stop = setTimeout(() => resolve(undefined), ms);
              const mine: Looking = {
                from: 0,
                got: undefined,
                done: () => {
                  clearTimeout(stop);
                  looking = undefined;
                  resolve(mine.got);
                },
              };
              looking = mine;
              ready();
            }),
          );
        });
      });
    },
    { glyphPx: GLYPH_PX, middle: middleY, half: ROW_PX },
  );
  return {
    async press(key) {
      await page.evaluate((ms) => (Reflect.get(globalThis, "lookFor") as (ms: number) => Promise<void>)(ms), KEY_MS);
      await page.keyboard.press(key);
      return page.evaluate(() => Reflect.get(globalThis, "looked") as Promise<number | undefined>);
    },
  };
}
