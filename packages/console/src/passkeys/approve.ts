import type { ApprovalDecision, ApprovalView } from "@countersign/gateway/trusted-contract";
import { ok, type Result } from "@countersign/wire";
import { approveByPasskey, canUsePasskeys, type PasskeyTrouble } from "./ask.ts";
import { buildDigest } from "./build-digest.ts";

/**
 * What stands between the person and approving this record. `ready`: nothing, whether their passkey is asked or not.
 * `settling`: they have one that may not approve yet. `none`: they have none. `unsupported`: this browser cannot ask it.
 */
export type PasskeyStanding = "ready" | "settling" | "none" | "unsupported";

export function passkeyStanding(view: ApprovalView, able: boolean = canUsePasskeys()): PasskeyStanding {
  if (view.policy !== "passkey") return "ready";
  if ((view.passkeys?.ids.length ?? 0) > 0) return able ? "ready" : "unsupported";
  return view.passkeys?.usable_from === undefined ? "none" : "settling";
}

/** The decision as it is posted: an approval that takes a passkey carries its answer over the digest of the record. */
export async function signDecision(
  view: ApprovalView,
  body: ApprovalDecision,
): Promise<Result<ApprovalDecision, PasskeyTrouble>> {
  if (view.policy !== "passkey" || body.decision !== "approved") return ok(body);
  const passkey = await approveByPasskey(body.action_digest, view.passkeys?.ids ?? []);
  if (!passkey.ok) return passkey;
  const build = await buildDigest();
  return ok({ ...body, surface: { ...body.surface, build_digest: build }, passkey: passkey.value });
}
