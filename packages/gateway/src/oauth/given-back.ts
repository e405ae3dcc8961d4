import { endConsents } from "../consent/end.ts";
import type { Core } from "../core.ts";
import { tokenHash } from "../ids.ts";
import { recallUnsubmitted } from "../tasks/wake.ts";
import { deleteGrant } from "./records.ts";

/**
 * A client revoked its refresh token (RFC 7009): it wants to act no more. The consent that came with the token ends too,
 * and every task under it that was not submitted is looked at now and stopped (CON-1). A client that keeps no grant is
 * nobody's agent any more; an agent whose only credential this was, likewise. What was submitted is not undone.
 */
export async function endGivenBack(core: Core, grantId: string): Promise<void> {
  await core.store.transaction(async (tx) => {
    const hash = tokenHash(grantId);
    const now = core.now();
    await deleteGrant(tx, grantId);
    const given = await tx.selectFrom("oauth_grant").selectAll().where("grant_hash", "=", hash).executeTakeFirst();
    await tx.deleteFrom("oauth_grant").where("grant_hash", "=", hash).execute();
    const only = await tx.selectFrom("agent").select("client_id").where("grant_id", "=", grantId).executeTakeFirst();
    const agentId = given?.client_id ?? only?.client_id;
    if (agentId === undefined) return;
    const left = await tx
      .selectFrom("oauth_grant")
      .select("grant_hash")
      .where("client_id", "=", agentId)
      .executeTakeFirst();
    // With other grants left, only what came with this one ends.
    const alone = left === undefined ? {} : { consentRef: given?.consent_ref ?? null };
    await endConsents(core, tx, { clientId: agentId, ...alone });
    if (left !== undefined) return;
    await tx.updateTable("agent").set({ state: "revoked", decided_at: now }).where("client_id", "=", agentId).execute();
    await recallUnsubmitted(tx, { clientId: agentId }, now);
  });
  core.poke();
}
