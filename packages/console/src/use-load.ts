import { useCallback, useEffect, useState } from "react";
import { type CallProblem, load } from "./api.ts";

const POLL_MS = 2_000;

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: CallProblem | undefined;
  readonly reload: () => Promise<void>;
}

/** Reads a path now and again while the page is visible. The last good value stays while the gateway is away. */
export function useLoad<T>(path: string): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState<CallProblem>();
  const reload = useCallback(async () => {
    const answer = await load<T>(path);
    if (answer.ok) {
      setValue(answer.value);
      setProblem(undefined);
    } else setProblem(answer.reason);
  }, [path]);
  useEffect(() => {
    setValue(undefined);
    void reload();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void reload();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return { value, problem, reload };
}
