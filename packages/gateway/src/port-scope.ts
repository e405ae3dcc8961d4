import type { Caller } from "./admission/caller.ts";
import type { GatewayPort } from "./port.ts";
import type { Store } from "./store/store.ts";

type CallersMethod = (caller: Caller, ...rest: readonly unknown[]) => unknown;

/**
 * Every call of a caller runs with the rows of the caller's tenant alone: what a query forgot to ask, the database
 * refuses. Only who the caller is has to be found out with everybody's rows.
 */
export function inCallersScope(store: Store, port: GatewayPort): GatewayPort {
  const { authenticate, ...rest } = port;
  const scoped = Object.entries(rest as Readonly<Record<string, CallersMethod>>).map(
    ([name, method]): [string, CallersMethod] => [
      name,
      (caller, ...args) => store.as({ tenantId: caller.tenantId }, () => method(caller, ...args)),
    ],
  );
  return {
    ...(Object.fromEntries(scoped) as unknown as Omit<GatewayPort, "authenticate">),
    authenticate: (authorization, resource, proof) =>
      store.as("system", () => authenticate(authorization, resource, proof)),
  };
}
