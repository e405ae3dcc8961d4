import { progressAfterMs, progressEveryMs } from "./limits.ts";

/** Says on the error stream what is going on, once it has lasted longer than two seconds. */
export async function saying<T>(doing: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const say = (rest: string) => process.stderr.write(`evershop: ${doing}${rest}\n`);
  let said = false;
  const first = setTimeout(() => {
    said = true;
    say(" ...");
  }, progressAfterMs);
  const again = setInterval(() => say(` ... ${Math.round((Date.now() - startedAt) / 1000)} s`), progressEveryMs);
  try {
    const value = await work;
    if (said) say(`: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    return value;
  } finally {
    clearTimeout(first);
    clearInterval(again);
  }
}
