import { lookup } from "node:dns/promises";
import { err, isPublicAddress, ok, type Result } from "@countersign/wire";

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type ResolveProblem = "not_found" | "address_refused";

/** Looks a host up once and says which address may be reached for it (lessons U51). */
export type Resolve = (host: string, port: number) => Promise<Result<PinnedAddress, ResolveProblem>>;

/** Public addresses only. A gateway gives its own, which knows the test origins its configuration names. */
export const resolvePublic: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true }).catch(() => []);
  if (found.length === 0) return err("not_found");
  // One private answer among public ones is a sign of rebinding: all must pass.
  const first = found.every((each) => isPublicAddress(each.address)) ? found[0] : undefined;
  return first ? ok({ address: first.address, family: first.family === 6 ? 6 : 4 }) : err("address_refused");
};
