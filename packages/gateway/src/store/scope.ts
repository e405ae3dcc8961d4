import { AsyncLocalStorage } from "node:async_hooks";

/** Whose rows a piece of work may see: one tenant's, or, for the gateway's own work, everybody's. */
export type Scope = { readonly tenantId: string } | "system";

/** What the policies read from `app.tenant`: no tenant's id is ever one of these two. */
export const SYSTEM_SCOPE = "*";
export const NO_SCOPE = "";

const scopes = new AsyncLocalStorage<Scope>();

/** Runs `work`, and everything it awaits, in `scope`. */
export function inScope<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}

/** The value for `app.tenant`. Work outside every scope has the one that sees nothing. */
export function scopeSetting(): string {
  const scope = scopes.getStore();
  if (scope === undefined) return NO_SCOPE;
  return scope === "system" ? SYSTEM_SCOPE : scope.tenantId;
}
