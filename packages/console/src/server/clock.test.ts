import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { narrowed, type Offset, offsetOf } from "./clock.ts";

describe("APR-6 the gateway's clock seen from a page whose own is wrong", () => {
  it("is known to the second by one answer and better by several, and is never behind", () => {
    const skew = fc.integer({ min: -(10 ** 11), max: 10 ** 11 });
    const step = fc.record({ wait: fc.integer({ min: 1, max: 5_000 }), away: fc.integer({ min: 0, max: 900 }) });
    fc.assert(
      fc.property(skew, fc.array(step, { minLength: 1, maxLength: 30 }), (epoch, steps) => {
        let known: Offset | undefined;
        let now = 1_000;
        for (const { wait, away } of steps) {
          now += wait;
          const leftAt = now;
          now += away;
          const date = new Date(Math.floor((epoch + leftAt + away / 2) / 1_000) * 1_000).toUTCString();
          const seen = offsetOf(date, leftAt, now);
          if (seen !== undefined) known = narrowed(known, seen);
          expect(known?.high).toBeGreaterThanOrEqual(epoch);
          expect((known?.high ?? 0) - epoch).toBeLessThanOrEqual(2_000);
        }
      }),
    );
  });

  it("a clock that was set counts from then on; a header that says nothing does not", () => {
    expect(narrowed({ low: 0, high: 100 }, { low: 5_000, high: 5_100 })).toEqual({ low: 5_000, high: 5_100 });
    expect(offsetOf(null, 0, 1)).toBeUndefined();
    expect(offsetOf("yesterday", 0, 1)).toBeUndefined();
  });
});
