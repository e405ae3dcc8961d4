import type { Core, Owner } from "../../core.ts";
import { AGENTS_WAITING_MAX, NAME_CHARS_MAX } from "../../limits.ts";
import { tell } from "../../notify/tell.ts";

/** A client of an outside issuer under one name that no client of another issuer can have: no issuer holds a space. */
export function outsideClient(issuer: string, clientId: string): string {
  return `${issuer} ${clientId}`;
}

/**
 * The agent that a client of the outside issuer is for a person. The first token of a client makes a request to that
 * person, as `countersign agent add` does; it is nobody until they said yes, and nobody again once they revoke it
 * (decision 15). `undefined`: not now.
 */
export async function outsideAgent(core: Core, owner: Owner, client: string): Promise<string | undefined> {
  const mine = { tenant_id: owner.tenantId, person_id: owner.personId, oauth_client: client };
  const known = await core.store.db
    .selectFrom("agent")
    .select(["client_id", "state"])
    .where("tenant_id", "=", mine.tenant_id)
    .where("person_id", "=", mine.person_id)
    .where("oauth_client", "=", client)
    .execute();
  if (known.length > 0) return known.find(({ state }) => state === "accepted")?.client_id;
  await core.store.transaction(async (tx) => {
    const rows = await tx
      .selectFrom("agent")
      .select(["oauth_client"])
      .where("person_id", "=", owner.personId)
      .where((where) => where.or([where("state", "=", "requested"), where("oauth_client", "=", client)]))
      .execute();
    if (rows.length >= AGENTS_WAITING_MAX || rows.some((row) => row.oauth_client === client)) return;
    const clientId = core.newId("agent");
    await tx
      .insertInto("agent")
      .values({ ...mine, client_id: clientId, name: nameOf(client), state: "requested", created_at: core.now() })
      .execute();
    await tell(core, tx, owner, "agent", clientId);
  });
  return undefined;
}

/** As the person reads it: who vouches for the client, then what the client is called there. */
function nameOf(client: string): string {
  const [issuer = "", clientId = ""] = client.split(" ");
  return Array.from(`${new URL(issuer).host}: ${clientId}`)
    .slice(0, NAME_CHARS_MAX)
    .join("");
}
