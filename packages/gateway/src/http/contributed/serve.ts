import type { HttpEntry } from "@countersign/plugin";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../admission/caller.ts";
import type { OfPlugin } from "../../binding.ts";
import type { CallingIdentity } from "../../calling-identity/judge.ts";
import type { Core } from "../../core.ts";
import { AGENT_STREAMS_MAX, AGENTS_STREAMS_MAX } from "../../limits.ts";
import { resourceChallenge, resourceMetadata, resourceMetadataUrl } from "../../oauth/protected-resource.ts";
import { gatewayCtx, pluginCtx } from "../../plugin-ctx.ts";
import type { GatewayPort } from "../../port.ts";
import { presentedProof } from "../presented-proof.ts";
import { sendProblem } from "../problems.ts";
import { identifiedCaller } from "../received-request.ts";
import { Slots } from "../slots.ts";
import { resourceOf, resourcesOf } from "./places.ts";
import { sendWebResponse, webRequest } from "./web.ts";

const CACHE = "public, max-age=300";

export interface Contributed {
  readonly core: Core;
  readonly port: GatewayPort;
  readonly entries: readonly OfPlugin<HttpEntry>[];
  readonly calling: CallingIdentity | undefined;
  /** Remembers who calls, for the binding that will ask. */
  readonly noteCaller: (request: Request, caller: Caller) => void;
}

/**
 * Serves what plugins contribute at `gateway.http` and what bindings answer. In front of each, in this order: the
 * server's own hooks (host, headers, limits), the origin of a page that asks, the access token, which must be for this
 * resource alone, and who operates the agent, where that is asked. A handler sees neither token nor cookie.
 */
export async function registerContributed(app: FastifyInstance, parts: Contributed): Promise<void> {
  const { core, entries } = parts;
  for (const resource of resourcesOf(core.issuer, entries)) registerMetadata(app, core, resource);
  const slots = new Slots({ each: AGENT_STREAMS_MAX, all: AGENTS_STREAMS_MAX });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const one of entries) {
      app.callers.addArea(one.value.path);
      scope.route({
        method: one.value.method as "GET",
        url: one.value.path,
        // Documents that are for everybody may be asked for without their text; a stream would be opened for nothing.
        exposeHeadRoute: one.value.auth === "public",
        handler: (request, reply) => serve(parts, one, { slots, request, reply }),
      });
    }
  });
}

async function serve(
  { core, port, calling, noteCaller }: Contributed,
  { plugin, value: entry }: OfPlugin<HttpEntry>,
  at: { readonly slots: Slots; readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { slots, request, reply } = at;
  const { origin, authorization } = request.headers;
  // A page that is not ours, or one that hides where it is from, acts for nobody here (DNS rebinding, U36).
  if (origin !== undefined && origin !== core.issuer) return sendProblem(reply, { reason: "forbidden" });
  const web = webRequest(request, reply, core.issuer);
  if (entry.auth === "public")
    return sendWebResponse(reply, await entry.handler(web, gatewayCtx(core, plugin, web.signal)));
  const resource = resourceOf(core.issuer, entry);
  const caller = await port.authenticate(authorization, resource, presentedProof(core.issuer, request));
  if (!caller.ok) {
    reply.header("www-authenticate", resourceChallenge(core.issuer, resource, authorization));
    return sendProblem(reply, caller.reason);
  }
  const { clientId, tenantId } = caller.value;
  request.server.callers.note(authorization ?? "", `agent:${clientId}`);
  const giveBack = slots.take(clientId);
  if (giveBack === undefined) return sendProblem(reply, { reason: "rate_limited" });
  reply.raw.once("close", giveBack);
  const identified = await identifiedCaller({ issuer: core.issuer, calling }, caller.value, { request, reply });
  if (identified === undefined) return reply;
  noteCaller(web, identified);
  return sendWebResponse(reply, await entry.handler(web, pluginCtx(core, plugin, tenantId, web.signal)));
}

function registerMetadata(app: FastifyInstance, { issuer, outsideIssuer }: Core, resource: string): void {
  const document = JSON.stringify(resourceMetadata(outsideIssuer ?? issuer, resource));
  app.get(resourceMetadataUrl(issuer, resource).slice(issuer.length), async (_request, reply) =>
    reply.header("cache-control", CACHE).type("application/json").send(document),
  );
}
