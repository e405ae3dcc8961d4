import type { AdapterPayload } from "oidc-provider";
import type { Db } from "../store/store.ts";

/** The agent's row with the person behind it, as tokens need it. */
export interface Principal {
  readonly state: "requested" | "accepted" | "refused" | "revoked";
  readonly tenantId: string;
  readonly personId: string;
  /** What outside parties may know the person by: `sub` of our tokens. */
  readonly pseudonym: string;
}

/** Who `clientId` acts for, now; undefined when agent and person are not of one tenant. */
export async function principalOf(db: Db, clientId: string): Promise<Principal | undefined> {
  const row = await db
    .selectFrom("agent")
    .innerJoin("person", (join) =>
      join.onRef("person.person_id", "=", "agent.person_id").onRef("person.tenant_id", "=", "agent.tenant_id"),
    )
    .select(["agent.state", "agent.tenant_id", "agent.person_id", "person.pseudonym"])
    .where("agent.client_id", "=", clientId)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : { state: row.state, tenantId: row.tenant_id, personId: row.person_id, pseudonym: row.pseudonym };
}

/** Client metadata (RFC 7591) of an agent that the person accepted; everybody else is no client. */
export async function acceptedClient(db: Db, clientId: string): Promise<AdapterPayload | undefined> {
  const row = await db
    .selectFrom("agent")
    .select(["client_id", "name"])
    .where("client_id", "=", clientId)
    .where("state", "=", "accepted")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    client_id: row.client_id,
    client_name: row.name,
    application_type: "native",
    // A program on a person's machine keeps no secret (RFC 8252): rotation with reuse detection protects it instead.
    token_endpoint_auth_method: "none",
    grant_types: ["refresh_token"],
    response_types: [],
    redirect_uris: [],
  };
}
