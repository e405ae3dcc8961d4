import { atLeast, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { rawSqlite } from "../raw/sqlite.ts";
import { withScratch } from "../scratch.ts";
import { spread } from "../stats.ts";
import { type LifeRate, liveFor } from "./life.ts";
import { openLifeWorld } from "./world.ts";

export const IN_FLIGHT = 32;
const WARM_UP_SECONDS = 1;

/** Whole lives on SQLite beside its raw commits, measured before, between and after, since disks wander. */
export async function measureSqliteLives(options: Options): Promise<readonly Measurement[]> {
  return withScratch(async (directory) => {
    const world = await openLifeWorld({ dataDir: directory });
    try {
      const seats = await world.addSeats(IN_FLIGHT);
      await liveFor(world, seats.slice(0, 1), WARM_UP_SECONDS);
      const rawFirst = rawSqlite(directory, options.seconds / 3);
      const one = await liveFor(world, seats.slice(0, 1), options.seconds);
      const rawMiddle = rawSqlite(directory, options.seconds / 3);
      const many = await liveFor(world, seats, options.seconds);
      const rawLast = rawSqlite(directory, options.seconds / 3);
      const rawOne = (rawFirst + rawMiddle) / 2;
      const rawMany = (rawMiddle + rawLast) / 2;
      return [
        {
          name: "life-sqlite",
          what: "raw durable commits, SQLite (WAL, synchronous=FULL)",
          figures: { per_second: (rawOne + rawMany) / 2, least: Math.min(rawFirst, rawMiddle, rawLast) },
          targets: [],
        },
        {
          name: "life-sqlite",
          what: "whole lives, SQLite, one at a time",
          figures: { ...figuresOf(one), raw_commits_a_life: rawOne / one.perSecond },
          targets: [atLeast("SQLite lives x 20 / raw commits, one at a time", (one.perSecond * 20) / rawOne, 1)],
        },
        {
          name: "life-sqlite",
          what: `whole lives, SQLite, ${IN_FLIGHT} in flight`,
          figures: { ...figuresOf(many), raw_commits_a_life: rawMany / many.perSecond },
          targets: [
            atLeast(`SQLite lives x 10 / raw commits, ${IN_FLIGHT} in flight`, (many.perSecond * 10) / rawMany, 1),
          ],
        },
      ];
    } finally {
      await world.close();
    }
  });
}

export function figuresOf(rate: LifeRate): Readonly<Record<string, number>> {
  const { p50, p99 } = spread(rate.timesMs);
  return { per_second: rate.perSecond, p50_ms: p50, p99_ms: p99, cpu_ms_a_life: rate.cpuMsEach };
}
