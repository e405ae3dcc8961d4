const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Milliseconds left as a person reads a clock: `4:09`, `1:00:05`, `2 d 3 h`. Undefined once nothing is left. */
export function remaining(leftMs: number): string | undefined {
  const seconds = Math.floor(leftMs / SECOND_MS);
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined;
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds >= DAY_S) return `${Math.floor(seconds / DAY_S)} d ${Math.floor((seconds % DAY_S) / HOUR_S)} h`;
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const rest = two(seconds % MINUTE_S);
  if (seconds < HOUR_S) return `${minutes}:${rest}`;
  return `${Math.floor(seconds / HOUR_S)}:${two(minutes)}:${rest}`;
}
