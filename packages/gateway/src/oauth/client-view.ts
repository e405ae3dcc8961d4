import { NAME_CHARS_MAX } from "../limits.ts";
import type { Db } from "../store/store.ts";
import { readClientDocument } from "./client-document.ts";

/** A client as a person is told of it. */
export interface ClientView {
  readonly clientId: string;
  /** `document`: its host is proven, its name is its own word. `known`: the operator entered it, name and all. */
  readonly kind: "document" | "known";
  /** ASCII, as in the address; of a document alone. */
  readonly host?: string;
  readonly name: string;
  /** How its agent is called everywhere else: what is proven comes first. */
  readonly agentName: string;
}

/** Reads what is kept; never fetches. Undefined for a client that is none any more. */
export async function clientView(
  db: Db,
  knownClients: ReadonlyMap<string, string>,
  clientId: string,
): Promise<ClientView | undefined> {
  const known = knownClients.get(clientId);
  if (known !== undefined) return { clientId, kind: "known", name: known, agentName: known };
  const row = await db
    .selectFrom("client_document")
    .select("document")
    .where("client_url", "=", clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const document = readClientDocument(clientId, new TextEncoder().encode(row.document));
  if (!document.ok) return undefined;
  const { host } = new URL(clientId);
  const { name } = document.value;
  const agentName = name === "" ? host : `${host}: ${name}`;
  return { clientId, kind: "document", host, name, agentName: Array.from(agentName).slice(0, NAME_CHARS_MAX).join("") };
}
