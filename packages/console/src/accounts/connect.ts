import { ok, type Result } from "@countersign/wire";
import { go } from "../app/router.ts";
import { type CallProblem, send } from "../server/api.ts";

const AFTER = "after:";

/** What is to be connected: a destination by a route; an account that is known already keeps its reference. */
export interface Connection {
  readonly destination: string;
  readonly route: string;
  readonly accountRef?: string | undefined;
}

/** Begins to connect an account, goes to the sign-in, and remembers this page to come back to. */
export async function connectAccount(wanted: Connection): Promise<Result<undefined, CallProblem>> {
  const { destination, route, accountRef } = wanted;
  const body = { destination, route, ...(accountRef === undefined ? {} : { account_ref: accountRef }) };
  const begun = await send<{ readonly continuation_ref: string }>("/connections", body);
  if (!begun.ok) return begun;
  const ref = begun.value.continuation_ref;
  sessionStorage.setItem(`${AFTER}${ref}`, location.pathname);
  go(`/continuations/${ref}`);
  return ok(undefined);
}

/** The page that the person came from, once; only a path of this console. */
export function takeReturn(continuationRef: string): string | undefined {
  const path = sessionStorage.getItem(`${AFTER}${continuationRef}`);
  sessionStorage.removeItem(`${AFTER}${continuationRef}`);
  return path?.startsWith("/") && !path.startsWith("//") ? path : undefined;
}
