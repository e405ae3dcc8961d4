import { createHash } from "node:crypto";
import {
  ask,
  type Cast,
  decideOne,
  openCast,
  renewLeases,
  revoke,
  signIn,
  startSequencing,
  startWork,
  withdrawOne,
} from "./cast.ts";
import { BASE_MS, type House } from "./house.ts";
import { type Found, judgeEnd, judgeNumbers } from "./oracle.ts";
import { createRandom } from "./random.ts";

const STEPS = 25;
const WISHES_MAX = 2;
const BLOW = 0.6;
const DRAIN_STEPS_MAX = 600;
const MINUTE_MS = 60_000;

export interface Told {
  readonly seed: number;
  readonly found: readonly Found[];
  /** The whole story; `digest` is its SHA-256, and the same for the same seed on every machine. */
  readonly story: readonly string[];
  readonly digest: string;
  readonly steps: number;
  readonly orders: number;
  readonly tasks: number;
}

interface Act {
  readonly weight: number;
  readonly act: (cast: Cast) => Promise<unknown>;
}

const ACTS: readonly Act[] = [
  { weight: 70, act: goOn },
  { weight: 24, act: startWork },
  { weight: 0.5, act: startSequencing },
  { weight: 18, act: (c) => decideOne(c, "approved") },
  { weight: 0.4, act: (c) => decideOne(c, "denied") },
  { weight: 0.6, act: (c) => (c.requests.length < WISHES_MAX ? ask(c, "new") : Promise.resolve(false)) },
  { weight: 0.3, act: (c) => (c.requests.length < WISHES_MAX ? ask(c, "twin") : Promise.resolve(false)) },
  { weight: 0.6, act: (c) => ask(c, "again") },
  { weight: 0.2, act: (c) => ask(c, "conflict") },
  { weight: 0.25, act: withdrawOne },
  { weight: 0.2, act: revoke },
  { weight: 1.2, act: changeTerms },
  { weight: 0.4, act: forgetSession },
  { weight: 5, act: signIn },
  { weight: 0.3, act: (c) => setShop(c, "down") },
  { weight: 3, act: (c) => setShop(c, "up") },
  { weight: 5, act: (c) => pass(c, c.random.below(4_000)) },
  { weight: 1.2, act: (c) => pass(c, 10_000 + c.random.below(70_000)) },
  { weight: 0.8, act: passToNext },
  { weight: 14, act: strike },
  { weight: 0.7, act: fall },
  { weight: 6, act: raise },
  { weight: 0.6, act: suspend },
  { weight: 2.5, act: wake },
];
const WEIGHT_SUM = ACTS.reduce((sum, { weight }) => sum + weight, 0);

/** One life of a few wishes, with everything that can go wrong, from a seed. */
export async function runOnce(house: House, seed: number): Promise<Told> {
  const random = createRandom(seed);
  const story: string[] = [];
  const cast = await openCast(house, random, BASE_MS, (line) => story.push(line));
  await ask(cast, "new");
  let steps = 0;
  for (; steps < STEPS && !over(cast); steps += 1) await choose(cast).act(cast);
  steps += await drain(cast);
  for (const line of cast.stage.broken) cast.found.push({ fault: "broken", what: line });
  cast.found.push(...judgeEnd(house, cast.known, cast.shop), ...judgeNumbers(house));
  for (const { fault, what } of cast.found) story.push(`FOUND ${fault}: ${what}`);
  return {
    seed,
    found: cast.found,
    story,
    digest: createHash("sha256").update(story.join("\n")).digest("hex"),
    steps,
    orders: cast.shop.orders.length,
    tasks: cast.known.requestUntil.size,
  };
}

/** Nothing is left that could go wrong, and nobody wants anything more. */
function over(cast: Cast): boolean {
  return cast.random.chance(0.3) && cast.stage.ready().length === 0 && settled(cast);
}

function choose(cast: Cast): Act {
  let at = cast.random.next() * WEIGHT_SUM;
  for (const act of ACTS) {
    at -= act.weight;
    if (at < 0) return act;
  }
  return { weight: 0, act: goOn };
}

async function goOn(cast: Cast): Promise<boolean> {
  const pause = cast.random.pick(cast.stage.ready());
  if (pause === undefined) return false;
  cast.say(`${pause.actor.name} goes on from ${pause.label}`);
  await cast.stage.goOn(pause);
  return true;
}

async function pass(cast: Cast, ms: number): Promise<void> {
  await cast.stage.pass(ms, () => renewLeases(cast));
}

/** Time passes to just before, at, or just after something runs out. */
async function passToNext(cast: Cast): Promise<void> {
  const now = cast.stage.now();
  const rows = cast.house
    .ask(
      "select due_at as at from task where due_at > ? union select lease_until from task where lease_until > ? union select expires_at from action where expires_at > ?",
    )
    .all(now, now, now);
  const next = cast.random.pick(rows.map((row) => Number(row["at"])).filter((at) => at - now < 30 * MINUTE_MS));
  if (next !== undefined) await pass(cast, Math.max(0, next - now + cast.random.below(3) - 1));
}

async function changeTerms(cast: Cast): Promise<void> {
  cast.say(`the shop shows other terms: ${cast.shop.changeTerms()}`);
}

async function forgetSession(cast: Cast): Promise<void> {
  cast.say("the shop forgets the session");
  cast.shop.forgetSession();
}

async function setShop(cast: Cast, to: "up" | "down"): Promise<void> {
  if (cast.shop.down === (to === "down")) return;
  cast.shop.down = to === "down";
  cast.say(`the shop is ${to}`);
}

async function fall(cast: Cast): Promise<void> {
  const place = cast.random.below(cast.homes.length);
  if (cast.homes[place] === undefined) return;
  cast.say(`PROCESS ${place} DIES`);
  cast.fall(place);
}

async function raise(cast: Cast): Promise<void> {
  for (const place of cast.homes.keys()) {
    if (cast.homes[place] !== undefined) continue;
    cast.say(`process ${place} starts`);
    await cast.raise(place);
  }
}

/** Between holding a request and hearing of it, where a moment matters most. */
const CRITICAL: ReadonlySet<string> = new Set([
  "commit.before_hold",
  "commit.held",
  "boundary.before",
  "boundary.committed",
  "send.before",
  "send.after",
  "reconcile.read",
]);
const BLOWS: readonly Act["act"][] = [
  revoke,
  withdrawOne,
  changeTerms,
  changeTerms,
  forgetSession,
  passToNext,
  (c) => pass(c, 10_000 + c.random.below(70_000)),
  (c) => setShop(c, "down"),
  fall,
  suspend,
];

/** Something happens just when a worker stands where it matters. */
async function strike(cast: Cast): Promise<void> {
  if (!cast.random.chance(BLOW) || !cast.stage.ready().some((pause) => CRITICAL.has(pause.label))) return;
  await cast.random.pick(BLOWS)?.(cast);
}

/** A process whose machine is suspended: it wakes up later and believes that nothing has happened. */
async function suspend(cast: Cast): Promise<void> {
  const home = cast.homes[cast.random.below(cast.homes.length)];
  if (home === undefined || cast.stage.isStopped(home.life)) return;
  cast.say(`process ${home.place} is suspended`);
  await cast.stage.setStopped(home.life, true);
}

async function wake(cast: Cast): Promise<void> {
  for (const home of cast.homes) {
    if (home === undefined || !cast.stage.isStopped(home.life)) continue;
    cast.say(`process ${home.place} wakes up`);
    await cast.stage.setStopped(home.life, false);
  }
}

/** Nothing goes wrong any more: everything that waits is given its time. */
async function drain(cast: Cast): Promise<number> {
  cast.say("from here on all is well");
  cast.shop.calm = true;
  cast.shop.down = false;
  await wake(cast);
  await raise(cast);
  const approves = cast.random.chance(0.25);
  for (let steps = 0; steps < DRAIN_STEPS_MAX; steps += 1) {
    if (await goOn(cast)) continue;
    if (await signIn(cast)) continue;
    if (await startWork(cast)) continue;
    if (approves && waitsForPerson(cast) && (await decideOne(cast, "approved"))) continue;
    if (waitsForLog(cast) && (await startSequencing(cast))) {
      if (cast.stage.ready().length === 0) await pass(cast, MINUTE_MS);
      continue;
    }
    if (settled(cast) && !waitsForLog(cast)) return steps;
    await pass(cast, nextDue(cast));
  }
  return DRAIN_STEPS_MAX;
}

function settled(cast: Cast): boolean {
  const row = cast.house
    .ask("select count(*) as n from task where state not in ('succeeded','denied','expired','failed','cancelled')")
    .get();
  return Number(row?.["n"]) === 0;
}

function waitsForPerson(cast: Cast): boolean {
  const row = cast.house.ask("select 1 from action where status = 'pending' and expires_at > ? limit 1");
  return row.get(cast.stage.now()) !== undefined;
}

function waitsForLog(cast: Cast): boolean {
  return cast.house.ask("select 1 from leaf where log_index is null limit 1").get() !== undefined;
}

function nextDue(cast: Cast): number {
  const now = cast.stage.now();
  const row = cast.house
    .ask(
      "select min(at) as at from (select due_at as at from task where due_at > ? union select lease_until from task where lease_until > ?)",
    )
    .get(now, now);
  const at = row?.["at"];
  return typeof at === "number" ? at - now : MINUTE_MS;
}
