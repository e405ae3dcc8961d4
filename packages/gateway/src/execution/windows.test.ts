import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ABSENT_SETTLE_MS, READ_BACK_CAP_MS, READ_BACKS_BEFORE_REVIEW } from "../limits.ts";
import { absenceCounts, nextReading } from "./windows.ts";

const NOW = Date.UTC(2031, 0, 1);

describe("STA-4 an order that is not shown", () => {
  it("counts as not placed only once a reading began long enough after the submission", () => {
    expect(absenceCounts(NOW + ABSENT_SETTLE_MS, NOW)).toBe(true);
    expect(absenceCounts(NOW + ABSENT_SETTLE_MS - 1, NOW)).toBe(false);
    expect(absenceCounts(NOW, NOW)).toBe(false);
    expect(absenceCounts(NOW - 1, NOW)).toBe(false);
  });
});

describe("STA-3 the next reading", () => {
  it("comes later each time, never later than the cap, and the person is asked once", () => {
    let task: Pick<ReturnType<typeof nextReading>, "tries" | "review_at"> = { tries: 0, review_at: null };
    let before = 0;
    for (let reading = 1; reading <= READ_BACKS_BEFORE_REVIEW + 20; reading += 1) {
      const next = nextReading(task, NOW + reading);
      const delay = Number(next.due_at) - NOW - reading;
      expect(delay).toBeGreaterThanOrEqual(before);
      expect(delay).toBeLessThanOrEqual(READ_BACK_CAP_MS);
      expect(next.review_at).toBe(reading < READ_BACKS_BEFORE_REVIEW ? null : NOW + READ_BACKS_BEFORE_REVIEW);
      before = delay;
      task = next;
    }
    expect(before).toBe(READ_BACK_CAP_MS);
  });

  it("is always ahead", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), (tries) => {
        expect(Number(nextReading({ tries, review_at: null }, NOW).due_at)).toBeGreaterThan(NOW);
      }),
    );
  });
});
