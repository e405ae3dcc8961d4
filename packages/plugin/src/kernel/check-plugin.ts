import { build } from "./build.ts";
import { corePlugin } from "./description.ts";
import { DEFAULT_ORDER, definePlugin, type Plugin } from "./plugin.ts";
import type { AnyPoint } from "./point.ts";

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
  readonly others?: readonly Plugin[];
}

/**
 * Holds a plugin to its points file: exported, declared, default at 100 or none, replaced by a lower order, back when
 * the replacement goes, gone with its plugin, two at the winning order failing with both names. Answers what is broken;
 * nothing means nothing is. Every protocol's test calls this.
 */
export function checkPlugin(input: CheckInput): readonly string[] {
  const { plugin, points, exported, others = [] } = input;
  const broken: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) broken.push(what);
  };
  const base = [corePlugin, ...others, plugin];
  const built = build(base);
  if (!built.ok) return built.problems.map((p) => p.message);
  const listed = points.points.map((p) => p.id).sort();
  must(
    same(listed, plugin.manifest.opens.map((p) => p.id).sort()),
    "the manifest opens other points than the points file lists",
  );
  must(same(listed, exported.map((p) => p.id).sort()), "the package exports other points than the points file lists");
  const { describes } = plugin.manifest;
  if (describes !== undefined) {
    must(same(listed, [...describes.points].sort()), "the description lists other points than the points file");
    must(
      same([...describes.versions], [...describes.catalogue.versions]),
      "the description's versions are not the catalogue entry's",
    );
    must(
      built.kernel.describe().filter((d) => d.id === describes.id).length === 1,
      "there is not exactly one description",
    );
  }
  for (const { id, default: hasDefault } of points.points) {
    const point = plugin.manifest.opens.find((p) => p.id === id);
    if (point === undefined) continue;
    const own = built.kernel.explain(point.id)?.contributions.filter((c) => c.plugin === plugin.manifest.id) ?? [];
    must(
      hasDefault === own.length > 0,
      `${id}: ${hasDefault ? "the default is missing" : "there is a default that the file does not list"}`,
    );
    must(
      own.every((c) => c.order === DEFAULT_ORDER),
      `${id}: a default does not stand at ${DEFAULT_ORDER}`,
    );
    if (point.override === "never") continue;
    broken.push(...checkReplacement(input, base, point));
  }
  const without = build([corePlugin, ...others]);
  must(
    without.ok && plugin.manifest.opens.every((p) => without.kernel.explain(p.id) === undefined),
    "a point outlives its plugin",
  );
  return broken;
}

function checkReplacement(input: CheckInput, base: readonly Plugin[], point: AnyPoint): readonly string[] {
  const key = point.kind === "keyed" ? "check.key" : undefined;
  const replacement = (name: string, order: number) =>
    definePlugin({
      manifest: { id: `check.${name}`, version: "1", title: name, opens: [], uses: [point] },
      contribute: (put) =>
        put(point, { id: name, value: input.sample(point), order, ...(key === undefined ? {} : { key }) }),
    });
  const trusted = ["check.first", "check.second", "check.late"];
  const broken: string[] = [];
  const replaced = build([...base, replacement("first", 10)], { trusted });
  if (!replaced.ok)
    return [`${point.id}: a lower order does not replace: ${replaced.problems.map((p) => p.message).join("; ")}`];
  const wins = (result: typeof replaced, id: string) =>
    result.ok && result.kernel.explain(point.id)?.contributions.some((c) => c.plugin === id && c.wins) === true;
  if (!wins(replaced, "check.first")) broken.push(`${point.id}: the lower order does not win`);
  if (wins(replaced.kernel.without("check.first") as typeof replaced, "check.first"))
    broken.push(`${point.id}: a replacement outlives its plugin`);
  if (point.kind === "all") return broken;
  const tie = build([...base, replacement("first", 10), replacement("second", 10)], { trusted });
  const named =
    !tie.ok &&
    tie.problems.some(
      (p) =>
        p.code === "tie" &&
        p.plugins.includes("check.first") &&
        p.plugins.includes("check.second") &&
        p.point === point.id,
    );
  if (!named) broken.push(`${point.id}: two at the winning order do not fail with both names`);
  const below = build([...base, replacement("first", 10), replacement("second", 20), replacement("late", 20)], {
    trusted,
  });
  if (!below.ok) broken.push(`${point.id}: a tie below the winner fails`);
  return broken;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
