import type { Placed } from "./collect.ts";
import type { PluginId } from "./plugin.ts";
import type { AnyPoint } from "./point.ts";
import { compareText, type Problem } from "./problem.ts";

/** The winners of a point: at most one for `one`, one per key by key for `keyed`, in order for `all`. */
export interface Resolved {
  readonly winners: ReadonlyMap<AnyPoint, readonly Placed[]>;
  readonly problems: readonly Problem[];
}

/** Rule 6: a pure function of the set; by order, plugin and id, never by the time of registration. */
export function resolve(owners: ReadonlyMap<AnyPoint, PluginId>, placed: readonly Placed[]): Resolved {
  const problems: Problem[] = [];
  const winners = new Map<AnyPoint, readonly Placed[]>();
  for (const [point, owner] of owners) {
    const all = placed.filter((p) => p.point === point).sort(byPlace);
    const groups = [...Map.groupBy(all, (p) => p.key ?? "")]
      .sort(([a], [b]) => compareText(a, b))
      .map(([, group]) => group);
    if (point.kind !== "all") problems.push(...groups.flatMap(tied));
    const won = point.kind === "all" ? all : groups.flatMap((group) => group.slice(0, 1));
    if (point.required && won.length === 0) {
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

function tied(group: readonly Placed[]): readonly Problem[] {
  const [first] = group;
  const level = group.filter((p) => p.order === first?.order);
  if (first === undefined || level.length < 2) return [];
  const { order, point, key } = first;
  const names = level.map((p) => `${p.plugin} (${p.id})`).join(" and ");
  const lower = order === 0 ? "give all but one a higher order" : "give one a lower order";
  const last = point.override === "host" ? "take one from the trusted plugins" : "take the point out of one's uses";
  return [
    {
      code: "tie",
      message:
        `${names} stand at order ${order} of ${point.id}${key === undefined ? "" : ` for ${key}`}. ` +
        `Remove one, ${lower}, or ${last}.`,
      plugins: level.map((p) => p.plugin),
      point: point.id,
    },
  ];
}

export function byPlace(a: Placed, b: Placed): number {
  return (
    a.order - b.order ||
    compareText(a.plugin, b.plugin) ||
    compareText(a.id, b.id) ||
    compareText(a.key ?? "", b.key ?? "")
  );
}
