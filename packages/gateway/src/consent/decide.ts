import { identifier } from "@countersign/profile";
import { DAY_MS, err, ok, parseInstant, type Result } from "@countersign/wire";
import { z } from "zod";
import type { Caller } from "../admission/caller.ts";
import { notOffered, offeredAt } from "../admission/not-offered.ts";
import { type Refusal, schemaRefusal } from "../admission/refusal.ts";
import { findAccount } from "../connection/accounts.ts";
import type { Core, KnownDestination, Owner } from "../core.ts";
import { insertRevocation } from "../evidence/revocations.ts";
import { CONSENTS_OPEN_MAX, GRANT_DAYS_MAX } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import { recallUnsubmitted } from "../tasks/wake.ts";
import {
  type ConsentRow,
  type ConsentScope,
  consentRequest,
  consentScope,
  findConsent,
  readScope,
} from "./consents.ts";
import { widened } from "./widened.ts";

/** An agent asks for a grant; it has asked for nothing more than a page in the person's inbox (AUT-2). */
export async function requestConsent(core: Core, caller: Caller, body: unknown): Promise<Result<ConsentRow, Refusal>> {
  const parsed = consentRequest.safeParse(body);
  if (!parsed.success) return err(schemaRefusal(parsed.error));
  const asked = parsed.data;
  const account =
    asked.account_ref === undefined ? undefined : await findAccount(core.store.db, caller, asked.account_ref);
  if (asked.account_ref !== undefined && account === undefined) return err({ reason: "not_found" });
  const destination = core.destinations.get(account?.destination ?? asked.destination ?? "");
  if (destination === undefined) return err({ reason: "not_found" });
  const scope: ConsentScope = {
    operations: asked.operations,
    routes: asked.routes ?? [...destination.byRoute.keys()],
    limits: asked.limits ?? {},
    expires_at: asked.expires_at,
  };
  const problem = scopeProblem(core, destination, scope);
  if (problem !== undefined) return err(problem);
  return core.store.transaction(async (tx): Promise<Result<ConsentRow, Refusal>> => {
    const waiting = await tx
      .selectFrom("consent")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("client_id", "=", caller.clientId)
      .where("state", "=", "requested")
      .executeTakeFirstOrThrow();
    if (Number(waiting.n) >= CONSENTS_OPEN_MAX) return err({ reason: "rate_limited" });
    const row: ConsentRow = {
      consent_ref: core.newId("cons"),
      tenant_id: caller.tenantId,
      person_id: caller.personId,
      client_id: caller.clientId,
      destination: destination.id,
      account_ref: account?.account_ref ?? null,
      state: "requested",
      asked: JSON.stringify(scope),
      granted: null,
      purpose: asked.purpose,
      requested_at: core.now(),
      decided_at: null,
      revoked_at: null,
      expires_at: null,
    };
    await tx.insertInto("consent").values(row).execute();
    await tell(core, tx, caller, "consent", row.consent_ref);
    return ok(row);
  });
}

/** What nobody can be asked for: an operation or a way that the destination does not have, a time that is no future. */
export function scopeProblem(core: Core, destination: KnownDestination, scope: ConsentScope): Refusal | undefined {
  for (const [index, id] of scope.operations.entries()) {
    if (!offeredAt(destination).includes(id)) return notOffered(destination, `/operations/${index}`);
  }
  for (const [index, route] of scope.routes.entries()) {
    if (![...destination.byRoute.keys()].some((kind) => kind === route)) {
      return {
        reason: "capability_gap",
        problems: [
          {
            pointer: `/routes/${index}`,
            rule: `one of the routes to it: ${[...destination.byRoute.keys()].join(", ")}`,
          },
        ],
      };
    }
  }
  const until = parseInstant(scope.expires_at);
  if (!until.ok || until.value <= core.now() || until.value > core.now() + GRANT_DAYS_MAX * DAY_MS) {
    return {
      reason: "invalid_request",
      problems: [{ pointer: "/expires_at", rule: `in the future, at most ${GRANT_DAYS_MAX} days ahead` }],
    };
  }
  return undefined;
}

/** What the grant page posts. */
export const consentDecision = z.union([
  z.strictObject({ decision: z.literal("refuse") }),
  z.strictObject({ decision: z.literal("grant"), account_ref: identifier, ...consentScope.shape }),
]);
export type ConsentDecisionInput = z.infer<typeof consentDecision>;

/** The person decides, and may narrow what was asked, never widen it (CON-1). Deciding again is a conflict. */
export async function decideConsent(
  core: Core,
  owner: Owner,
  consentRef: string,
  input: ConsentDecisionInput,
): Promise<Result<ConsentRow, Refusal>> {
  return core.store.transaction(async (tx): Promise<Result<ConsentRow, Refusal>> => {
    const row = await findConsent(tx, owner, consentRef);
    if (row === undefined) return err({ reason: "not_found" });
    if (row.state !== "requested") return err({ reason: "conflict" });
    const now = core.now();
    if (input.decision === "refuse") {
      const refused = { state: "refused" as const, decided_at: now };
      await tx.updateTable("consent").set(refused).where("consent_ref", "=", consentRef).execute();
      return ok({ ...row, ...refused });
    }
    const account = await findAccount(tx, owner, input.account_ref);
    if (account === undefined || account.destination !== row.destination) return err({ reason: "not_found" });
    if (row.account_ref !== null && row.account_ref !== account.account_ref) return err({ reason: "conflict" });
    const { operations, routes, limits, approval, expires_at } = input;
    const scope: ConsentScope = {
      operations,
      routes,
      limits,
      expires_at,
      ...(approval === undefined ? {} : { approval }),
    };
    const wider = widened(readScope(row.asked), scope);
    if (wider !== undefined)
      return err({ reason: "invalid_request", problems: [{ pointer: wider, rule: "wider than what was asked" }] });
    const until = parseInstant(expires_at);
    if (!until.ok || until.value <= now)
      return err({ reason: "invalid_request", problems: [{ pointer: "/expires_at", rule: "in the future" }] });
    const granted = {
      state: "granted" as const,
      granted: JSON.stringify(scope),
      account_ref: account.account_ref,
      decided_at: now,
      expires_at: until.value,
    };
    await tx.updateTable("consent").set(granted).where("consent_ref", "=", consentRef).execute();
    return ok({ ...row, ...granted });
  });
}

/**
 * Revokes at once: every task under the grant that has not passed the boundary is looked at now and stopped (CON-1).
 * What was submitted is not undone; the gateway may still read the account to find out what became of it (CON-5).
 */
export async function revokeConsent(
  core: Core,
  owner: Owner,
  consentRef: string,
): Promise<Result<ConsentRow, Refusal>> {
  const revoked = await core.store.transaction(async (tx): Promise<Result<ConsentRow, Refusal>> => {
    const row = await findConsent(tx, owner, consentRef);
    if (row === undefined) return err({ reason: "not_found" });
    if (row.state === "revoked") return ok(row);
    if (row.state === "refused") return err({ reason: "conflict" });
    const change = { state: "revoked" as const, revoked_at: core.now() };
    await tx.updateTable("consent").set(change).where("consent_ref", "=", consentRef).execute();
    const revokedGrant = { what: "consent", ref: consentRef, at: change.revoked_at, tenantId: row.tenant_id } as const;
    await insertRevocation(core, tx, revokedGrant);
    await recallUnsubmitted(tx, { consentRef }, core.now());
    return ok({ ...row, ...change });
  });
  if (revoked.ok) core.poke();
  return revoked;
}
