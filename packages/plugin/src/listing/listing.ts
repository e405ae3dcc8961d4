import type { Application } from "@countersign/profile";
import type { Kernel } from "../kernel/build.ts";
import { corePlugin, LAYERS, type ProtocolDescription, protocolsDescription } from "../kernel/description.ts";
import type { PluginId } from "../kernel/plugin.ts";
import { compareText } from "../kernel/problem.ts";
import { type CatalogueEntry, PROTOCOL_CATALOGUE } from "./catalogue.ts";
import { evidenceOf } from "./evidence.ts";

// The listing is a read of `protocols.description` and of nothing else: ids, versions, roles, states. A contribution's
// value, a key, a place or a host is in none of it, because no description has a member for one (PLG-5).

/** One line of the listing: a plugin's protocol as the plugin describes it. */
export interface ListedProtocol extends ProtocolDescription {
  readonly plugin: PluginId;
  /** The catalogue's word on its entry: it is there with these versions, with others, or not at all, which is a mistake. */
  readonly entry: "known" | "other_versions" | "unknown";
  /** Of an application: that it uses this, in one sentence. Absent where it does not. */
  readonly evidence?: string;
}

/** What an application uses and nobody here speaks. */
export interface MissingProtocol {
  readonly id: string;
  readonly name: string;
  readonly evidence: string;
}

/** The order of the listing: by layer, then by id. */
export function byLayer(a: Pick<CatalogueEntry, "id" | "layer">, b: Pick<CatalogueEntry, "id" | "layer">): number {
  return LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer) || compareText(a.id, b.id);
}

/**
 * What this set of plugins speaks, one line a plugin, by layer and id; with an application, those that it uses carry
 * their sentence of evidence. One that it does not use stays in the list.
 */
export function listProtocols(
  kernel: Kernel,
  application?: Application,
  catalogue: readonly CatalogueEntry[] = PROTOCOL_CATALOGUE,
): readonly ListedProtocol[] {
  const evidence = application === undefined ? new Map<string, string>() : evidenceOf(application);
  return kernel
    .scope(corePlugin.manifest.id)
    .entries(protocolsDescription)
    .map(({ plugin, value }): ListedProtocol => {
      const said = evidence.get(value.id);
      return { plugin, ...value, entry: standing(value, catalogue), ...(said === undefined ? {} : { evidence: said }) };
    })
    .sort(byLayer);
}

/** What the application uses that no plugin of the set speaks: it would not work here, and nothing hides that. */
export function missingProtocols(
  kernel: Kernel,
  application: Application,
  catalogue: readonly CatalogueEntry[] = PROTOCOL_CATALOGUE,
): readonly MissingProtocol[] {
  const spoken = new Set(kernel.describe().map(({ id }) => id));
  return [...evidenceOf(application)]
    .filter(([id]) => !spoken.has(id))
    .map(([id, evidence]) => ({ id, name: catalogue.find((entry) => entry.id === id)?.name ?? id, evidence }));
}

function standing(description: ProtocolDescription, catalogue: readonly CatalogueEntry[]): ListedProtocol["entry"] {
  const entry = catalogue.find(({ id }) => id === description.catalogue.id);
  if (entry === undefined) return "unknown";
  const same = [...entry.versions].sort().join("\n") === [...description.versions].sort().join("\n");
  return same ? "known" : "other_versions";
}
