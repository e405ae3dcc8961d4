import { nearest } from "./nearest.ts";
import type { Plugin, PluginId } from "./plugin.ts";
import type { Problem } from "./problem.ts";

/** Every need is in the set, and none needs itself by way of others. */
export function needsProblems(plugins: readonly Plugin[]): readonly Problem[] {
  const ids = plugins.map((p) => p.manifest.id);
  const missing = plugins.flatMap(({ manifest }) =>
    (manifest.needs ?? [])
      .filter((need) => !ids.includes(need))
      .map((need): Problem => {
        const near = nearest(need, ids);
        return {
          code: "need_missing",
          message: `${manifest.id} needs ${need}${near === undefined ? "" : `; is ${near} meant?`}`,
          plugins: [manifest.id, need],
        };
      }),
  );
  const circle = circled(plugins);
  if (circle.length === 0) return missing;
  return [
    ...missing,
    {
      code: "needs_in_a_circle",
      message: `plugins need each other in a circle: ${circle.join(", ")}`,
      plugins: circle,
    },
  ];
}

/** Each plugin after those it needs, and by id where that leaves a choice. Those in a circle are left out. */
export function inNeedsOrder(plugins: readonly Plugin[]): readonly Plugin[] {
  const known = new Set(plugins.map((p) => p.manifest.id));
  const done = new Set<PluginId>();
  const sorted: Plugin[] = [];
  const waiting = new Set(plugins);
  for (;;) {
    const next = [...waiting].find((p) => (p.manifest.needs ?? []).every((n) => !known.has(n) || done.has(n)));
    if (next === undefined) return sorted;
    waiting.delete(next);
    done.add(next.manifest.id);
    sorted.push(next);
  }
}

/** Trims what only leads to a circle until the circle itself is left. */
function circled(plugins: readonly Plugin[]): readonly PluginId[] {
  const sorted = new Set(inNeedsOrder(plugins));
  let left = plugins.filter((p) => !sorted.has(p));
  for (;;) {
    const needed = new Set(left.flatMap((p) => p.manifest.needs ?? []));
    const fewer = left.filter((p) => needed.has(p.manifest.id));
    if (fewer.length === left.length) return left.map((p) => p.manifest.id);
    left = fewer;
  }
}
