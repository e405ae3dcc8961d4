import { definePlugin, type Plugin } from "./plugin.ts";
import { definePoint, type PointId } from "./point.ts";

export type Layer = "transport" | "consent" | "identity" | "commerce" | "runtime";

/** How a protocol plugin describes itself; the listing is a read of these and of nothing else (PLG-3, PLG-5). */
export interface ProtocolDescription {
  /** The protocol's id in code, which is its plugin's name: `web_bot_auth`. */
  readonly id: string;
  readonly name: string;
  /** Every version that this plugin speaks, newest first. */
  readonly versions: readonly string[];
  readonly publisher: string;
  readonly layer: Layer;
  readonly roles: readonly string[];
  /**
   * `implemented`: all that the protocol requires of these roles, as its conformance command shows. `partial`: not all of
   * it, and its page says what is missing. `draft`: the protocol itself is one.
   */
  readonly state: "implemented" | "partial" | "draft";
  readonly points: readonly PointId[];
  /** Its entry in the protocols catalogue; the versions there equal these. */
  readonly catalogue: { readonly id: string; readonly versions: readonly string[] };
  readonly libraries: readonly { readonly name: string; readonly version: string }[];
}

/** In the order of the listing. */
export const LAYERS: readonly Layer[] = ["transport", "consent", "identity", "commerce", "runtime"];
const STATES: readonly unknown[] = ["implemented", "partial", "draft"];

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

/** Exactly these members and no others: what is listed is public, so nothing may ride along. */
const MEMBERS: ReadonlyMap<string, (member: unknown) => boolean> = new Map([
  ["id", isText],
  ["name", isText],
  ["versions", isVersions],
  ["publisher", isText],
  ["layer", (v: unknown) => LAYERS.some((layer) => layer === v)],
  ["roles", (v: unknown) => isTexts(v)],
  ["state", (v: unknown) => STATES.includes(v)],
  ["points", (v: unknown) => isTexts(v)],
  ["catalogue", (v: unknown) => hasExactly(v, CATALOGUE)],
  ["libraries", (v: unknown) => Array.isArray(v) && v.every((library) => hasExactly(library, LIBRARY))],
]);
const CATALOGUE: ReadonlyMap<string, (member: unknown) => boolean> = new Map([
  ["id", isText],
  ["versions", isVersions],
]);
const LIBRARY: ReadonlyMap<string, (member: unknown) => boolean> = new Map([
  ["name", isText],
  ["version", isText],
]);

export function isDescription(candidate: unknown): candidate is ProtocolDescription {
  return hasExactly(candidate, MEMBERS);
}

function hasExactly(candidate: unknown, members: ReadonlyMap<string, (member: unknown) => boolean>): boolean {
  if (typeof candidate !== "object" || candidate === null) return false;
  const own = new Map<string, unknown>(Object.entries(candidate));
  return own.size === members.size && [...members].every(([name, is]) => own.has(name) && is(own.get(name)));
}

function isText(v: unknown): v is string {
  return typeof v === "string" && v !== "";
}

function isTexts(v: unknown): v is readonly string[] {
  return Array.isArray(v) && v.every(isText) && new Set(v).size === v.length;
}

function isVersions(v: unknown): boolean {
  return isTexts(v) && v.length > 0;
}
