import { POINTS, type Point } from "../../packages/gateway/src/points.ts";

export type StoreKind = "sqlite" | "postgres";

/** What befalls one order. */
export interface Plan {
  readonly point: Point;
  readonly signal: "SIGKILL" | "SIGSTOP";
  /** The how-manieth time that the moment is reached. */
  readonly pass: number;
  /** What the shop does with the order besides. */
  readonly shop: "answers" | "commits_then_drops" | "drops_before" | "wants_a_code";
}

const SIGNALS = ["SIGKILL", "SIGSTOP"] as const;

/** Every point with either signal in turn; what the shop does varies with the round. The same number, the same plan. */
export function planOf(number: number): Plan {
  const point = POINTS[number % POINTS.length] ?? "task.claimed";
  const round = Math.floor(number / POINTS.length);
  const signal = SIGNALS[round % 2] ?? "SIGKILL";
  const pass = point === "task.claimed" ? 1 + (Math.floor(round / 2) % 2) : 1;
  return { point, signal, pass, shop: shopFor(point, Math.floor(round / 2)) };
}

function shopFor(point: Point, turn: number): Plan["shop"] {
  if (point.startsWith("verification.")) return "wants_a_code";
  if (point.startsWith("reconcile.")) return turn % 3 === 2 ? "drops_before" : "commits_then_drops";
  return (["answers", "commits_then_drops", "answers", "drops_before"] as const)[turn % 4] ?? "answers";
}
