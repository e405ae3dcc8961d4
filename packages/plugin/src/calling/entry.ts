import type { AccountIdentity, AnyAdapter, SiteEntry } from "../seams/adapter.ts";
import type { Ctx } from "../seams/ctx.ts";
import type { RouteKind } from "../seams/ids.ts";
import type { Bindings } from "./bindings.ts";
import type { CallingSession, ReadCallAnswer } from "./calls.ts";
import { boundCommit } from "./commit.ts";
import { boundIdentity } from "./identity.ts";
import { boundRead } from "./read.ts";

/** A destination reached by calls, with everything that its operator bound. `signIn` is the route's own. */
export type CalledEntry<S> = SiteEntry<CallingSession, S>;

/**
 * Makes a destination's entry from what its operator bound: the adapters of every route that reaches others by calls.
 * @param readAnswer what a commit's answer says, by the route's own wire.
 */
export function calledEntry<S>(options: {
  readonly route: RouteKind;
  readonly signIn: S;
  readonly bindings: Omit<Bindings, "identity">;
  readonly identity:
    | Bindings["identity"]
    | ((ctx: Ctx, session: CallingSession) => Promise<AccountIdentity | undefined>);
  readonly readAnswer: ReadCallAnswer;
}): CalledEntry<S> {
  const { route, signIn, bindings, identity, readAnswer } = options;
  const operations: readonly AnyAdapter<CallingSession>[] = [
    ...bindings.reads.map(boundRead),
    ...bindings.commits.map((binding) => boundCommit(binding, readAnswer)),
  ];
  return {
    route,
    signIn,
    identify: typeof identity === "function" ? identity : boundIdentity(identity),
    operations,
  };
}
