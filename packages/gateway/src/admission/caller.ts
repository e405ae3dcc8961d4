import type { CalledBy } from "../calling-identity/called-by.ts";
import type { Owner } from "../core.ts";

declare const made: unique symbol;

/**
 * An agent acting for one person, as proven by an access token (AUT-3). Only `authenticate` makes one: a binding can
 * pass it on, never build it.
 */
export interface Caller extends Owner {
  readonly clientId: string;
  /** Who the request showed to have sent it, where the gateway asks; it permits nothing. */
  readonly calledBy?: CalledBy;
  readonly [made]: true;
}

export function caller(fields: {
  readonly tenantId: string;
  readonly personId: string;
  readonly clientId: string;
}): Caller {
  return { ...fields } as Caller;
}

export function withCalledBy(who: Caller, calledBy: CalledBy): Caller {
  return { ...who, calledBy };
}
