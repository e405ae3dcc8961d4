import { REQUEST_BYTES_MAX } from "@countersign/profile";
import rateLimit from "@fastify/rate-limit";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { HandOffs } from "../connection/handoff.ts";
import type { Core } from "../core.ts";
import { tellable } from "../execution/trouble.ts";
import { tokenHash } from "../ids.ts";
import type { OAuth } from "../oauth/oauth.ts";
import { registerOAuth } from "../oauth/routes.ts";
import type { GatewayPort } from "../port.ts";
import type { Changes } from "../trusted/changes.ts";
import type { PracticeBoard } from "../trusted/practice-board.ts";
import { registerAgentApi } from "./api/agent-api.ts";
import { registerLog } from "./api/log.ts";
import { registerWellKnown } from "./api/well-known.ts";
import { type ConsoleFiles, registerConsole } from "./console.ts";
import { acceptJsonBytes } from "./json-body.ts";
import { frameworkReason, sendProblem } from "./problems.ts";
import { sessionToken } from "./trusted/guard.ts";
import { registerTrusted } from "./trusted/trusted.ts";

const URL_CHARS_MAX = 4_096;
const RATE = { max: 600, timeWindow: 60_000 } as const;
const LIVE_MESSAGE_BYTES_MAX = 64 * 1024;

export interface ServerParts {
  readonly core: Core;
  readonly port: GatewayPort;
  readonly oauth: OAuth;
  readonly handOffs: HandOffs;
  readonly console: ConsoleFiles | undefined;
  readonly changes: Changes;
  /** A demonstration's practice site; absent everywhere else. */
  readonly practice: PracticeBoard | undefined;
  readonly isReady: () => boolean;
}

/**
 * Whose requests are counted together. A person's session has a count of its own, and so has each agent's token: an
 * agent that polls too much, on the same machine as the person or behind the same proxy, must never keep them from
 * revoking its grant (CON-1). What shows neither is counted by address.
 */
export function whoAsks(request: FastifyRequest): string {
  const session = sessionToken(request);
  if (request.url.startsWith("/trusted/") && session !== undefined) return `person:${tokenHash(session)}`;
  const { authorization } = request.headers;
  if (authorization !== undefined) return `agent:${tokenHash(authorization)}`;
  return `address:${request.ip}`;
}

/** The gateway's HTTP server: the agents' API, the authorization server, and the trusted interface. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { core } = parts;
  const app = Fastify({
    logger: false,
    bodyLimit: REQUEST_BYTES_MAX,

    trustProxy: false,
    routerOptions: { maxParamLength: 200 },
  });
  acceptJsonBytes(app);
  // Counting down in answers would tell two equal refusals apart.
  const hidden = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };
  await app.register(rateLimit, {
    ...RATE,
    global: true,
    keyGenerator: whoAsks,
    addHeaders: hidden,
    addHeadersOnExceeding: hidden,
  });
  await app.register(websocket, { options: { maxPayload: LIVE_MESSAGE_BYTES_MAX } });

  const issuer = new URL(core.issuer);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff").header("referrer-policy", "no-referrer");
    reply
      .header("x-frame-options", "DENY")
      .header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    if (request.url.length > URL_CHARS_MAX) return sendProblem(reply, { reason: "invalid_request" });
    const host = request.headers.host ?? "";
    if (host === issuer.host) return;
    // Passkeys and cookies live at one name; an address of this machine is sent there, any other name is refused.
    if (host === `127.0.0.1:${issuer.port}` || host === `[::1]:${issuer.port}`) {
      return request.method === "GET"
        ? reply.redirect(`${core.issuer}${request.url}`, 307)
        : sendProblem(reply, { reason: "forbidden" });
    }
    return sendProblem(reply, { reason: "forbidden" });
  });
  app.setErrorHandler((error: Error & { code?: unknown; statusCode?: unknown }, request, reply) => {
    const reason = frameworkReason(error);
    if (reason === undefined || reason === "busy") {
      core.log.error("http.failed", {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        ...tellable(error),
      });
    }
    return sendProblem(reply, { reason: reason ?? "internal" });
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, { reason: "not_found" }));

  app.get("/healthz", async () => ({ ok: true }));
  app.get("/readyz", async (_request, reply) =>
    parts.isReady() ? { ok: true } : sendProblem(reply, { reason: "busy" }),
  );
  registerAgentApi(app, parts);
  registerWellKnown(app, parts);
  registerLog(app, parts);
  await registerOAuth(app, parts.oauth);
  registerTrusted(app, parts);
  if (parts.console !== undefined) await registerConsole(app, parts.console);
  return app;
}
