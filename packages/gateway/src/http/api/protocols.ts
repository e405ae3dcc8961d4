import { type CatalogueEntry, type ListedProtocol, PROTOCOL_CATALOGUE } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import type { FastifyInstance } from "fastify";

/** What anybody may know of a protocol that is spoken here. Its libraries are not in it: they would say what to try. */
export type PublicProtocol = Omit<ListedProtocol, "libraries" | "evidence">;

/** The answer of `GET /api/v1/protocols`: what plugins speak here, and the catalogue that it is read against. */
export interface ProtocolsView {
  readonly protocols: readonly PublicProtocol[];
  readonly catalogue: readonly CatalogueEntry[];
}

const CACHE = "public, max-age=300";

/**
 * The listing for everybody, without a name (PLG-5). Member by member, so that whatever a description will hold one day
 * stays here until somebody decides that it is public: no value, no key, no place, no host.
 */
export function registerProtocols(
  app: FastifyInstance,
  { protocols }: { readonly protocols: readonly ListedProtocol[] },
): void {
  const view: ProtocolsView = { protocols: protocols.map(publicly), catalogue: PROTOCOL_CATALOGUE };
  const text = JSON.stringify(view);
  app.get("/api/v1/protocols", async (_request, reply) =>
    reply.header("cache-control", CACHE).type("application/json").send(text),
  );
}

function publicly(listed: ListedProtocol): PublicProtocol {
  const { plugin, id, name, versions, publisher, layer, roles, state, points, catalogue, entry } = listed;
  return { plugin, id, name, versions, publisher, layer, roles, state, points, catalogue, entry };
}

const TEXT = { type: "string", maxLength: 200 };
const TEXTS = { type: "array", items: TEXT };
const LAYER = { enum: ["transport", "consent", "identity", "commerce", "runtime"] };

/** The answer as a schema, for the OpenAPI document. */
export const protocolsSchema: JsonObject = {
  type: "object",
  required: ["protocols", "catalogue"],
  properties: {
    protocols: list({
      plugin: TEXT,
      id: TEXT,
      name: TEXT,
      versions: TEXTS,
      publisher: TEXT,
      layer: LAYER,
      roles: TEXTS,
      state: { enum: ["implemented", "partial", "draft"] },
      points: TEXTS,
      catalogue: { type: "object", required: ["id", "versions"], properties: { id: TEXT, versions: TEXTS } },
      entry: { enum: ["known", "other_versions", "unknown"] },
    }),
    catalogue: list({
      id: TEXT,
      name: TEXT,
      versions: TEXTS,
      layer: LAYER,
      publisher: TEXT,
      link: { type: "string", format: "uri" },
    }),
  },
};

function list(properties: JsonObject): JsonObject {
  return { type: "array", items: { type: "object", required: Object.keys(properties), properties } };
}
