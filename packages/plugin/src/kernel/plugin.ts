import type { PluginCtx } from "../seams/ctx.ts";
import type { ProtocolDescription } from "./description.ts";
import type { AnyPoint, Got, Kind, Point } from "./point.ts";

export type PluginId = string;

/** The order of a protocol's own defaults; a lower one wins. */
export const DEFAULT_ORDER = 100;
export const ORDER_MAX = 999;

/** What can be known of a plugin without running it. */
export interface Manifest {
  /** `protocol.pact`, `host.vault`: the part after the dot owns the points whose ids begin with it. */
  readonly id: PluginId;
  readonly version: string;
  readonly title: string;
  readonly opens: readonly AnyPoint[];
  /** Points of others that it reads or contributes to. */
  readonly uses: readonly AnyPoint[];
  readonly needs?: readonly PluginId[];
  readonly describes?: ProtocolDescription;
}

export interface Contribution<T> {
  readonly id: string;
  readonly value: T;
  /** 0 to 999, lower wins. The owner's defaults stand at 100 and say nothing; everybody else must say theirs. */
  readonly order?: number;
  /** For `keyed` points. */
  readonly key?: string;
}

/** Puts one value at one point; the compiler holds the value to the point's type. */
export type Put = <T>(point: Point<T, Kind>, contribution: Contribution<T>) => void;

/** Reads the points that the plugin opened or uses, and no others. */
export interface Scope {
  get<P extends AnyPoint>(point: P): Got<P>;
}

export interface Plugin {
  readonly manifest: Manifest;
  /** Synchronous, without input or output: declares, does not act. */
  contribute(put: Put): void;
  /** Begins what runs; the answer is called at the end, in reverse order. */
  start?(ctx: PluginCtx, scope: Scope): Promise<Disposer | undefined>;
}

export type Disposer = () => Promise<void>;

/** Plugins delivered together; it decides nothing. */
export interface Bundle {
  readonly name: string;
  readonly plugins: readonly Plugin[];
}

export function definePlugin(plugin: Plugin): Plugin {
  return Object.freeze({ ...plugin, manifest: Object.freeze({ ...plugin.manifest }) });
}

/** `protocol.web_bot_auth` owns the points that begin with `web_bot_auth.`. */
export function prefixOf(id: PluginId): string {
  return id.slice(id.indexOf(".") + 1);
}
