import { assert } from "@countersign/wire";
import type { Placed } from "./collect.ts";
import { deepFreeze } from "./freeze.ts";
import { hide } from "./hide.ts";
import type { Entry, Plugin, PluginId, Scope } from "./plugin.ts";
import type { AnyPoint, Got, PointId, ValueOf } from "./point.ts";
import { byPlace } from "./resolve.ts";

/** How a point was decided: ids, orders and winners, never a value. */
export interface Resolution {
  readonly point: PointId;
  readonly owner: PluginId;
  readonly contributions: readonly {
    readonly plugin: PluginId;
    readonly id: string;
    readonly order: number;
    readonly key?: string;
    readonly wins: boolean;
  }[];
}

/** What stands at each point, frozen for good (rule 8). */
export type Snapshot = ReadonlyMap<AnyPoint, readonly Entry<unknown>[]>;

export function takeSnapshot(winners: ReadonlyMap<AnyPoint, readonly Placed[]>): Snapshot {
  const entries = new Map<AnyPoint, readonly Entry<unknown>[]>();
  for (const [point, won] of winners) {
    for (const { value } of won) {
      if (point.secretBearing) hide(value);
      deepFreeze(value);
    }
    entries.set(point, Object.freeze(won.map(entryOf)));
  }
  return entries;
}

function entryOf({ plugin, id, order, key, value }: Placed): Entry<unknown> {
  return Object.freeze({ plugin, id, order, ...(key === undefined ? {} : { key }), value });
}

/** What one plugin may read. `taken` answers nothing while plugins still contribute. */
export function scopeOf({ manifest }: Plugin, taken: () => Snapshot | undefined): Scope {
  const visible = new Set<AnyPoint>([...manifest.opens, ...manifest.uses]);
  const standing = (point: AnyPoint): readonly Entry<unknown>[] => {
    assert(visible.has(point), "a plugin reads the points it opens or uses");
    const snapshot = taken();
    assert(snapshot !== undefined, "a scope is read once the set is built, and not while contributing");
    return snapshot.get(point) ?? [];
  };
  // The values passed the point's own check and were put through its exact type: here alone the compiler must be told.
  return Object.freeze({
    get: <P extends AnyPoint>(point: P): Got<P> => shape(point, standing(point)) as Got<P>,
    entries: <P extends AnyPoint>(point: P) => standing(point) as readonly Entry<ValueOf<P>>[],
  });
}

function shape(point: AnyPoint, entries: readonly Entry<unknown>[]): unknown {
  if (point.kind === "one") return entries[0]?.value;
  // A map of the reader's own: changing it changes nothing for others.
  if (point.kind === "keyed") return new Map(entries.map((e) => [e.key, e.value]));
  return Object.freeze(entries.map((e) => e.value));
}

export function explanation(
  point: AnyPoint,
  owner: PluginId,
  placed: readonly Placed[],
  won: readonly Placed[],
): Resolution {
  const contributions = placed
    .filter((p) => p.point === point)
    .sort(byPlace)
    .map((p) => ({
      plugin: p.plugin,
      id: p.id,
      order: p.order,
      ...(p.key === undefined ? {} : { key: p.key }),
      wins: won.includes(p),
    }));
  return deepFreeze({ point: point.id, owner, contributions });
}
