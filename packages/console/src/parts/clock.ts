import { useSyncExternalStore } from "react";

const TICK_MS = 20_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The time, renewed often enough for "2 minutes ago"; one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      if (listeners.size === 1) {
        now = Date.now();
        timer = setInterval(tick, TICK_MS);
      }
      return () => {
        listeners.delete(changed);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
    () => now,
  );
}
