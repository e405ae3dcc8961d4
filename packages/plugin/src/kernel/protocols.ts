import { type BuildOptions, type BuildResult, build, type Kernel } from "./build.ts";
import { corePlugin, LAYERS, type ProtocolDescription } from "./description.ts";
import type { Bundle, Plugin } from "./plugin.ts";
import { compareText } from "./problem.ts";

/** A host's own set: what it names, over the core. Plugins of others are loaded by the composition root's allow-list. */
export function buildProtocols(plugins: readonly (Plugin | Bundle)[], options: BuildOptions = {}): BuildResult {
  return build([corePlugin, ...plugins], options);
}

/** What this gateway speaks: by layer, then by id. Never a value, a key or a place (PLG-5). */
export function listProtocols(kernel: Kernel): readonly ProtocolDescription[] {
  return [...kernel.describe()].sort(
    (a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) || compareText(a.id, b.id),
  );
}
