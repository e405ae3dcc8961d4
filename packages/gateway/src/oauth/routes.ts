import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { WELL_KNOWN } from "./names.ts";
import type { OAuth } from "./oauth.ts";

/**
 * Mounts the authorization server at the root of `app`, in a scope of its own: it reads its request bodies itself, so
 * no content type parser may touch the stream. Hooks and rate limits that the caller set on `app` run before it.
 */
export async function registerOAuth(app: FastifyInstance, oauth: Pick<OAuth, "handler">): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const pass = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const handle = await oauth.handler();
      // Headers that hooks set are Fastify's until it sends; it will not send this reply.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.hijack();
      handle(request.raw, reply.raw);
    };
    // Nothing here is asked for by any other method.
    for (const url of ["/oauth/*", ...WELL_KNOWN]) scope.route({ method: ["GET", "POST"], url, handler: pass });
  });
}
