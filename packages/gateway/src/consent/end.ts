import type { Core } from "../core.ts";
import { insertRevocation } from "../evidence/revocations.ts";
import type { Tx } from "../store/store.ts";
import { recallUnsubmitted } from "../tasks/wake.ts";
import type { ConsentRow } from "./consents.ts";

/** Which consents of an agent end: all that it has, or the one that came with a credential. */
export interface Ending {
  readonly clientId: string;
  readonly consentRef?: string | null;
}

/**
 * Ends consents because whoever holds them is not, or not by that credential, an agent any more: what was asked and what
 * was granted alike, with a signed revocation of each grant, and every task under them that was not submitted is looked
 * at now (CON-1).
 */
export async function endConsents(core: Core, tx: Tx, { clientId, consentRef }: Ending): Promise<void> {
  const now = core.now();
  let open = tx
    .selectFrom("consent")
    .select(["consent_ref", "tenant_id", "state"])
    .where("client_id", "=", clientId)
    .where("state", "in", ["requested", "granted"]);
  if (consentRef !== undefined) open = open.where("consent_ref", "=", consentRef ?? "");
  for (const { consent_ref: ref, tenant_id: tenantId, state } of await open.execute()) {
    const ended = { state: "revoked", revoked_at: now } satisfies Partial<ConsentRow>;
    await tx.updateTable("consent").set(ended).where("consent_ref", "=", ref).execute();
    if (state === "granted") await insertRevocation(core, tx, { what: "consent", ref, at: now, tenantId });
    await recallUnsubmitted(tx, { consentRef: ref }, now);
  }
}
