import type { PluginCtx } from "../seams/ctx.ts";
import type { ProtocolDescription } from "./description.ts";
import { deepFreeze } from "./freeze.ts";
import type { AnyPoint, FillablePoint, Got, Kind, ValueOf } from "./point.ts";

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
  /** Put at `protocols.description` without further ado (PLG-3). */
  readonly describes?: ProtocolDescription;
}

export interface Contribution<T> {
  /** Its name within plugin and point: letters, digits and `. _ : / @ -`. */
  readonly id: string;
  /** Frozen with the set: keep state in closures, private fields or the plugin's store. */
  readonly value: T;
  /** 0 to 999, lower wins. The owner's defaults stand at 100 and say nothing; everybody else must say theirs. */
  readonly order?: number;
  /** For `keyed` points. */
  readonly key?: string;
}

/** Puts one value at one point; the point alone says what the value must be. */
export type Put = <T>(point: FillablePoint<T, Kind>, contribution: Contribution<NoInfer<T>>) => void;

/** A contribution that stands, and whose it is. */
export interface Entry<T> {
  readonly plugin: PluginId;
  readonly id: string;
  readonly order: number;
  readonly key?: string;
  readonly value: T;
}

/** Reads the points that the plugin opened or uses, and no others. */
export interface Scope {
  get<P extends AnyPoint>(point: P): Got<P>;
  /** The same winners with their plugins: one or none, one per key by key, or every one by order, plugin and id. */
  entries<P extends AnyPoint>(point: P): readonly Entry<ValueOf<P>>[];
}

export interface Plugin {
  readonly manifest: Manifest;
  /**
   * Synchronous, without input or output: declares, does not act; called anew for every set the plugin is part of.
   * `scope` answers once the set is built: for contributions that read the winner of a point when they are called.
   */
  contribute(put: Put, scope: Scope): void;
  /** Begins what runs; the answer is called at the end, in reverse order. `ctx.signal` aborts when time is up. */
  start?(ctx: PluginCtx, scope: Scope): Promise<Disposer | undefined>;
}

export type Disposer = () => Promise<void>;

/** Plugins delivered together; it decides nothing. */
export interface Bundle {
  readonly name: string;
  readonly plugins: readonly Plugin[];
}

const made = new WeakSet<object>();

/**
 * Fixes the manifest as it is now: lists are copied, so that nobody widens what a plugin may read after the build.
 * @throws TypeError when the manifest has no id or no lists.
 */
export function definePlugin(plugin: Plugin): Plugin {
  const { opens, uses, needs, describes, ...named } = plugin.manifest;
  if (typeof named.id !== "string") throw new TypeError("a plugin's manifest has an id");
  const manifest: Manifest = Object.freeze({
    ...named,
    opens: Object.freeze([...opens]),
    uses: Object.freeze([...uses]),
    ...(needs === undefined ? {} : { needs: Object.freeze([...needs]) }),
    ...(describes === undefined ? {} : { describes: deepFreeze(describes) }),
  });
  const defined = Object.freeze({ ...plugin, manifest });
  made.add(defined);
  return defined;
}

/** True for plugins of {@link definePlugin} only. */
export function isPlugin(candidate: unknown): candidate is Plugin {
  return typeof candidate === "object" && candidate !== null && made.has(candidate);
}

/** `protocol.web_bot_auth` owns the points that begin with `web_bot_auth.`. */
export function prefixOf(id: PluginId): string {
  return id.slice(id.indexOf(".") + 1);
}
