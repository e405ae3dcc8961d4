import type { Log } from "@countersign/plugin";
import { type ActionRecord, PROFILE_ID, retailOrderSubmit } from "@countersign/profile";
import { assert, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { admit } from "../../packages/gateway/src/admission/admit.ts";
import { decide } from "../../packages/gateway/src/approval/decide.ts";
import { openContinuation } from "../../packages/gateway/src/connection/continuations.ts";
import { revokeConsent } from "../../packages/gateway/src/consent/decide.ts";
import { endEarlierTurn } from "../../packages/gateway/src/evidence/log/lease.ts";
import { sequence } from "../../packages/gateway/src/evidence/sequencer.ts";
import { processTask } from "../../packages/gateway/src/execution/process.ts";
import { claim, extendLease, releaseLease, takeOver } from "../../packages/gateway/src/execution/worker.ts";
import { withdraw } from "../../packages/gateway/src/tasks/cancel.ts";
import type { TaskRow } from "../../packages/gateway/src/tasks/tasks.ts";
import type { House, Process } from "./house.ts";
import { type Found, judgeCrossingNow, type Knowledge } from "./oracle.ts";
import { type Actor, actNow, currentActor, simulatedNow } from "./platform.ts";
import type { Random } from "./random.ts";
import { createShop, type Shop } from "./shop.ts";
import { createStage, type Stage } from "./stage.ts";

const SESSION = "session-of-the-person";
const MINUTE_MS = 60_000;

interface Work {
  readonly actor: Actor;
  readonly task: TaskRow;
}

/** One life of one gateway process. */
interface Home extends Process {
  readonly place: number;
  readonly life: number;
  readonly owner: string;
  readonly work: Set<Work>;
  sequencing: boolean;
}

/** Everybody and everything in one run. */
export interface Cast {
  readonly stage: Stage;
  readonly shop: Shop;
  readonly random: Random;
  readonly house: House;
  readonly known: Knowledge;
  readonly found: Found[];
  readonly homes: (Home | undefined)[];
  say(line: string): void;
  /** Begins anew where nobody lives. */
  raise(place: number): Promise<void>;
  fall(place: number): void;
  /** Hand-offs that have led nowhere: the person goes by the accounts' page then. */
  readonly spent: Set<string>;
  requests: Readonly<Record<string, string>>[];
  readonly consentRef: string;
}

/** Opens a run: the store as at first, a shop, one or two gateways, a grant. */
export async function openCast(
  house: House,
  random: Random,
  start: number,
  say: (line: string) => void,
): Promise<Cast> {
  house.reset();
  const stage = createStage(start, (line) => cast.say(line));
  const shop = createShop(
    () => stage,
    random,
    (line) => cast.say(line),
  );
  let lives = 0;
  let ids = 0;
  const places = random.chance(0.4) ? 2 : 1;
  const grant = random.pick(house.grants);
  assert(grant !== undefined, "there are grants");
  const cast: Cast = {
    stage,
    shop,
    random,
    house,
    known: {
      requestUntil: new Map(),
      approved: new Map(),
      refused: new Set(),
      withdrawn: new Set(),
      revokedAt: undefined,
      grantUntil: grant.until,
      grantUses: grant.uses,
      keys: new Map(),
    },
    found: [],
    homes: Array.from({ length: places }, () => undefined),
    spent: new Set(),
    requests: [],
    consentRef: grant.consentRef,
    say: (line) => say(`${((simulatedNow() - start) / 1000).toFixed(1).padStart(8)} s  ${line}`),
    async raise(place) {
      lives += 1;
      const life = lives;
      const owner = `process-${place}-${life}`;
      const process = house.start({
        shop,
        newId: (prefix) => {
          ids += 1;
          return `${prefix}_${ids}`;
        },
        log: listener(cast),
        owner,
        reach: (point) => reached(cast, point),
      });
      cast.homes[place] = { ...process, place, life, owner, work: new Set(), sequencing: false };
      if (places > 1) return;
      await endEarlierTurn(process.core.store);
      await process.core.store.as("system", () => takeOver(process.core));
    },
    fall(place) {
      const home = cast.homes[place];
      if (home === undefined) return;
      stage.end(home.life);
      cast.homes[place] = undefined;
    },
  };
  for (const place of cast.homes.keys()) await cast.raise(place);
  return cast;
}

function listener(cast: Cast): Log {
  const tell = (event: string, fields?: object): void =>
    cast.say(`  ${event} ${fields === undefined ? "" : JSON.stringify(fields)}`);
  return {
    debug: () => {},
    info: () => {},
    warn: tell,
    error(event, fields) {
      tell(event, fields);
      cast.found.push({ fault: "broken", what: event });
    },
  };
}

async function reached(cast: Cast, point: string): Promise<void> {
  const actor = currentActor();
  if (actor === undefined) return;
  if (point === "boundary.committed" && actor.taskId !== undefined) {
    cast.say(`${actor.name} CROSSES with ${actor.taskId}`);
    for (const found of judgeCrossingNow(cast.house, cast.known, cast.shop, actor.taskId)) {
      cast.say(`VIOLATION: ${found.what}`);
      cast.found.push(found);
    }
  }
  await cast.stage.pause(point);
}

function anyHome(cast: Cast): Home | undefined {
  const up = cast.homes.filter((h): h is Home => h !== undefined && !cast.stage.isStopped(h.life));
  return cast.random.pick(up);
}

// What each of them can do. Each answers whether there was anything to do.

export async function startWork(cast: Cast): Promise<boolean> {
  const { house } = cast;
  const home = anyHome(cast);
  if (home === undefined || home.work.size >= 2) return false;
  // Claiming in vain is the commonest thing that a gateway does; here it is left out.
  const due = house.ask("select 1 from task where due_at <= ? limit 1").get(cast.stage.now());
  if (due === undefined) return false;
  const { core, owner } = home;
  const task = await core.store.as("system", () => claim(core, owner, core.now()));
  if (task === undefined) return false;
  const actor: Actor = { name: `worker@${home.place}`, life: home.life, taskId: task.task_id };
  const work = { actor, task };
  home.work.add(work);
  cast.say(`${actor.name} claims ${task.task_id} (${task.state})`);
  await cast.stage.begin(actor, async () => {
    try {
      await core.store.as("system", () => processTask(core, task, new AbortController().signal));
    } finally {
      home.work.delete(work);
      await releaseLease(core, task, owner);
      cast.say(`${actor.name} gives ${task.task_id} back`);
    }
  });
  return true;
}

export async function renewLeases(cast: Cast): Promise<void> {
  for (const home of cast.homes) {
    if (home === undefined || cast.stage.isStopped(home.life)) continue;
    for (const { task } of home.work) await extendLease(home.core, task, home.owner);
  }
}

export async function startSequencing(cast: Cast): Promise<boolean> {
  const home = anyHome(cast);
  if (home === undefined || home.sequencing) return false;
  home.sequencing = true;
  await cast.stage.begin({ name: `log@${home.place}`, life: home.life }, async () => {
    try {
      await sequence(home.core);
    } finally {
      home.sequencing = false;
    }
  });
  return true;
}

function body(cast: Cast, member: Readonly<Record<string, string>>): Uint8Array {
  const request: JsonObject = {
    profile: PROFILE_ID,
    request_id: member["request_id"] ?? "",
    idempotency_key: member["key"] ?? "",
    account_ref: cast.house.accountRef,
    consent_ref: cast.consentRef,
    operation: retailOrderSubmit.id,
    parameters: { ...retailOrderSubmit.example.parameters, max_total_minor: Number(member["max"]) },
    expires_at: member["until"] ?? "",
  };
  return new TextEncoder().encode(JSON.stringify(request));
}

const MOST_MINOR = 5_500;

/** The agent asks: something new, the same wish under a fresh key, the same request again, or another under its key. */
export async function ask(cast: Cast, how: "new" | "twin" | "again" | "conflict"): Promise<boolean> {
  const home = anyHome(cast);
  const { random, requests, known } = cast;
  const earlier = random.pick(requests);
  if (home === undefined || (how !== "new" && earlier === undefined)) return false;
  const n = requests.length;
  const until = cast.stage.now() + (random.chance(0.3) ? 1 + random.below(20) : 120) * MINUTE_MS;
  const fresh = {
    request_id: `req-${n}`,
    key: `key-${n}`,
    max: how === "twin" && earlier !== undefined ? (earlier["max"] ?? "") : String(MOST_MINOR + n),
    until: formatInstant(instant(until)),
  };
  const member: Readonly<Record<string, string>> =
    how === "again" && earlier !== undefined
      ? { ...earlier, request_id: `req-again-${cast.stage.now()}` }
      : how === "conflict" && earlier !== undefined
        ? { ...earlier, max: "5400" }
        : fresh;
  const admitted = await admit(home.core, cast.house.agent, body(cast, member));
  const said = admitted.ok
    ? `${admitted.value.task.task_id} ${admitted.value.replayed ? "again" : "made"} (${admitted.value.task.state})`
    : admitted.reason.reason;
  cast.say(`the agent asks (${how}): ${said}`);
  if (how === "conflict") {
    if (admitted.ok) cast.found.push({ fault: "duplicates", what: "a key was taken for another request" });
    return true;
  }
  if (!admitted.ok) return true;
  const { task_id: taskId } = admitted.value.task;
  const key = member["key"] ?? "";
  const named = known.keys.get(key);
  if (named !== undefined && named !== taskId) cast.found.push({ fault: "duplicates", what: `two tasks for ${key}` });
  known.keys.set(key, taskId);
  if (how === "again") return true;
  known.requestUntil.set(taskId, until);
  requests.push(fresh);
  return true;
}

/** The person decides on a record that their page shows: the newest, or one that has been replaced meanwhile. */
export async function decideOne(cast: Cast, decision: "approved" | "denied"): Promise<boolean> {
  const home = anyHome(cast);
  const newest = "select action_id from action where status = 'pending' order by created_at, action_id";
  const any = "select action_id from action order by created_at, action_id";
  const ids = cast.house.ask(cast.random.chance(0.95) ? newest : any).all();
  const actionId = String(cast.random.pick(ids)?.["action_id"]);
  const row = cast.house.ask("select digest, record from action where action_id = ?").get(actionId);
  if (home === undefined || row === undefined) return false;
  const record = JSON.parse(String(row["record"])) as ActionRecord;
  const surface = { version: "simulated", display_digest: record.private["display_text"] ?? "" };
  const input = { decision, action_digest: String(row["digest"]), surface };
  const { known, house } = cast;
  if (decision === "approved") {
    const terms = record.terms as JsonObject;
    known.approved.set(actionId, {
      totalMinor: Number(terms["total_minor"]),
      payee: String(terms["payee"]),
      instrument: String(terms["instrument"]),
      until: Date.parse(record.expires_at),
    });
  }
  cast.say(`the person decides on ${actionId}: ${decision}`);
  await cast.stage.begin({ name: "the person", life: home.life }, async () => {
    const answer = await decide(home.core, house.owner, SESSION, actionId, input);
    cast.say(`the person is answered on ${actionId}: ${answer.ok ? answer.value.status : answer.reason}`);
    if (answer.ok && decision === "denied") known.refused.add(actionId);
  });
  return true;
}

export async function withdrawOne(cast: Cast): Promise<boolean> {
  const home = anyHome(cast);
  const taskId = cast.random.pick([...cast.known.requestUntil.keys()]);
  if (home === undefined || taskId === undefined) return false;
  const by = cast.random.chance(0.5) ? "agent" : "holder";
  const answer = await withdraw(home.core, cast.house.owner, taskId, by);
  const state = answer.ok ? answer.value.task.state : answer.reason;
  cast.say(`the ${by} withdraws ${taskId}: ${state}`);
  if (state === "cancelled") cast.known.withdrawn.add(taskId);
  return true;
}

export async function revoke(cast: Cast): Promise<boolean> {
  const home = anyHome(cast);
  if (home === undefined || cast.known.revokedAt !== undefined) return false;
  const answer = await revokeConsent(home.core, cast.house.owner, cast.consentRef);
  cast.say(`the person revokes the grant: ${answer.ok ? "done" : answer.reason.reason}`);
  if (answer.ok) cast.known.revokedAt = simulatedNow();
  return true;
}

/** The person signs in at the shop, through the hand-off that a task opened or one that they opened themselves. */
export async function signIn(cast: Cast): Promise<boolean> {
  const home = anyHome(cast);
  if (home === undefined) return false;
  const { house } = cast;
  const state = house.ask("select state from connection where account_ref = ?").get(house.accountRef);
  if (state?.["state"] === "connected") return false;
  const open = house
    .ask(
      "select continuation_ref from continuation where completed_at is null and expires_at > ? order by created_at desc, continuation_ref desc",
    )
    .all(simulatedNow())
    .map((row) => String(row["continuation_ref"]))
    .find((ref) => !cast.spent.has(ref));
  const { core, handOffs } = home;
  const what = { ...house.owner, accountRef: house.accountRef, route: "http", kind: "connect" as const };
  const ref =
    open === undefined
      ? (await core.store.transaction((tx) => openContinuation(core, tx, what))).continuation_ref
      : open;
  // The page is drawn and filled by one person in one browser; a process that falls between is begun with again.
  await actNow({ name: "the person", life: home.life }, async () => {
    const begun = await handOffs.begin(house.owner, ref, SESSION);
    const done = begun.ok ? await handOffs.submitForm(house.owner, ref, SESSION, new Map()) : begun;
    cast.say(`the person signs in: ${done.ok ? done.value.kind : done.reason}`);
    if (!done.ok) cast.spent.add(ref);
  });
  return true;
}
