import { useCallback, useSyncExternalStore } from "react";
import type { CallProblem } from "./api.ts";
import { follow, knownOf, reload } from "./sources.ts";

/** What is known of a path: the last good value and when it was that, and what is wrong right now. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly at: number | undefined;
  readonly problem: CallProblem | undefined;
  readonly reload: () => Promise<void>;
}

/**
 * Reads a path, and again whenever the gateway says that it may read differently; it is polled where nothing says so.
 * Parts of a page that read the same path share one answer. The last good value stays while the gateway is away.
 */
export function useLoad<T>(path: string): Loaded<T> {
  const known = useSyncExternalStore(
    useCallback((changed: () => void) => follow(path, changed), [path]),
    () => knownOf(path),
  );
  return {
    value: known.value as T | undefined,
    at: known.at,
    problem: known.problem,
    reload: useCallback(() => reload(path), [path]),
  };
}
