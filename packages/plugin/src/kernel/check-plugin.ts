import { inspect } from "node:util";
import { type BuildResult, build, type Kernel } from "./build.ts";
import { checkPoint, type PointCheck } from "./check-point.ts";
import { corePlugin, type ProtocolDescription } from "./description.ts";
import { definePlugin, type Plugin, prefixOf } from "./plugin.ts";
import type { AnyPoint, FillablePoint, Kind } from "./point.ts";

/** A protocol's points file (`points.json` beside its plugin): each point, and whether it has a default (PLG-4). */
export interface PointsFile {
  readonly points: readonly { readonly id: string; readonly default: boolean }[];
}

export interface CheckInput {
  readonly plugin: Plugin;
  readonly points: PointsFile;
  /** The points as the plugin's package exports them. */
  readonly exported: readonly AnyPoint[];
  /** A value that the point takes, for playing a replacement. */
  readonly sample: (point: AnyPoint) => unknown;
  /** What the plugin needs beside it; it and they are trusted. */
  readonly others?: readonly Plugin[];
  /** The protocols catalogue. With it, the plugin's entry must be there and name the versions the plugin speaks. */
  readonly catalogue?: readonly ProtocolDescription["catalogue"][];
}

/**
 * Holds a plugin to its points file and to what every protocol promises (plugins.md section 5): exported, declared,
 * default at 100 or none, replaced by a lower order, back when the replacement goes, gone with its plugin, ties, order
 * of registration, permission, placeholders, one true description. Answers what is broken; nothing means nothing is.
 * Every protocol's test calls this.
 */
export function checkPlugin(input: CheckInput): readonly string[] {
  const { plugin, points } = input;
  const base = baseOf(input);
  const built = base.build([]);
  if (!built.ok) return built.problems.map((p) => p.message);
  return [
    ...checkLists(input),
    ...checkDescription(input, built.kernel),
    ...points.points.flatMap((listed) => {
      const point = plugin.manifest.opens.find((p) => p.id === listed.id);
      if (point === undefined) return [];
      const check: PointCheck = { ...base, point, owner: plugin, hasDefault: listed.default, inspect };
      return checkPoint(check).map((broken) => `${point.id}: ${broken}`);
    }),
  ];
}

/** The plugin among those it needs, with required points filled that are the host's to fill. */
function baseOf({ plugin, points, sample, others = [] }: CheckInput): Pick<PointCheck, "build" | "probe"> {
  const probe: PointCheck["probe"] = (name, at, given) =>
    definePlugin({
      manifest: { id: `check.${name}`, version: "1", title: name, opens: [], uses: given.uses ?? at },
      contribute(put) {
        for (const point of at) {
          const key = point.kind === "keyed" ? { key: given.key ?? "check.key" } : {};
          const order = given.order === undefined ? {} : { order: given.order };
          const value = "value" in given ? given.value : sample(point);
          // The table knows points of any type; the point's own check, run at build, stands in for the compiler.
          put(point as FillablePoint<unknown, Kind>, { id: name, value, ...key, ...order });
        }
      },
    });
  const bare = plugin.manifest.opens.filter(
    (point) => point.required && points.points.some((p) => p.id === point.id && !p.default),
  );
  const host = bare.length === 0 ? [] : [probe("host", bare, { order: 900, key: "check.host" })];
  const all = [corePlugin, ...others, plugin, ...host];
  const trusted = [...all.map((p) => p.manifest.id), "check.first", "check.second", "check.late"];
  const buildWith = (more: readonly Plugin[], arrange = (set: readonly Plugin[]) => set): BuildResult =>
    build(arrange([...all, ...more]), { trusted });
  return { build: buildWith, probe };
}

function checkLists({ plugin, points, exported }: CheckInput): readonly string[] {
  const listed = points.points.map((p) => p.id);
  const opened = plugin.manifest.opens;
  return [
    ...unless(sameSet(listed, ids(opened)), "the manifest opens other points than the points file lists"),
    ...unless(sameSet(listed, ids(exported)), "the package exports other points than the points file lists"),
    ...unless(
      exported.every((p) => opened.includes(p)),
      "the package exports another point under the id of one it opens",
    ),
  ];
}

function checkDescription({ plugin, points, catalogue }: CheckInput, kernel: Kernel): readonly string[] {
  const own = prefixOf(plugin.manifest.id);
  const [description, ...more] = kernel.describe().filter((d) => d.id === own);
  if (description === undefined || more.length > 0) return ["there is not exactly one description"];
  const { versions } = description;
  const entry = catalogue?.find((e) => e.id === description.catalogue.id);
  const listed = points.points.map((p) => p.id);
  return [
    ...unless(sameSet(listed, description.points), "the description lists other points than the points file"),
    ...unless(
      sameSet(versions, description.catalogue.versions),
      "the description's versions are not the catalogue entry's",
    ),
    ...unless(catalogue === undefined || entry !== undefined, "the catalogue has no entry for it"),
    ...unless(
      entry === undefined || sameSet(versions, entry.versions),
      "the catalogue has other versions than the description",
    ),
  ];
}

function ids(points: readonly AnyPoint[]): readonly string[] {
  return points.map((p) => p.id);
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join("\n") === [...b].sort().join("\n");
}

function unless(holds: boolean, what: string): readonly string[] {
  return holds ? [] : [what];
}
