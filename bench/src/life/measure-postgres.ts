import { startBaseline } from "../dbos/baseline.ts";
import { atLeast, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { postgresPrograms, startCluster } from "../postgres/cluster.ts";
import { rawPostgres } from "../raw/postgres.ts";
import { withScratch } from "../scratch.ts";
import { type LifeRate, liveFor, rateOf } from "./life.ts";
import { figuresOf, IN_FLIGHT } from "./measure-sqlite.ts";
import { openLifeWorld } from "./world.ts";

const WARM_UP_SECONDS = 1;
const RATIO_TO_BASELINE = 1.5;

/** Whole lives on PostgreSQL beside its raw commits and beside the same flow on DBOS, over the same server. */
export async function measurePostgresLives(options: Options): Promise<readonly Measurement[]> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error("no PostgreSQL packages on this machine; use --store sqlite");
  const cluster = await startCluster(programs);
  try {
    const rawUrl = await cluster.database("raw");
    const rawOne = await rawPostgres(rawUrl, 1, options.seconds / 2);
    const rawMany = await rawPostgres(rawUrl, IN_FLIGHT, options.seconds / 2);
    const baseline = await measureBaseline(await cluster.database("dbos"), options.seconds);
    const ours = await measureOurs(await cluster.database("countersign"), options.seconds);
    return [
      {
        name: "life-postgres",
        what: `raw durable commits, PostgreSQL, 1 and ${IN_FLIGHT} connections`,
        figures: { one_per_second: rawOne, many_per_second: rawMany },
        targets: [],
      },
      ...rows("DBOS 5.3 on PostgreSQL", baseline, rawOne),
      ...rows("PostgreSQL", ours, rawOne).map((row, at) => {
        const [mine, theirs] = at === 0 ? [ours.one, baseline.one] : [ours.many, baseline.many];
        const what = `PostgreSQL lives / DBOS lives, ${at === 0 ? "one at a time" : `${IN_FLIGHT} in flight`}`;
        return { ...row, targets: [atLeast(what, mine.perSecond / theirs.perSecond, RATIO_TO_BASELINE)] };
      }),
    ];
  } finally {
    await cluster.stop();
  }
}

interface Both {
  readonly one: LifeRate;
  readonly many: LifeRate;
}

async function measureBaseline(url: string, seconds: number): Promise<Both> {
  const baseline = await startBaseline(url);
  try {
    const lives = Array.from({ length: IN_FLIGHT }, () => () => baseline.live());
    await rateOf(lives.slice(0, 1), WARM_UP_SECONDS);
    return { one: await rateOf(lives.slice(0, 1), seconds), many: await rateOf(lives, seconds) };
  } finally {
    await baseline.stop();
  }
}

async function measureOurs(databaseUrl: string, seconds: number): Promise<Both> {
  return withScratch(async (dataDir) => {
    const world = await openLifeWorld({ dataDir, databaseUrl });
    try {
      const seats = await world.addSeats(IN_FLIGHT);
      await liveFor(world, seats.slice(0, 1), WARM_UP_SECONDS);
      return { one: await liveFor(world, seats.slice(0, 1), seconds), many: await liveFor(world, seats, seconds) };
    } finally {
      await world.close();
    }
  });
}

function rows(where: string, both: Both, rawOne: number): readonly Measurement[] {
  return [
    {
      name: "life-postgres",
      what: `whole lives, ${where}, one at a time`,
      figures: { ...figuresOf(both.one), raw_commits_a_life: rawOne / both.one.perSecond },
      targets: [],
    },
    {
      name: "life-postgres",
      what: `whole lives, ${where}, ${IN_FLIGHT} in flight`,
      figures: { ...figuresOf(both.many), raw_commits_a_life: rawOne / both.many.perSecond },
      targets: [],
    },
  ];
}
