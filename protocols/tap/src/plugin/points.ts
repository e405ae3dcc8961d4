import { definePoint, type PluginCtx } from "@countersign/plugin";
import type { SigningKey } from "@countersign/web-bot-auth";
import type { AgentKeySource } from "../keys/source.ts";

/** The key that a payment scheme onboarded for this operator: apart from the one of Web Bot Auth, so it has no default. */
export interface TapKeys {
  current(ctx: PluginCtx): Promise<SigningKey>;
}

/** Secret-bearing: whoever reads it can say to merchants that it is this agent. */
export const signerPoint = definePoint({
  id: "tap.signer",
  kind: "one",
  override: "host",
  secretBearing: true,
  check: (v): v is TapKeys => hasFunction(v, "current"),
});

/** Where agents' keys are listed, by the name that results give; no scheme's endpoint is assumed. */
export const keySourcePoint = definePoint({
  id: "tap.keySource",
  kind: "keyed",
  override: "host",
  check: (v): v is AgentKeySource =>
    hasFunction(v, "find") && "name" in v && typeof (v as { readonly name: unknown }).name === "string",
});

function hasFunction<N extends string>(v: unknown, name: N): v is { readonly [K in N]: unknown } {
  return typeof v === "object" && v !== null && typeof (v as Readonly<Record<string, unknown>>)[name] === "function";
}
