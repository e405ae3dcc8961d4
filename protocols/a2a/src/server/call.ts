import type { BindingHost, Caller } from "@countersign/gateway";
import type { PluginStore } from "@countersign/plugin";
import type { ServedCard } from "../card/served.ts";
import type { A2aExtension } from "../extensions/extension.ts";

/** One request as the operations see it: who calls, and what was negotiated. No token is in it (AUT-3). */
export interface Call {
  readonly host: BindingHost;
  readonly caller: Caller;
  readonly store: PluginStore;
  readonly signal: AbortSignal;
  readonly door: Door;
  /** Extensions that this request activates and the card has. */
  readonly active: readonly A2aExtension[];
}

/** What is the same for all requests. */
export interface Door {
  readonly extensions: readonly A2aExtension[];
  readonly card: () => ServedCard;
  readonly blockMs: number;
}
