import { assert } from "@countersign/wire";
import { type Collected, collect, type Placed } from "./collect.ts";
import { isDescription, type ProtocolDescription, protocolsDescription } from "./description.ts";
import { deepFreeze, Shielded } from "./freeze.ts";
import type { Bundle, Plugin, PluginId, Scope } from "./plugin.ts";
import type { AnyPoint, Got, PointId } from "./point.ts";
import type { Problem } from "./problem.ts";
import { resolve } from "./resolve.ts";

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

/** A checked, frozen set of plugins. A running task keeps the one it started with. */
export interface Kernel {
  readonly plugins: readonly Plugin[];
  /** @throws AssertionFailed for a plugin that is not in the set. */
  scope(id: PluginId): Scope;
  describe(): readonly ProtocolDescription[];
  explain(point: PointId): Resolution | undefined;
  with(...plugins: readonly Plugin[]): BuildResult;
  without(...ids: readonly PluginId[]): BuildResult;
}

export type BuildResult =
  | { readonly ok: true; readonly kernel: Kernel }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface BuildOptions {
  /** Plugins that may contribute to points that only the host decides: signers, approvers, egress, credentials, stores. */
  readonly trusted?: readonly PluginId[];
}

/** Validates everything, collects all problems, and answers a frozen snapshot that depends on the set alone. */
export function build(parts: readonly (Plugin | Bundle)[], options: BuildOptions = {}): BuildResult {
  const trusted = new Set(options.trusted ?? []);
  const given = parts.flatMap((part) => ("plugins" in part ? [...part.plugins] : [part]));
  // The same plugin in two bundles is one plugin; another object under its id is an impostor.
  const plugins = [...new Set(given)].sort((a, b) => (a.manifest.id < b.manifest.id ? -1 : 1));
  const collected = collect(plugins, trusted);
  const resolved = resolve(collected);
  const problems = [...twice(plugins), ...needs(plugins), ...collected.problems, ...resolved.problems];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, kernel: snapshot(plugins, collected, resolved.winners, options) };
}

function twice(plugins: readonly Plugin[]): readonly Problem[] {
  const byId = Map.groupBy(plugins, (p) => p.manifest.id);
  return [...byId.entries()]
    .filter(([, group]) => group.length > 1)
    .map(([id]) => ({ code: "plugin_twice", message: `${id} is given twice`, plugins: [id] }));
}

function needs(plugins: readonly Plugin[]): readonly Problem[] {
  const ids = new Set(plugins.map((p) => p.manifest.id));
  const missing = plugins.flatMap(({ manifest }) =>
    (manifest.needs ?? [])
      .filter((need) => !ids.has(need))
      .map(
        (need): Problem => ({
          code: "need_missing",
          message: `${manifest.id} needs ${need}`,
          plugins: [manifest.id, need],
        }),
      ),
  );
  const circle = inNeedsOrder(plugins) === undefined && missing.length === 0;
  return circle
    ? [{ code: "needs_in_a_circle", message: "plugins need each other in a circle", plugins: [...ids] }]
    : missing;
}

/** Each plugin after those it needs; undefined when they need each other in a circle. */
export function inNeedsOrder(plugins: readonly Plugin[]): readonly Plugin[] | undefined {
  const sorted: Plugin[] = [];
  const waiting = new Set(plugins);
  const known = new Set(plugins.map((p) => p.manifest.id));
  while (waiting.size > 0) {
    const next = [...waiting].find((p) =>
      (p.manifest.needs ?? []).every((n) => !known.has(n) || sorted.some((s) => s.manifest.id === n)),
    );
    if (next === undefined) return undefined;
    waiting.delete(next);
    sorted.push(next);
  }
  return sorted;
}

function snapshot(
  plugins: readonly Plugin[],
  collected: Collected,
  winners: ReadonlyMap<AnyPoint, readonly Placed[]>,
  options: BuildOptions,
): Kernel {
  const values = new Map<AnyPoint, readonly { readonly key: string; readonly value: unknown }[]>();
  for (const [point, won] of winners) {
    values.set(
      point,
      won.map((p) => ({ key: p.key ?? "", value: point.secretBearing ? new Shielded(p.value) : deepFreeze(p.value) })),
    );
  }
  const kernel: Kernel = {
    plugins: Object.freeze([...plugins]),
    scope(id) {
      const plugin = plugins.find((p) => p.manifest.id === id);
      assert(plugin !== undefined, "a scope is of a plugin in the set");
      const visible = new Set<AnyPoint>([...plugin.manifest.opens, ...plugin.manifest.uses]);
      return {
        get<P extends AnyPoint>(point: P): Got<P> {
          assert(visible.has(point), "a plugin reads the points it opens or uses");
          return shape(point, values.get(point) ?? []) as Got<P>;
        },
      };
    },
    describe: () => (values.get(protocolsDescription) ?? []).map((v) => v.value).filter(isDescription),
    explain(id) {
      const point = [...collected.owners.keys()].find((p) => p.id === id);
      const owner = point && collected.owners.get(point);
      if (point === undefined || owner === undefined) return undefined;
      const won = new Set(winners.get(point));
      const contributions = collected.placed
        .filter((p) => p.point === point)
        .map((p) => ({
          plugin: p.plugin,
          id: p.id,
          order: p.order,
          wins: won.has(p),
          ...(p.key === undefined ? {} : { key: p.key }),
        }))
        .sort((a, b) => a.order - b.order || (a.plugin < b.plugin ? -1 : 1));
      return { point: id, owner, contributions };
    },
    with: (...more) => build([...plugins, ...more], options),
    without: (...ids) =>
      build(
        plugins.filter((p) => !ids.includes(p.manifest.id)),
        options,
      ),
  };
  return Object.freeze(kernel);
}

function shape(point: AnyPoint, won: readonly { readonly key: string; readonly value: unknown }[]): unknown {
  const open = (value: unknown) => (value instanceof Shielded ? value.open() : value);
  if (point.kind === "one") return open(won[0]?.value);
  if (point.kind === "keyed") return new Map(won.map((w) => [w.key, open(w.value)]));
  return Object.freeze(won.map((w) => open(w.value)));
}
