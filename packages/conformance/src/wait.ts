import { POLL_CAP_MS, POLL_FIRST_MS } from "./limits.ts";

/** Looks again until the answer fits; undefined when `limitMs` passed first. `pause` may ask for a longer one. */
export async function until<T>(
  look: () => Promise<T>,
  fits: (value: T) => boolean,
  limitMs: number,
  pause: (value: T) => number = () => POLL_CAP_MS,
): Promise<{ readonly fits: boolean; readonly last: T }> {
  const end = performance.now() + limitMs;
  for (let wait = POLL_FIRST_MS; ; wait *= 1.5) {
    const last = await look();
    if (fits(last)) return { fits: true, last };
    if (performance.now() > end) return { fits: false, last };
    await sleep(Math.min(wait, POLL_CAP_MS, Math.max(pause(last), POLL_FIRST_MS)));
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
