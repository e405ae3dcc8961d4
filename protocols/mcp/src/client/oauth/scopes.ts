import type { Ctx } from "@countersign/plugin";
import type { Json } from "@countersign/wire";
import { SCOPE_CHARS_MAX } from "../limits.ts";

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The scopes of a list as RFC 6749 writes it; what is no scope is left out. */
export function scopesOf(text: string | undefined): readonly string[] {
  return [...new Set((text ?? "").split(" ").filter((one) => SCOPE.test(one)))];
}

/** Keeps what a server asked for, so that the person's next sign-in there asks for all of it at once. */
export async function askScopes(ctx: Ctx, issuer: string, scopes: readonly string[]): Promise<void> {
  const before = await ctx.store.get(keyOf(ctx, issuer));
  const all = [...new Set(scopes)].join(" ").slice(0, SCOPE_CHARS_MAX);
  await ctx.store.put(keyOf(ctx, issuer), all as Json, before?.version ?? 0);
}

export async function askedScopes(ctx: Ctx, issuer: string): Promise<readonly string[]> {
  const stored = await ctx.store.get(keyOf(ctx, issuer));
  return typeof stored?.value === "string" ? scopesOf(stored.value) : [];
}

function keyOf(ctx: Ctx, issuer: string): string {
  return `scopes/${ctx.person ?? ""}/${issuer}`;
}
