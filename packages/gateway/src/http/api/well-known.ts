import { PROFILE_ID, publishedCatalogue } from "@countersign/profile";
import type { FastifyInstance } from "fastify";
import { logUrl } from "../../evidence/log/checkpoints.ts";
import { DELEGATION_KEYS_PATH } from "../../oauth/delegated.ts";
import { apiResource, resourceMetadata, resourceMetadataUrl } from "../../oauth/protected-resource.ts";
import type { ServerParts } from "../server.ts";
import { openApiDocument } from "./openapi.ts";

const CACHE = "public, max-age=300";
export const CATALOGUE_PATH = "/.well-known/agentic-web-execution/catalogue";

/** Documents that anybody may read: who we are, what we offer, and the keys that our evidence is checked with. */
export function registerWellKnown(app: FastifyInstance, { core }: ServerParts): void {
  const openApi = JSON.stringify(openApiDocument(core.issuer));
  app.get("/.well-known/agentic-web-execution", async (_request, reply) =>
    reply.header("cache-control", CACHE).send({
      profiles: [PROFILE_ID],
      issuer: core.issuer,
      tasks: `${core.issuer}/v1/tasks`,
      openapi: `${core.issuer}/openapi.json`,
      catalogue: `${core.issuer}${CATALOGUE_PATH}`,
      keys: `${core.issuer}/.well-known/countersign-keys`,
      log: logUrl(core.issuer),
      authorization_servers: [core.outsideIssuer ?? core.issuer],
      operations: [...core.catalogue.values()].map((o) => ({
        id: o.id,
        title: o.title,
        effect: o.effect,
        version: o.version,
      })),
    }),
  );
  // Made when somebody asks for the first time: it is many schemas, and never changes while the gateway runs.
  let catalogue: string | undefined;
  app.get(CATALOGUE_PATH, async (_request, reply) => {
    catalogue ??= JSON.stringify(publishedCatalogue(core.catalogue.values()));
    return reply.header("cache-control", CACHE).type("application/json").send(catalogue);
  });
  const api = apiResource(core.issuer);
  const ofApi = JSON.stringify(resourceMetadata(core.outsideIssuer ?? core.issuer, api));
  app.get(resourceMetadataUrl(core.issuer, api).slice(core.issuer.length), async (_request, reply) =>
    reply.header("cache-control", CACHE).type("application/json").send(ofApi),
  );
  app.get("/.well-known/countersign-keys", async (_request, reply) =>
    reply
      .header("cache-control", CACHE)
      .type("application/jose; charset=utf-8")
      .send((await core.keys.current()).keySet),
  );
  app.get(DELEGATION_KEYS_PATH, async (_request, reply) =>
    reply.header("cache-control", CACHE).send(core.delegation.jwks),
  );
  app.get("/openapi.json", async (_request, reply) =>
    reply.header("cache-control", CACHE).type("application/json").send(openApi),
  );
}
