import fc from "fast-check";
import { expect, it } from "vitest";
import { WATCH_SPREAD } from "../limits.ts";
import { endsUnlooked, lateLookAt, nextLookAt } from "./pace.ts";

const HOUR_MS = 3_600_000;
const far = { everyMs: HOUR_MS, endsAt: 1_000 * HOUR_MS };

it("no look comes sooner than the pace, none later than the pace and its spread, none after the end", () => {
  const times = fc.record({
    everyMs: fc.integer({ min: 1, max: HOUR_MS }),
    now: fc.integer({ min: 0, max: HOUR_MS }),
    left: fc.integer({ min: 0, max: 5 * HOUR_MS }),
    nth: fc.nat(1_000),
    taskId: fc.string(),
  });
  fc.assert(
    fc.property(times, ({ everyMs, now, left, nth, taskId }) => {
      const pace = { everyMs, endsAt: now + left };
      const next = nextLookAt(pace, { taskId, nth }, now);
      expect(next).toBeLessThanOrEqual(pace.endsAt);
      expect(next).toBeLessThanOrEqual(now + everyMs * (1 + WATCH_SPREAD));
      // What comes due before the pace allows a look is the end, and ends without one.
      if (next < now + everyMs) expect(endsUnlooked(pace, now, next)).toBe(true);
      if (next < now + everyMs) expect(next).toBe(pace.endsAt);
    }),
  );
});

it("a thousand watches of one instant do not come due in one instant", () => {
  const next = Array.from({ length: 1_000 }, (_, n) => nextLookAt(far, { taskId: `task_${n}`, nth: 1 }, 0));
  const minutes = new Map<number, number>();
  for (const at of next) minutes.set(Math.floor(at / 60_000), (minutes.get(Math.floor(at / 60_000)) ?? 0) + 1);
  expect(minutes.size).toBeGreaterThanOrEqual(14);
  expect(Math.max(...minutes.values())).toBeLessThan(150);
});

it("a watch does not keep its place: the next look is spread anew", () => {
  const spreads = new Set([1, 2, 3].map((nth) => nextLookAt(far, { taskId: "task_1", nth }, 0)));
  expect(spreads.size).toBe(3);
});

it("a look that is late by a pace is spread again, and one that is a little late is not", () => {
  const at = (taskId: string, now: number) => lateLookAt(far, { taskId, dueAt: 0 }, now);
  expect(at("task_1", HOUR_MS - 1)).toBeUndefined();
  const again = Array.from({ length: 100 }, (_, n) => Number(at(`task_${n}`, 5 * HOUR_MS)) - 5 * HOUR_MS);
  expect(Math.min(...again)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...again)).toBeLessThan(HOUR_MS * WATCH_SPREAD);
  expect(new Set(again.map((ms) => Math.floor(ms / 60_000))).size).toBeGreaterThan(10);
});

it.each([
  ["before the end it is looked at", HOUR_MS, 10 * HOUR_MS - 1, false],
  ["at the end a look of this hour is the last one", 9.5 * HOUR_MS, 10 * HOUR_MS, true],
  ["at the end an older one is not", 8 * HOUR_MS, 10 * HOUR_MS, false],
  ["without any look there is nothing to end with", null, 10 * HOUR_MS, false],
])("%s", (_what, lookedAt, now, ends) => {
  expect(endsUnlooked({ everyMs: HOUR_MS, endsAt: 10 * HOUR_MS }, lookedAt, now)).toBe(ends);
});
