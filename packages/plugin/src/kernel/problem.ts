/** Why a set of plugins does not make a kernel. Every problem of the set is told, not only the first. */
export type ProblemCode =
  | "plugin_twice"
  | "need_missing"
  | "needs_in_a_circle"
  | "point_opened_twice"
  | "point_of_another_protocol"
  | "point_not_opened"
  | "point_not_declared"
  | "not_permitted"
  | "bad_value"
  | "bad_order"
  | "order_missing"
  | "key_missing"
  | "key_unexpected"
  | "contribution_twice"
  | "tie"
  | "required_missing"
  | "contribute_threw";

export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly plugins: readonly string[];
  readonly point?: string;
}

/** The known name nearest to a mistyped one, when it is near enough to be meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const best = known.map((other) => ({ other, far: distance(name, other) })).sort((a, b) => a.far - b.far)[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(name.length / 4)) ? best.other : undefined;
}

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
