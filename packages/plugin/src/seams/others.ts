import type { ActionRecord } from "@countersign/profile";
import type { Json, Result } from "@countersign/wire";
import type { Ctx, PluginCtx } from "./ctx.ts";

/** Something that an authority wants consumed with the commit, in the boundary transaction: each key once, for ever. */
export interface Consume {
  readonly key: string;
}

/** Consent or a mandate from outside, enrolled by the account holder (seam `gateway.authority`; APR-3). */
export interface Authority {
  verify(
    ctx: Ctx,
    evidence: Json,
    record: ActionRecord,
  ): Promise<Result<{ readonly decision?: "approved" | "denied"; readonly consume: readonly Consume[] }, string>>;
}

/** Proves to a destination who is calling: adds its signature to what leaves (seam `gateway.identity`). */
export interface IdentitySigner {
  sign(ctx: PluginCtx, request: Request): Promise<Request>;
}

/** An endpoint of a plugin's own (seam `gateway.http`). `/trusted` cannot be claimed. */
export interface HttpEntry {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly auth: "public" | "agent";
  handler(request: Request, ctx: PluginCtx): Promise<Response>;
}

/** How agents reach the gateway (seam `gateway.binding`): given the gateway's port, it answers what it serves. */
export interface Binding {
  readonly id: string;
}
