import type { AccountView, ConsentView } from "@countersign/gateway/trusted-contract";

/** The ways to the site that the agent asked for, and that there are: no other way would be of use to this grant. */
export function waysAsked(
  consent: Pick<ConsentView, "available_routes"> & { readonly asked: Pick<ConsentView["asked"], "routes"> },
): readonly string[] {
  return consent.available_routes.filter((route) => consent.asked.routes.includes(route));
}

/** Whether this grant can act at the account: signed in there, by a way that was asked for. */
export function canServe(account: Pick<AccountView, "connections">, ways: readonly string[]): boolean {
  return account.connections.some(({ state, route }) => state === "connected" && ways.includes(route));
}
