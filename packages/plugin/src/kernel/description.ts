import { definePlugin, type Plugin } from "./plugin.ts";
import { definePoint, type PointId } from "./point.ts";

export type Layer = "transport" | "consent" | "identity" | "commerce" | "runtime";

/** How a protocol plugin describes itself; the listing is a read of these and of nothing else (PLG-3, PLG-5). */
export interface ProtocolDescription {
  readonly id: string;
  readonly name: string;
  /** Every version that this plugin speaks, newest first. */
  readonly versions: readonly string[];
  readonly publisher: string;
  readonly layer: Layer;
  readonly roles: readonly string[];
  readonly state: "implemented" | "partial" | "draft";
  readonly points: readonly PointId[];
  /** Its entry in the protocols catalogue; the versions there equal these. */
  readonly catalogue: { readonly id: string; readonly versions: readonly string[] };
  readonly libraries: readonly { readonly name: string; readonly version: string }[];
}

const LAYERS: readonly Layer[] = ["transport", "consent", "identity", "commerce", "runtime"];
const STATES: readonly string[] = ["implemented", "partial", "draft"];

/** The one home of descriptions: a plugin that has one in its manifest stands here without further ado. */
export const protocolsDescription = definePoint({
  id: "protocols.description",
  kind: "all",
  override: "declared",
  check: isDescription,
});

/** Opens what every set of plugins has. */
export const corePlugin: Plugin = definePlugin({
  manifest: {
    id: "core.protocols",
    version: "1",
    title: "Protocol descriptions",
    opens: [protocolsDescription],
    uses: [],
  },
  contribute() {},
});

export function isDescription(candidate: unknown): candidate is ProtocolDescription {
  if (typeof candidate !== "object" || candidate === null) return false;
  const fields = new Map<string, unknown>(Object.entries(candidate));
  const texts = ["id", "name", "publisher"].every(
    (name) => typeof fields.get(name) === "string" && fields.get(name) !== "",
  );
  const lists = ["versions", "roles", "points", "libraries"].every((name) => Array.isArray(fields.get(name)));
  const versions = fields.get("versions");
  return (
    texts &&
    lists &&
    Array.isArray(versions) &&
    versions.length > 0 &&
    LAYERS.some((layer) => layer === fields.get("layer")) &&
    STATES.some((state) => state === fields.get("state")) &&
    typeof fields.get("catalogue") === "object"
  );
}
