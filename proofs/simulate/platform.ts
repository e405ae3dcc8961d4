import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";

// What of the platform would bring real time or other threads into a run. The gateway's own code stays as it is; only
// what it stands on answers at once and by the simulated clock. Work that no actor of a simulation does is untouched.

/** Somebody who acts: a worker's step, a decision on its way. `life` is the life of the process that does it. */
export interface Actor {
  readonly name: string;
  readonly life: number;
  taskId?: string;
}

const actors = new AsyncLocalStorage<Actor>();

export function actNow<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

export function currentActor(): Actor | undefined {
  return actors.getStore();
}

export interface Timer {
  readonly life: number;
  readonly due: number;
  readonly fire: () => void;
}

/** Timers of the simulation that runs now; one at a time. */
export const timers = new Set<Timer>();
let clock = 0;

export function simulatedNow(): number {
  return clock;
}

export function setSimulatedNow(ms: number): void {
  clock = ms;
}

const realImmediate = globalThis.setImmediate;
/** Turns of the event loop that somebody waits for: the store commits at the end of one. */
let turnsAsked = 0;

/** Lets everything run that can run without time passing. */
export async function untilIdle(): Promise<void> {
  do {
    await new Promise<void>((resolve) => {
      realImmediate(resolve);
    });
  } while (turnsAsked > 0);
}

type Undo = () => void;

/** Takes effect until the returned function is called. */
export function installPlatform(): Undo {
  const undoTimers = installTimers();
  const undoCrypto = installCrypto();
  return () => {
    undoTimers();
    undoCrypto();
    timers.clear();
  };
}

function installTimers(): Undo {
  const { setTimeout: realSet, clearTimeout: realClear, setInterval: realEvery } = globalThis;
  const handle = (timer: Timer | undefined) => ({
    timer,
    unref() {
      return this;
    },
    ref() {
      return this;
    },
  });
  const set = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown => {
    const actor = currentActor();
    if (actor === undefined) return realSet(work, ms, ...args);
    const timer = { life: actor.life, due: clock + ms, fire: () => work(...args) };
    timers.add(timer);
    return handle(timer);
  };
  const clear = (given: unknown): void => {
    if (typeof given === "object" && given !== null && "timer" in given) timers.delete(given.timer as Timer);
    else realClear(given as NodeJS.Timeout);
  };
  const every = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
    currentActor() === undefined ? realEvery(work, ms, ...args) : handle(undefined);
  const immediate = (work: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    turnsAsked += 1;
    return realImmediate(() => {
      turnsAsked -= 1;
      work(...args);
    });
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear, setInterval: every, setImmediate: immediate });
  const real = { setTimeout: realSet, clearTimeout: realClear, setInterval: realEvery, setImmediate: realImmediate };
  const { setTimeout: realSleep } = timersPromises;
  const sleep = <T>(ms?: number, value?: T): Promise<T> =>
    currentActor() === undefined
      ? realSleep(ms, value as T)
      : new Promise((resolve) => {
          set(() => resolve(value as T), ms);
        });
  setSleep(sleep);
  return () => {
    Object.assign(globalThis, real);
    setSleep(realSleep);
  };
}

/** The modules that imported it by name see the change too. */
function setSleep(sleep: typeof timersPromises.setTimeout): void {
  timersPromises.setTimeout = sleep;
  syncBuiltinESMExports();
}

/**
 * Hashes are made on this thread: another thread's speed would decide the order of events. A signature is stood in for
 * by a digest of its length, for real ones are another each time; what signatures are worth is proven elsewhere.
 */
function installCrypto(): Undo {
  const prototype = Object.getPrototypeOf(globalThis.crypto.subtle) as SubtleCrypto;
  const real = { digest: prototype.digest, sign: prototype.sign };
  const digest: SubtleCrypto["digest"] = (_name, data) => Promise.resolve(hash("sha256", data));
  const sign: SubtleCrypto["sign"] = (_name, _key, data) => Promise.resolve(hash("sha512", data));
  Object.assign(prototype, { digest, sign });
  return () => Object.assign(prototype, real);
}

function hash(name: "sha256" | "sha512", data: BufferSource): ArrayBuffer {
  return Uint8Array.from(createHash(name).update(toBytes(data)).digest()).buffer;
}

function toBytes(data: BufferSource): Uint8Array {
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
