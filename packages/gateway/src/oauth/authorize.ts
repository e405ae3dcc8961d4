import { identifier } from "@countersign/profile";
import { err, ok, parseInstant, type Result } from "@countersign/wire";
import { z } from "zod";
import type { Refusal } from "../admission/refusal.ts";
import { findAccount } from "../connection/accounts.ts";
import { type ConsentRow, type ConsentScope, consentScope } from "../consent/consents.ts";
import { widened } from "../consent/widened.ts";
import type { Core, Owner } from "../core.ts";
import { tokenHash } from "../ids.ts";
import { NAME_CHARS_MAX } from "../limits.ts";
import { acceptedAgentOf } from "../people/agents.ts";
import type { Tx } from "../store/store.ts";
import type { AskedAuthorization, AskedAuthorizations, Before } from "./asked.ts";
import { type ClientView, clientView } from "./client-view.ts";
import { askedScope, type GrantDetail, givenDetail, grantDetail } from "./grant-detail.ts";

/**
 * The person's answer to a client. A yes makes the agent (one for this person and this client), the grant that the
 * person picked, and the OAuth grant, in one transaction; a no makes nothing. What is given is never more than what was
 * asked for by name (CON-1). The page is bound to the browser that began it (U39); who answers is its signed-in person.
 */
export const authorizationDecision = z.union([
  z.strictObject({ decision: z.literal("refuse") }),
  z.strictObject({
    decision: z.literal("allow"),
    /** Absent: the client is let in and may ask later. */
    grant: z
      .strictObject({
        destination: z.string().min(1).max(NAME_CHARS_MAX),
        account_ref: identifier,
        ...consentScope.shape,
      })
      .optional(),
  }),
]);
export type AuthorizationDecision = z.infer<typeof authorizationDecision>;

export interface AuthorizeParts {
  readonly core: Core;
  readonly asked: AskedAuthorizations;
  readonly knownClients: ReadonlyMap<string, string>;
}

type Decided = Result<AskedAuthorization, Refusal>;

export async function decideAuthorization(
  parts: AuthorizeParts,
  person: Owner,
  at: Before & { readonly ref: string },
  input: AuthorizationDecision,
): Promise<Decided> {
  const { core } = parts;
  return core.store.transaction(async (tx): Promise<Decided> => {
    const asked = await parts.asked.find(tx, at.ref, at);
    if (asked === undefined) return err({ reason: "not_found" });
    const wanted = input.decision === "allow" ? "allowed" : "refused";
    // A second press of one's own answer is the same answer (U23).
    if (asked.answer !== "none") return asked.answer === wanted ? ok(asked) : err({ reason: "conflict" });
    if (input.decision === "refuse") {
      await parts.asked.refuse(tx, asked);
      return ok({ ...asked, answer: "refused" });
    }
    const client = await clientView(tx, parts.knownClients, asked.clientId);
    if (client === undefined) return err({ reason: "gone" });
    const agentId = await agentFor(core, tx, person, client);
    const consent = await consentFor(core, tx, { person, asked, agentId }, input.grant);
    if (!consent.ok) return consent;
    const { pseudonym } = await tx
      .selectFrom("person")
      .select("pseudonym")
      .where("person_id", "=", person.personId)
      .executeTakeFirstOrThrow();
    const details = consent.value === undefined ? [] : [givenDetail(consent.value)];
    const grantId = await parts.asked.allow(tx, asked, pseudonym, details);
    await tx
      .insertInto("oauth_grant")
      .values({
        grant_hash: tokenHash(grantId),
        tenant_id: person.tenantId,
        client_id: agentId,
        consent_ref: consent.value?.consent_ref ?? null,
        created_at: core.now(),
      })
      .execute();
    return ok({ ...asked, answer: "allowed" });
  });
}

/** One agent a person and client. A revoked one stays what it is, with its history; the client begins anew. */
async function agentFor(core: Core, tx: Tx, person: Owner, client: ClientView): Promise<string> {
  const there = await acceptedAgentOf(tx, person, client.clientId);
  if (there !== undefined) return there;
  const agentId = core.newId("agent");
  const now = core.now();
  await tx
    .insertInto("agent")
    .values({
      client_id: agentId,
      tenant_id: person.tenantId,
      person_id: person.personId,
      name: client.agentName,
      state: "accepted",
      grant_id: null,
      credential_ref: null,
      created_at: now,
      decided_at: now,
      oauth_client: client.clientId,
    })
    .execute();
  return agentId;
}

interface ConsentFor {
  readonly person: Owner;
  readonly asked: AskedAuthorization;
  readonly agentId: string;
}
type GrantInput = Extract<AuthorizationDecision, { readonly decision: "allow" }>["grant"];

async function consentFor(
  core: Core,
  tx: Tx,
  { person, asked, agentId }: ConsentFor,
  grant: GrantInput,
): Promise<Result<ConsentRow | undefined, Refusal>> {
  const detail = asked.detail === undefined ? undefined : grantDetail.parse(asked.detail);
  if (grant === undefined) return detail === undefined ? ok(undefined) : err({ reason: "conflict" });
  const account = await findAccount(tx, person, grant.account_ref);
  if (account === undefined || account.destination !== grant.destination) return err({ reason: "not_found" });
  if (!isOfDetail(detail, account)) return err({ reason: "conflict" });
  const destination = core.destinations.get(grant.destination);
  if (destination === undefined) return err({ reason: "not_found" });
  const scope = askedScope(core, destination, detail);
  if (!scope.ok) return err({ reason: "conflict" });
  const { destination: _at, account_ref: _account, approval, ...rest } = grant;
  const given: ConsentScope = { ...rest, ...(approval === undefined ? {} : { approval }) };
  const wider = widened(scope.value, given);
  if (wider !== undefined)
    return err({
      reason: "invalid_request",
      problems: [{ pointer: `/grant${wider}`, rule: "wider than what was asked" }],
    });
  const now = core.now();
  const until = parseInstant(given.expires_at);
  if (!until.ok || until.value <= now)
    return err({ reason: "invalid_request", problems: [{ pointer: "/grant/expires_at", rule: "in the future" }] });
  const row: ConsentRow = {
    consent_ref: core.newId("cons"),
    tenant_id: person.tenantId,
    person_id: person.personId,
    client_id: agentId,
    destination: destination.id,
    account_ref: account.account_ref,
    state: "granted",
    asked: JSON.stringify(scope.value),
    granted: JSON.stringify(given),
    purpose: detail?.purpose ?? "",
    requested_at: now,
    decided_at: now,
    revoked_at: null,
    expires_at: until.value,
  };
  await tx.insertInto("consent").values(row).execute();
  return ok(row);
}

function isOfDetail(
  detail: GrantDetail | undefined,
  account: { readonly account_ref: string; readonly destination: string },
): boolean {
  if (detail === undefined) return true;
  return detail.account_ref === undefined
    ? detail.destination === account.destination
    : detail.account_ref === account.account_ref;
}
