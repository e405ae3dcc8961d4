import { type Instant, instant } from "@countersign/wire";
import { LEASE_RENEW_MS } from "../../packages/gateway/src/limits.ts";
import { type Actor, actNow, currentActor, setSimulatedNow, simulatedNow, timers, untilIdle } from "./platform.ts";

/** Where an actor waits until the stage lets it go on. */
export interface Pause {
  readonly actor: Actor;
  readonly label: string;
  readonly resume: () => void;
}

/**
 * The stage of one run: one thing happens at a time. Actors stop at every named moment and wait to be called; between
 * two calls the clock stands.
 */
export interface Stage {
  now(): Instant;
  /** All who wait, of lives that are neither over nor stopped. */
  ready(): readonly Pause[];
  pause(label: string): Promise<void>;
  /** Begins something and runs it to its first pause, or its end. */
  begin(actor: Actor, work: () => Promise<void>): Promise<void>;
  goOn(pause: Pause): Promise<void>;
  /** Lets time pass: timers fire and leases are renewed where a life is awake. */
  pass(ms: number, renew: () => Promise<void>): Promise<void>;
  /** Everything that this life had in memory is gone. */
  end(life: number): void;
  /** A life that is stopped (its machine is suspended) neither acts nor hears its timers. */
  setStopped(life: number, stopped: boolean): Promise<void>;
  isStopped(life: number): boolean;
  isOver(life: number): boolean;
  /** Something runs that has not come to its end. */
  readonly running: ReadonlySet<Actor>;
  /** What came to an end by an error of the gateway's own. */
  readonly broken: readonly string[];
}

export function createStage(start: number, say: (line: string) => void): Stage {
  setSimulatedNow(start);
  timers.clear();
  let pauses: Pause[] = [];
  const over = new Set<number>();
  const stopped = new Set<number>();
  const running = new Set<Actor>();
  const broken: string[] = [];
  const awake = (life: number): boolean => !over.has(life) && !stopped.has(life);

  const fireDue = async (): Promise<void> => {
    for (;;) {
      const due = [...timers].filter((t) => t.due <= simulatedNow() && awake(t.life));
      const [first] = due.sort((a, b) => a.due - b.due);
      if (first === undefined) return;
      timers.delete(first);
      say("a time limit passes");
      first.fire();
      await untilIdle();
    }
  };

  return {
    now: () => instant(simulatedNow()),
    ready: () => pauses.filter((p) => awake(p.actor.life)),
    pause(label) {
      const actor = currentActor();
      if (actor === undefined) return Promise.resolve();
      return new Promise((resolve) => {
        pauses.push({ actor, label, resume: resolve });
      });
    },
    async begin(actor, work) {
      running.add(actor);
      actNow(actor, () => {
        work().then(
          () => running.delete(actor),
          (error: unknown) => {
            running.delete(actor);
            const what = error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
            broken.push(`${actor.name}: ${what}`);
            say(`${actor.name} BREAKS: ${what}`);
          },
        );
      });
      await untilIdle();
    },
    async goOn(pause) {
      pauses = pauses.filter((p) => p !== pause);
      pause.resume();
      await untilIdle();
    },
    async pass(ms, renew) {
      const target = simulatedNow() + ms;
      await fireDue();
      while (simulatedNow() < target) {
        const dues = [...timers].filter((t) => awake(t.life)).map((t) => t.due);
        const busy = [...running].some((a) => awake(a.life) && a.taskId !== undefined);
        const next = Math.min(target, ...dues, ...(busy ? [simulatedNow() + LEASE_RENEW_MS] : []));
        setSimulatedNow(Math.max(next, simulatedNow() + 1));
        if (busy) await renew();
        await fireDue();
      }
    },
    end(life) {
      over.add(life);
      stopped.delete(life);
      pauses = pauses.filter((p) => p.actor.life !== life);
      for (const actor of [...running]) if (actor.life === life) running.delete(actor);
      for (const timer of [...timers]) if (timer.life === life) timers.delete(timer);
    },
    async setStopped(life, value) {
      if (value) stopped.add(life);
      else stopped.delete(life);
      await fireDue();
    },
    isStopped: (life) => stopped.has(life),
    isOver: (life) => over.has(life),
    running,
    broken,
  };
}
