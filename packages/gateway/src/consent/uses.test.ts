import { type Act, retailOrderSubmit } from "@countersign/profile";
import { assert } from "@countersign/wire";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbedded, opened, PLACES } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import { readTask } from "../tasks/tasks.ts";
import { checkLimits } from "./check.ts";
import { seedGrant, seedTask } from "./fixture.ts";
import { type ConsentLimits, PERIOD_MS, periodsOf } from "./limits.ts";
import { leftOf, usageOf } from "./usage.ts";
import { releaseUse, reserveUse, spendUse, usedNow } from "./uses.ts";

const NOW = Date.UTC(2026, 10, 30, 10);
const DAY = PERIOD_MS.day;
const eur = (minor: number): Act => ({
  amount: { kind: "told", value: { minor, currency: "EUR" } },
  payee: { kind: "told", value: "shop.example" },
  items: { kind: "told", value: ["TL-200"] },
});
const limits: ConsentLimits = {
  periods: { day: { max_total_minor: 10_000, currency: "EUR" }, week: { max_actions: 4 } },
};

let store: Store;
beforeEach(async () => {
  store = await openEmbedded(":memory:");
  await seedGrant(store, "cons_1", limits);
});
afterEach(() => store.close());

/** What the boundary does with the limits of a grant, in one transaction. */
async function cross(taskId: string, minor: number, at: number, by = store): Promise<boolean> {
  return by.transaction(async (tx) => {
    const task = await readTask(tx, taskId);
    const used = await usedNow(tx, task.consent_ref, limits, at);
    if (!checkLimits(limits, eur(minor), used).ok) return false;
    await reserveUse(tx, task, eur(minor), at);
    return true;
  });
}

async function used(at: number) {
  return usedNow(store.db, "cons_1", limits, at);
}

async function task(minor: number, at: number): Promise<string> {
  const id = await seedTask(store, "cons_1");
  assert(await cross(id, minor, at), "this one fits");
  return id;
}

describe("CON-3 what a grant has been used for", () => {
  it("a use counts from the crossing on, whatever is known of its outcome; released it does not", async () => {
    const lost = await task(4990, NOW);
    const spent = await task(2000, NOW);
    expect(await used(NOW)).toEqual({ day: { actions: 2, minor: 6990 }, week: { actions: 2, minor: 0 } });
    await store.transaction((tx) => spendUse(tx, spent, retailOrderSubmit, undefined, NOW + 1));
    await store.transaction((tx) => releaseUse(tx, lost, NOW + 1));
    expect(await used(NOW)).toEqual({ day: { actions: 1, minor: 2000 }, week: { actions: 1, minor: 0 } });
  });

  it("is set right to what the site charged, in its own currency alone", async () => {
    const charge = async (charged: object) => {
      const id = await task(1000, NOW);
      await store.transaction((tx) => spendUse(tx, id, retailOrderSubmit, charged as never, NOW));
      const row = await store.db.selectFrom("grant_use").selectAll().where("task_id", "=", id).executeTakeFirst();
      return row?.amount_minor;
    };
    expect(await charge({ total_minor: 900, currency: "EUR" })).toBe(900);
    expect(await charge({ total_minor: 1100 })).toBe(1100);
    expect(await charge({ total_minor: 900, currency: "USD" })).toBe(1000);
    expect(await charge({ total_minor: "900" })).toBe(1000);
  });

  it("a period is a rolling window of exact length: the last millisecond of a use frees it, not midnight", async () => {
    await task(6000, NOW);
    expect((await used(NOW + DAY - 1)).day).toEqual({ actions: 1, minor: 6000 });
    expect((await used(NOW + DAY)).day).toEqual({ actions: 0, minor: 0 });
    expect((await used(NOW + DAY)).week).toEqual({ actions: 1, minor: 0 });
  });

  it("a use in another currency counts as an action, and not in the sum", async () => {
    const id = await task(1000, NOW);
    await store.db.updateTable("grant_use").set({ currency: "USD" }).where("task_id", "=", id).execute();
    expect((await used(NOW)).day).toEqual({ actions: 1, minor: 0 });
  });

  it("a use from a clock that is ahead counts", async () => {
    await task(6000, NOW);
    expect((await used(NOW - 5000)).day).toEqual({ actions: 1, minor: 6000 });
  });

  it("CON-2 another grant's uses do not count here", async () => {
    await seedGrant(store, "cons_2", limits);
    const other = await seedTask(store, "cons_2");
    expect(await cross(other, 6000, NOW)).toBe(true);
    expect((await used(NOW)).day).toEqual({ actions: 0, minor: 0 });
  });

  it("CON-4 says what was used and what is left, never below nothing", async () => {
    const spent = await task(7000, NOW);
    await task(2000, NOW);
    await store.transaction((tx) => spendUse(tx, spent, retailOrderSubmit, { total_minor: 9000 }, NOW));
    expect(await usageOf(store.db, "cons_1")).toMatchObject({
      actions: 2,
      uncertain: 1,
      sums: [{ currency: "EUR", totalMinor: 11_000 }],
    });
    expect(leftOf(limits, await used(NOW))).toEqual({ day: { total_minor: 0, currency: "EUR" }, week: { actions: 2 } });
    expect(await usageOf(store.db, "cons_0")).toEqual({ actions: 0, uncertain: 0, sums: [] });
  });
});

interface Step {
  readonly waitMs: number;
  readonly crossing: readonly number[];
  readonly outcome: "spend" | "spend_less" | "release" | "unknown";
}
const step: fc.Arbitrary<Step> = fc.record({
  /** How far the clock moves before the step. */
  waitMs: fc.constantFrom(0, 1, DAY / 3, DAY - 1, DAY, 3 * DAY),
  /** Tasks that cross at once, by what their terms say. */
  crossing: fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 4 }),
  outcome: fc.constantFrom("spend", "spend_less", "release", "unknown"),
});

describe("CON-3 no interleaving passes a limit", () => {
  it.each([
    ["sqlite", 1, 30],
    ["postgres", 2, 6],
  ] as const)(
    "%s, by %i gateways: no window, wherever it is laid, holds more than its limit",
    async (kind, gateways, numRuns) => {
      const place = await PLACES[kind]();
      const stores = await Promise.all(Array.from({ length: gateways }, () => opened(place.where)));
      const [first] = stores;
      assert(first !== undefined, "there is one gateway at least");
      let round = 0;
      const one = async (steps: readonly Step[]): Promise<void> => {
        const consent = `cons_r${round++}`;
        await seedGrant(first, consent, limits);
        let now = NOW;
        for (const { waitMs, crossing, outcome } of steps) {
          now += waitMs;
          const ids = await Promise.all(crossing.map(() => seedTask(first, consent)));
          const passed = await Promise.all(
            ids.map((id, i) => cross(id, crossing[i] ?? 0, now, stores[i % stores.length])),
          );
          await Promise.all(ids.filter((_, i) => passed[i]).map((id) => settle(first, id, outcome, now)));
        }
        await holds(first, consent);
      };
      try {
        await first.as("system", () =>
          fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), one), { numRuns }),
        );
      } finally {
        await Promise.all(stores.map((open) => open.close()));
        await place.remove();
      }
    },
    120_000,
  );
});

async function settle(store: Store, taskId: string, how: Step["outcome"], at: number) {
  if (how === "unknown") return;
  await store.transaction((tx) =>
    how === "release"
      ? releaseUse(tx, taskId, at)
      : spendUse(tx, taskId, retailOrderSubmit, how === "spend" ? undefined : { total_minor: 1 }, at),
  );
}

/** The heaviest windows are those that end with a use. */
async function holds(store: Store, consent: string): Promise<void> {
  const rows = await store.db
    .selectFrom("grant_use")
    .selectAll()
    .where("consent_ref", "=", consent)
    .where("state", "<>", "released")
    .execute();
  for (const [name, limit] of periodsOf(limits)) {
    for (const last of rows) {
      const window = rows.filter((row) => row.at <= last.at && row.at > last.at - PERIOD_MS[name]);
      const minor = window.reduce((sum, row) => sum + (row.amount_minor ?? 0), 0);
      expect(window.length).toBeLessThanOrEqual(limit.max_actions ?? Number.POSITIVE_INFINITY);
      expect(minor).toBeLessThanOrEqual(limit.max_total_minor ?? Number.POSITIVE_INFINITY);
    }
  }
}
