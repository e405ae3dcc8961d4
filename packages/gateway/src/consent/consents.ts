import { demandedPolicy, identifier, timestamp } from "@countersign/profile";
import type { Selectable } from "kysely";
import { z } from "zod";
import { NAME_CHARS_MAX, PURPOSE_CHARS_MAX } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Db } from "../store/store.ts";
import { consentLimits } from "./limits.ts";

export const SCOPE_ITEMS_MAX = 50;

/** What a grant covers (CON-1). */
export const consentScope = z.strictObject({
  operations: z.array(identifier).min(1).max(SCOPE_ITEMS_MAX),
  routes: z.array(identifier).min(1).max(SCOPE_ITEMS_MAX),
  limits: consentLimits,
  /** Who has to decide each action under this grant, beyond what is demanded anyway; only the person sets it (APR-3). */
  approval: demandedPolicy.optional(),
  expires_at: timestamp,
});
export type ConsentScope = z.infer<typeof consentScope>;

/** What an agent may ask for: a destination or an account that it already knows; only the person decides (AUT-2). */
export const consentRequest = z
  .strictObject({
    destination: z.string().min(1).max(NAME_CHARS_MAX).optional(),
    account_ref: identifier.optional(),
    operations: z.array(identifier).min(1).max(SCOPE_ITEMS_MAX),
    routes: z.array(identifier).min(1).max(SCOPE_ITEMS_MAX).optional(),
    limits: consentLimits.optional(),
    purpose: z.string().min(1).max(PURPOSE_CHARS_MAX),
    expires_at: timestamp,
  })
  .refine(
    (r) => (r.destination === undefined) !== (r.account_ref === undefined),
    "a destination or an account, not both",
  );
export type ConsentRequest = z.infer<typeof consentRequest>;

export type ConsentRow = Selectable<Schema["consent"]>;

export function readScope(text: string): ConsentScope {
  return consentScope.parse(JSON.parse(text));
}

export async function findConsent(
  db: Db,
  owner: { readonly tenantId: string; readonly personId: string; readonly clientId?: string },
  consentRef: string,
): Promise<ConsentRow | undefined> {
  let query = db
    .selectFrom("consent")
    .selectAll()
    .where("consent_ref", "=", consentRef)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId);
  if (owner.clientId !== undefined) query = query.where("client_id", "=", owner.clientId);
  return query.executeTakeFirst();
}
