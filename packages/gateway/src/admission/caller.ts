import type { Owner } from "../core.ts";

declare const made: unique symbol;

/**
 * An agent acting for one person, as proven by an access token (AUT-3). Only `authenticate` makes one: a binding can
 * pass it on, never build it.
 */
export interface Caller extends Owner {
  readonly clientId: string;
  readonly [made]: true;
}

export function caller(fields: {
  readonly tenantId: string;
  readonly personId: string;
  readonly clientId: string;
}): Caller {
  return { ...fields } as Caller;
}
