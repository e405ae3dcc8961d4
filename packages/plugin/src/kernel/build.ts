import { assert } from "@countersign/wire";
import { collect } from "./collect.ts";
import { type ProtocolDescription, protocolsDescription } from "./description.ts";
import { descriptionProblems } from "./descriptions.ts";
import { readManifests } from "./manifests.ts";
import { nearest } from "./nearest.ts";
import { needsProblems } from "./needs.ts";
import { type Bundle, isPlugin, type Plugin, type PluginId, type Scope } from "./plugin.ts";
import type { PointId } from "./point.ts";
import { compareText, inOrder, type Problem } from "./problem.ts";
import { resolve } from "./resolve.ts";
import { explanation, type Resolution, type Snapshot, scopeOf, takeSnapshot } from "./snapshot.ts";

export type { Resolution } from "./snapshot.ts";

/** A checked, frozen set of plugins. A running task keeps the one it started with. */
export interface Kernel {
  /** By id. */
  readonly plugins: readonly Plugin[];
  /** How they were delivered, for display: it decides nothing. */
  readonly bundles: readonly { readonly name: string; readonly plugins: readonly PluginId[] }[];
  /** @throws AssertionFailed for a plugin that is not in the set. */
  scope(id: PluginId): Scope;
  describe(): readonly ProtocolDescription[];
  explain(point: PointId): Resolution | undefined;
  /** A new set; this one stays as it is. */
  with(...plugins: readonly (Plugin | Bundle)[]): BuildResult;
  /** A new set; refused when an id is unknown, and when what is left does not stand by itself. */
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
  const trusted: ReadonlySet<PluginId> = new Set(options.trusted ?? []);
  const given = parts.flatMap((part) => (isBundle(part) ? part.plugins : [part]));
  // The same plugin in two bundles is one plugin; another object under its id is an impostor.
  const plugins = [...new Set(given)].filter(isPlugin).sort((a, b) => compareText(a.manifest.id, b.manifest.id));
  const { owners, problems: manifests } = readManifests(plugins, trusted);
  let snapshot: Snapshot | undefined;
  const scope = (plugin: Plugin) => scopeOf(plugin, () => snapshot);
  const collected = collect(plugins, { owners, trusted }, scope);
  const resolved = resolve(owners, collected.placed);
  const problems = [
    ...given.filter((p) => !isPlugin(p)).map((): Problem => NOT_A_PLUGIN),
    ...manifests,
    ...needsProblems(plugins),
    ...collected.problems,
    ...descriptionProblems(plugins, collected.placed),
    ...resolved.problems,
  ];
  if (problems.length > 0) return { ok: false, problems: inOrder(problems) };
  snapshot = takeSnapshot(resolved.winners);
  const standing = snapshot;
  const kernel: Kernel = {
    plugins: Object.freeze(plugins),
    bundles: Object.freeze(
      parts.filter(isBundle).map(({ name, plugins: list }) => ({ name, plugins: list.map((p) => p.manifest.id) })),
    ),
    scope(id) {
      const plugin = plugins.find((p) => p.manifest.id === id);
      assert(plugin !== undefined, "a scope is of a plugin in the set");
      return scope(plugin);
    },
    describe() {
      const entries = standing.get(protocolsDescription) ?? [];
      return entries.map((e) => e.value).filter(protocolsDescription.check as (v: unknown) => v is ProtocolDescription);
    },
    explain(id) {
      const found = [...owners].find(([point]) => point.id === id);
      if (found === undefined) return undefined;
      const [point, owner] = found;
      return explanation(point, owner, collected.placed, resolved.winners.get(point) ?? []);
    },
    with: (...more) => build([...parts, ...more], options),
    without: (...ids) => without(parts, ids, options),
  };
  return { ok: true, kernel: Object.freeze(kernel) };
}

const NOT_A_PLUGIN: Problem = {
  code: "not_a_plugin",
  message: "something in the list was not made by definePlugin; is this package installed twice?",
  plugins: [],
};

function without(parts: readonly (Plugin | Bundle)[], ids: readonly PluginId[], options: BuildOptions): BuildResult {
  const known = parts.flatMap((part) => (isBundle(part) ? part.plugins : [part])).map((p) => p.manifest.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    return {
      ok: false,
      problems: inOrder(
        unknown.map((id) => {
          const near = nearest(id, known);
          const message = `${id} is not in the set${near === undefined ? "" : `; is ${near} meant?`}`;
          return { code: "plugin_unknown", message, plugins: [id] };
        }),
      ),
    };
  const stays = (p: Plugin) => !ids.includes(p.manifest.id);
  const left = parts.flatMap((part): readonly (Plugin | Bundle)[] => {
    if (isBundle(part)) return [{ name: part.name, plugins: part.plugins.filter(stays) }];
    return stays(part) ? [part] : [];
  });
  return build(left, options);
}

function isBundle(part: Plugin | Bundle): part is Bundle {
  return typeof part === "object" && part !== null && "plugins" in part && Array.isArray(part.plugins);
}
