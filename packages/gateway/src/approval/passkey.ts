import { type ApprovalRecord, passkeyRecord, type Reason, verifyAssertion } from "@countersign/profile";
import { canonicalJson, digestOf, digestOfText, err, type JsonObject, ok, type Result } from "@countersign/wire";
import type { z } from "zod";
import type { Core, Owner } from "../core.ts";
import { counterOf } from "../people/counter.ts";
import { acceptCounter } from "../people/passkeys.ts";
import type { Tx } from "../store/store.ts";
import { credentialOf, findUsable } from "./credentials.ts";
import type { ApprovalRow } from "./rows.ts";

/** A WebAuthn assertion as the page posts it: raw bytes in base64url, its challenge being the action's digest. */
export const passkeyAnswer = passkeyRecord.omit({ typ: true });

export interface PasskeyProof {
  readonly auth: ApprovalRecord["auth"];
  readonly stored: Pick<ApprovalRow, "passkey" | "credential_id">;
  /** Asked again in the transaction: a passkey may be revoked while its answer is on its way, or its counter fall back. */
  readonly stillEnrolled: (tx: Tx) => Promise<Reason | undefined>;
}

/**
 * Checks an assertion over `digest` with a passkey that this person enrolled. The person must have been verified by the
 * authenticator, and the same offline verifier that judges bundles judges it here.
 */
export async function checkPasskey(
  core: Core,
  owner: Owner,
  digest: string,
  answer: z.infer<typeof passkeyAnswer>,
): Promise<Result<PasskeyProof, Reason>> {
  const row = await findUsable(core.store.db, owner, answer.credential_id, core.now());
  if (row === undefined) return err("passkey_refused");
  const passkey = { typ: "countersign.passkey/1", ...answer } as const;
  const asserted = await verifyAssertion(passkey, credentialOf(row), digest);
  if (!asserted.ok || asserted.value !== "verified") {
    core.log.info("approval.passkey_refused", { why: asserted.ok ? "user_not_verified" : asserted.reason });
    return err("passkey_refused");
  }
  return ok({
    auth: {
      method: "passkey",
      uv: true,
      assertion_digest: await digestOf(passkey as JsonObject),
      credential_digest: await digestOfText(row.jws),
    },
    stored: { passkey: canonicalJson(passkey as JsonObject), credential_id: row.credential_id },
    stillEnrolled: async (tx) => {
      const still = await findUsable(tx, owner, row.credential_id, core.now());
      if (still === undefined) return "passkey_refused";
      const counter = counterOf(answer.authenticator_data);
      return (await acceptCounter(core, tx, still, counter)) ? undefined : "passkey_refused";
    },
  });
}
