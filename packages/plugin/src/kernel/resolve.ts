import type { Collected, Placed } from "./collect.ts";
import type { AnyPoint } from "./point.ts";
import type { Problem } from "./problem.ts";

/** The winners of a point: under one name for `one`, by key for `keyed`, in order for `all`. */
export interface Resolved {
  readonly winners: ReadonlyMap<AnyPoint, readonly Placed[]>;
  readonly problems: readonly Problem[];
}

/** Rule 6: a pure function of the set; by order, plugin and id, never by the time of registration. */
export function resolve({ owners, placed }: Collected): Resolved {
  const problems: Problem[] = [];
  const winners = new Map<AnyPoint, readonly Placed[]>();
  for (const point of owners.keys()) {
    const all = placed.filter((p) => p.point === point).sort(byPlace);
    const groups = point.kind === "all" ? [] : [...Map.groupBy(all, (p) => p.key ?? "").values()];
    for (const group of groups) {
      const tie = tied(group);
      if (tie !== undefined) problems.push(tie);
    }
    const won = point.kind === "all" ? all : groups.flatMap((group) => group.slice(0, 1));
    if (point.required && won.length === 0) {
      const owner = owners.get(point) ?? "";
      problems.push({
        code: "required_missing",
        message: `${point.id} needs a contribution and has none`,
        plugins: [owner],
        point: point.id,
      });
    }
    winners.set(point, won);
  }
  return { winners, problems };
}

function tied(group: readonly Placed[]): Problem | undefined {
  const [first, second] = group;
  if (first === undefined || second === undefined || first.order !== second.order) return undefined;
  const where = first.key === undefined ? first.point.id : `${first.point.id} (${first.key})`;
  return {
    code: "tie",
    message:
      `${first.plugin} and ${second.plugin} both stand at order ${first.order} of ${where}. ` +
      "Remove one, give one a lower order, or take one from the trusted plugins.",
    plugins: [first.plugin, second.plugin],
    point: first.point.id,
  };
}

function byPlace(a: Placed, b: Placed): number {
  return a.order - b.order || compare(a.plugin, b.plugin) || compare(a.id, b.id) || compare(a.key ?? "", b.key ?? "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
