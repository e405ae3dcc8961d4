import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type * as Judge from "../../packages/gateway/src/execution/judge.ts";
import type { CrossingFacts } from "../../packages/gateway/src/execution/judge.ts";
import { type House, openHouse, type Weaken } from "./house.ts";
import type { Fault } from "./oracle.ts";
import { installPlatform } from "./platform.ts";
import { runOnce, type Told } from "./run.ts";
import { type Spoil, spoil } from "./shop.ts";

// The gateway's judge, or, for the tests of teeth, the same judge of facts that say that all is well with one thing.
const blind = vi.hoisted(() => ({ to: (facts: CrossingFacts): CrossingFacts => facts }));
vi.mock("../../packages/gateway/src/execution/judge.ts", async (original) => {
  const real = await original<typeof Judge>();
  return { ...real, judgeCrossing: (facts: CrossingFacts) => real.judgeCrossing(blind.to(facts)) };
});

const RUNS = 300;
const RUNS_OF_WEAKENED_MAX = 1_500;
const LONG_MS = 120_000;

let undo = (): void => {};
beforeAll(() => {
  undo = installPlatform();
});
afterAll(() => undo());
afterEach(() => {
  blind.to = (facts) => facts;
  spoil.with = undefined;
});

describe("STA-6 the gateway in a simulated world", () => {
  it(
    `${RUNS} runs: nothing twice, nothing unapproved, nothing after revocation or expiry, nothing lost`,
    async () => {
      const house = await openHouse();
      const told: Told[] = [];
      for (let seed = 1; seed <= RUNS; seed += 1) told.push(await runOnce(house, seed));
      expect(told.flatMap((run) => run.found.map((found) => ({ seed: run.seed, ...found })))).toEqual([]);
      // A world in which nothing happens would prove nothing.
      expect(told.reduce((sum, run) => sum + run.orders, 0)).toBeGreaterThan(RUNS / 3);
      const stories = told.flatMap((run) => run.story).join("\n");
      expect(HAPPENED.filter((happened) => !happened.test(stories))).toEqual([]);
    },
    LONG_MS,
  );

  it("the same seed tells the same story, whatever ran before it", async () => {
    const first = await openHouse();
    const alone = await runOnce(first, 7);
    for (const seed of [1, 2, 3]) await runOnce(first, seed);
    expect((await runOnce(first, 7)).story).toEqual(alone.story);
    expect((await runOnce(await openHouse(), 7)).digest).toBe(alone.digest);
    expect((await runOnce(first, 8)).digest).not.toBe(alone.digest);
  });
});

/** What a few hundred runs must have shown, so that their silence is worth something. */
const HAPPENED = [
  /PROCESS \d DIES/,
  /is suspended/,
  /CROSSES/,
  /shows in \d+ ms/,
  /a time limit passes/,
  /revokes the grant: done/,
  /: cancelled/,
  /the person is answered on \S+: denied/,
  /idempotency_conflict/,
  /again \(/,
  /nothing is sent/,
  /will answer: half_body/,
  /will answer: error_after/,
  /the person signs in: connected/,
  /the shop is down/,
];

interface Weaker {
  readonly without: string;
  readonly found: readonly Fault[];
  readonly blindTo?: (facts: CrossingFacts) => Partial<CrossingFacts>;
  readonly spoil?: Spoil;
  readonly weaken?: Weaken;
}

const LATER = 10 * 365 * 24 * 3_600_000;
const later = (text: string): string => text.replace(/^\d{4}/, "2036");

const WEAKER: readonly Weaker[] = [
  {
    without: "the revocation, and the version that it raises",
    found: ["after_revocation"],
    blindTo: ({ consent, claimed, task }) => ({
      consent: consent && { ...consent, state: "granted" },
      claimed: { ...claimed, version: task.version },
    }),
  },
  {
    without: "the end of request, grant and approval",
    found: ["after_expiry"],
    blindTo: ({ task, consent, record, action }) => ({
      task: { ...task, request_expires_at: task.request_expires_at + LATER },
      record: { ...record, expires_at: later(record.expires_at) },
      action: action && { ...action, expires_at: action.expires_at + LATER },
      consent: consent && {
        ...consent,
        granted: consent.granted?.replace(/("expires_at":")\d{4}/, "$12036") ?? null,
      },
    }),
  },
  {
    without: "comparing the terms",
    found: ["unapproved"],
    blindTo: ({ record, personal }) => ({ observed: { terms: record.terms, personal } }),
  },
  {
    without: "counting the uses of the grant",
    found: ["over_grant"],
    blindTo: ({ used }) => ({
      used: Object.fromEntries(Object.keys(used).map((name) => [name, { actions: 0, minor: 0 }])),
    }),
  },
  { without: "sending once (what was lost is sent again)", found: ["duplicates"], spoil: "sends_again" },
  { without: "waiting for orders that show late", found: ["lost"], spoil: "shows_later" },
  { without: "recognising the answer (everything is a yes)", found: ["invented"], spoil: "says_yes" },
  { without: "telling what has left from what has not", found: ["put_back"], spoil: "puts_back_anyway" },
  {
    without: "one receipt for each outcome",
    found: ["evidence", "broken"],
    weaken: (raw) =>
      raw.exec("create trigger lose before insert on leaf when new.kind = 'receipt' begin select raise(ignore); end"),
  },
];

describe("STA-6 the simulation finds what goes wrong without", () => {
  it.each(WEAKER)(
    "$without",
    async ({ found, blindTo, spoil: how, weaken }) => {
      const house = await openHouse(weaken);
      if (blindTo !== undefined) blind.to = (facts) => ({ ...facts, ...blindTo(facts) });
      spoil.with = how;
      const faults = await firstFaults(house);
      expect(found).toContain(faults[0]);
    },
    LONG_MS,
  );
});

async function firstFaults(house: House): Promise<readonly Fault[]> {
  for (let seed = 1; seed <= RUNS_OF_WEAKENED_MAX; seed += 1) {
    const { found } = await runOnce(house, seed);
    if (found.length > 0) return found.map(({ fault }) => fault);
  }
  return [];
}
