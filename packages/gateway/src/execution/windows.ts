import { ABSENT_SETTLE_MS, READ_BACK_CAP_MS, READ_BACK_FIRST_MS, READ_BACKS_BEFORE_REVIEW } from "../limits.ts";
import type { TaskRow } from "../tasks/tasks.ts";

/**
 * Does the site's "it is not there" count? A site may show an order late, so the submission must have had its time
 * before the reading *began*: the end of a slow reading says nothing about its beginning (STA-4).
 */
export function absenceCounts(readingBegunAt: number, submittedAt: number): boolean {
  return readingBegunAt - submittedAt >= ABSENT_SETTLE_MS;
}

/** When a site that gave no certain answer is read again: at growing intervals up to a cap; the person is asked once (STA-3). */
export function nextReading(
  task: Pick<TaskRow, "tries" | "review_at">,
  now: number,
): Pick<TaskRow, "tries" | "due_at" | "review_at"> {
  const tries = task.tries + 1;
  const delay = Math.min(READ_BACK_FIRST_MS * 2 ** Math.min(tries, 20), READ_BACK_CAP_MS);
  const review = tries >= READ_BACKS_BEFORE_REVIEW ? now : null;
  return { tries, due_at: now + delay, review_at: task.review_at ?? review };
}
