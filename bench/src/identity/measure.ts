import { atLeast, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { median } from "../stats.ts";
import { type Contender, contenders } from "./contenders.ts";

/** Of the rate of bare Ed25519 over the same bytes. */
const BARE_SHARE_MIN = 0.5;
/** Times the rate of the npm package `web-bot-auth`. */
const THEIRS_TIMES_MIN = 3;
const BATCH = 200;
const WARM_UP_ROUNDS = 8;

/** However slow the machine is. */
const ROUNDS_MIN = 5;

const NAMES = ["bare", "ours", "theirs"] as const;
type Names = (typeof NAMES)[number];

/** Signing and verifying, one after the other in one process, batch by batch in turn; ratios are of batches side by side. */
export async function measureIdentity(options: Options): Promise<readonly Measurement[]> {
  const all = await contenders();
  return [await measured("verify", all.verify, options.seconds), await measured("sign", all.sign, options.seconds)];
}

async function measured(
  what: "verify" | "sign",
  side: Readonly<Record<Names, Contender>>,
  seconds: number,
): Promise<Measurement> {
  const us: Record<Names, number[]> = { bare: [], ours: [], theirs: [] };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await timed(side);
  const until = performance.now() + seconds * 1_000;
  while (us.ours.length < ROUNDS_MIN || performance.now() < until) {
    const took = await timed(side);
    for (const name of NAMES) us[name].push(took[name]);
  }
  const times = (of: Names, beside: Names) => median(us[of].map((took, round) => took / (us[beside][round] ?? took)));
  const share = times("bare", "ours");
  const faster = times("theirs", "ours");
  return {
    name: `identity-${what}`,
    what: `${what === "verify" ? "verifying" : "signing"} a request by Web Bot Auth, beside bare Ed25519 over the same bytes and npm web-bot-auth`,
    figures: {
      per_second: 1_000_000 / median(us.ours),
      bare_per_second: 1_000_000 / median(us.bare),
      theirs_per_second: 1_000_000 / median(us.theirs),
      us: median(us.ours),
      bare_us: median(us.bare),
      theirs_us: median(us.theirs),
      // What a signature check that cost nothing beside the cryptography would be beside theirs: no more can be had.
      theirs_times_at_most: times("theirs", "bare"),
      rounds: us.ours.length,
    },
    targets: [
      atLeast(`${what}: share of the rate of bare Ed25519`, share, BARE_SHARE_MIN),
      atLeast(`${what}: times the rate of npm web-bot-auth 0.1.3`, faster, THEIRS_TIMES_MIN),
    ],
  };
}

/** Microseconds for one, in a batch of each. */
async function timed(side: Readonly<Record<Names, Contender>>): Promise<Record<Names, number>> {
  const took: Record<Names, number> = { bare: 0, ours: 0, theirs: 0 };
  for (const name of NAMES) {
    const run = await side[name].prepare(BATCH);
    const from = performance.now();
    await run();
    took[name] = ((performance.now() - from) * 1_000) / BATCH;
  }
  return took;
}
