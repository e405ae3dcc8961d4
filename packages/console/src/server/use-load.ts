import { useCallback, useEffect, useRef, useState } from "react";
import { type CallProblem, load } from "./api.ts";

const POLL_MS = 2_000;

/** What is known of a path: the last good value, and what is wrong right now. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: CallProblem | undefined;
  readonly reload: () => Promise<void>;
}

/** Reads a path now and again while the page is visible. The last good value stays while the gateway is away. */
export function useLoad<T>(path: string): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState<CallProblem>();
  const asked = useRef(0);
  const text = useRef("");
  const reload = useCallback(async () => {
    const turn = ++asked.current;
    const answer = await load<T>(path);
    // An answer that a later question has overtaken says what was, not what is.
    if (turn !== asked.current) return;
    setProblem(answer.ok ? undefined : answer.reason);
    if (!answer.ok) return;
    const now = JSON.stringify(answer.value);
    if (now === text.current) return;
    text.current = now;
    setValue(answer.value);
  }, [path]);
  useEffect(() => {
    let waiting = false;
    const look = async () => {
      // One question at a time: a slow gateway must not be asked faster than it answers.
      if (waiting || document.visibilityState !== "visible") return;
      waiting = true;
      await reload();
      waiting = false;
    };
    void look();
    const timer = setInterval(() => void look(), POLL_MS);
    const shown = () => void look();
    document.addEventListener("visibilitychange", shown);
    return () => {
      asked.current++;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [reload]);
  return { value, problem, reload };
}
