import { type BuildOptions, type BuildResult, build, type Kernel } from "./build.ts";
import { corePlugin, type Layer, type ProtocolDescription } from "./description.ts";
import type { Bundle, Plugin } from "./plugin.ts";

const LAYER_ORDER: readonly Layer[] = ["transport", "consent", "identity", "commerce", "runtime"];

/** A host's own set: what it names, over the core. Plugins of others are loaded by the composition root's allow-list. */
export function buildProtocols(plugins: readonly (Plugin | Bundle)[], options: BuildOptions = {}): BuildResult {
  return build([corePlugin, ...plugins], options);
}

/** What this gateway speaks: by layer, then by id. Never a value, a key or a place (PLG-5). */
export function listProtocols(kernel: Kernel): readonly ProtocolDescription[] {
  return [...kernel.describe()].sort(
    (a, b) => LAYER_ORDER.indexOf(a.layer) - LAYER_ORDER.indexOf(b.layer) || (a.id < b.id ? -1 : 1),
  );
}
