import type { AdapterPayload } from "oidc-provider";
import type { Db } from "../store/store.ts";
import { CODE_GRANT, DEVICE_GRANT, GRANT_DETAIL, REFRESH_GRANT } from "./names.ts";

/** The agent's row with the person behind it, as tokens need it. */
export interface Principal {
  /** The agent's own row. */
  readonly agentId: string;
  /** The `client_id` that its tokens name: its own, or that of the client of which it is one person's agent. */
  readonly oauthClient: string;
  readonly state: "requested" | "accepted" | "refused" | "revoked";
  readonly tenantId: string;
  readonly personId: string;
  /** What outside parties may know the person by: `sub` of our tokens. */
  readonly pseudonym: string;
}

const principals = (db: Db) =>
  db
    .selectFrom("agent")
    .innerJoin("person", (join) =>
      join.onRef("person.person_id", "=", "agent.person_id").onRef("person.tenant_id", "=", "agent.tenant_id"),
    )
    .select([
      "agent.client_id",
      "agent.oauth_client",
      "agent.state",
      "agent.tenant_id",
      "agent.person_id",
      "person.pseudonym",
    ]);

/** Who the agent acts for, now; undefined when agent and person are not of one tenant. */
export async function principalOf(db: Db, agentId: string): Promise<Principal | undefined> {
  const row = await principals(db).where("agent.client_id", "=", agentId).executeTakeFirst();
  return row === undefined ? undefined : principal(row);
}

/** The accepted agent that a client is for the person of a pseudonym. */
export async function principalFor(db: Db, oauthClient: string, pseudonym: string): Promise<Principal | undefined> {
  const row = await principals(db)
    .where("person.pseudonym", "=", pseudonym)
    .where("agent.state", "=", "accepted")
    .where((where) =>
      where.or([
        where("agent.oauth_client", "=", oauthClient),
        where.and([where("agent.client_id", "=", oauthClient), where("agent.oauth_client", "is", null)]),
      ]),
    )
    .executeTakeFirst();
  return row === undefined ? undefined : principal(row);
}

function principal(row: {
  readonly client_id: string;
  readonly oauth_client: string | null;
  readonly state: Principal["state"];
  readonly tenant_id: string;
  readonly person_id: string;
  readonly pseudonym: string;
}): Principal {
  return {
    agentId: row.client_id,
    oauthClient: row.oauth_client ?? row.client_id,
    state: row.state,
    tenantId: row.tenant_id,
    personId: row.person_id,
    pseudonym: row.pseudonym,
  };
}

/** A client that the operator entered: what other servers call pre-registered. */
export interface KnownClient {
  readonly clientId: string;
  /** The operator's own name for it. */
  readonly name: string;
  /** Exact, but for the port of a loopback address (RFC 8252 section 7.3). */
  readonly redirectUris: readonly string[];
}

/** Client metadata (RFC 7591) of an agent that the person accepted; everybody else is no client. */
export async function acceptedClient(db: Db, clientId: string): Promise<AdapterPayload | undefined> {
  const row = await db
    .selectFrom("agent")
    .select(["client_id", "name"])
    .where("client_id", "=", clientId)
    .where("oauth_client", "is", null)
    .where("state", "=", "accepted")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    client_id: row.client_id,
    client_name: row.name,
    application_type: "native",
    // A program on a person's machine keeps no secret (RFC 8252): rotation with reuse detection protects it instead.
    token_endpoint_auth_method: "none",
    grant_types: [REFRESH_GRANT],
    response_types: [],
    redirect_uris: [],
  };
}

/** Client metadata of a client that asks at the authorization page; the same for documents and for known clients. */
export function askingClient(client: KnownClient): AdapterPayload {
  return {
    client_id: client.clientId,
    client_name: client.name,
    // The library takes loopback addresses, with whatever port, and schemes of apps from native clients alone.
    application_type: "native",
    token_endpoint_auth_method: "none",
    // Without an address to go back to it is a device, and its code is typed.
    ...(client.redirectUris.length === 0
      ? { grant_types: [DEVICE_GRANT, REFRESH_GRANT], response_types: [] }
      : { grant_types: [CODE_GRANT, DEVICE_GRANT, REFRESH_GRANT], response_types: ["code"] }),
    // Others answer with a page that runs a script.
    response_modes: ["query"],
    redirect_uris: [...client.redirectUris],
    authorization_details_types: [GRANT_DETAIL],
  };
}
