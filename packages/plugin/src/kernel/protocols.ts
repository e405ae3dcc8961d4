import { type BuildOptions, type BuildResult, build } from "./build.ts";
import { corePlugin } from "./description.ts";
import type { Bundle, Plugin } from "./plugin.ts";

/** A host's own set: what it names, over the core. Plugins of others are loaded by the composition root's allow-list. */
export function buildProtocols(plugins: readonly (Plugin | Bundle)[], options: BuildOptions = {}): BuildResult {
  return build([corePlugin, ...plugins], options);
}
