import { ABSENT_SETTLE_MS } from "../limits.ts";

/**
 * Does the site's "it is not there" count? A site may show an order late, so the submission must have had its time
 * before the reading *began*: the end of a slow reading says nothing about its beginning (STA-4).
 */
export function absenceCounts(readingBegunAt: number, submittedAt: number): boolean {
  return readingBegunAt - submittedAt >= ABSENT_SETTLE_MS;
}
