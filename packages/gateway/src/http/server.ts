import type { ListedProtocol } from "@countersign/plugin";
import { REQUEST_BYTES_MAX } from "@countersign/profile";
import rateLimit from "@fastify/rate-limit";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { CallingIdentity } from "../calling-identity/judge.ts";
import type { HandOffs } from "../connection/handoff.ts";
import type { Core } from "../core.ts";
import { tellable } from "../execution/trouble.ts";
import { CONNECTIONS_MAX, HEADER_BYTES_MAX, HEADERS_MS_MAX, REQUEST_MS_MAX } from "../limits.ts";
import type { OAuth } from "../oauth/oauth.ts";
import { registerOAuth } from "../oauth/routes.ts";
import type { GatewayPort } from "../port.ts";
import type { Changes } from "../trusted/changes.ts";
import type { PracticeBoard } from "../trusted/practice-board.ts";
import { registerAgentApi } from "./api/agent-api.ts";
import { registerLog } from "./api/log.ts";
import { registerProtocols } from "./api/protocols.ts";
import { registerWellKnown } from "./api/well-known.ts";
import { Callers } from "./callers.ts";
import { endUnusedOnClose } from "./connections.ts";
import { type ConsoleFiles, registerConsole } from "./console.ts";
import { type Contributed, registerContributed } from "./contributed/serve.ts";
import { acceptJsonBytes } from "./json-body.ts";
import { answerNoRequest } from "./no-request.ts";
import { frameworkReason, sendProblem } from "./problems.ts";
import { type HeaderPairs, securityHeaders } from "./security-headers.ts";
import { registerTrusted } from "./trusted/trusted.ts";

const URL_CHARS_MAX = 4_096;
const RATE = { max: 600, timeWindow: 60_000 } as const;
const LIVE_ROUTE = "/trusted/v1/continuations/:ref/live";
const LIVE_MESSAGE_BYTES_MAX = 64 * 1024;

export interface ServerParts {
  readonly core: Core;
  readonly port: GatewayPort;
  readonly oauth: OAuth;
  /** Asks who operates the agents that call; absent where nobody does. */
  readonly calling: CallingIdentity | undefined;
  readonly handOffs: HandOffs;
  readonly console: ConsoleFiles | undefined;
  readonly changes: Changes;
  /** What plugins serve; none of it stands at a place of ours. */
  readonly contributed: Pick<Contributed, "entries" | "noteCaller">;
  /** What the plugins of this gateway say of themselves. */
  readonly protocols: readonly ListedProtocol[];
  /** A demonstration's practice site; absent everywhere else. */
  readonly practice: PracticeBoard | undefined;
  readonly isReady: () => boolean;
}

/** A route as it was registered. */
export interface ServedRoute {
  readonly method: string;
  readonly url: string;
}
const served = new WeakMap<FastifyInstance, readonly ServedRoute[]>();

/** Every route of a server, for the tests that go through all of them. */
export function routesOf(app: FastifyInstance): readonly ServedRoute[] {
  return served.get(app) ?? [];
}

/** The gateway's HTTP server: the agents' API, the authorization server, and the trusted interface. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { core } = parts;
  const headers = securityHeaders(core.issuer);
  const app = Fastify({
    logger: false,
    bodyLimit: REQUEST_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    http: {
      headersTimeout: HEADERS_MS_MAX,
      // Node's own refusal would have none of our headers.
      requireHostHeader: false,
      connectionsCheckingInterval: HEADERS_MS_MAX / 4,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    trustProxy: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => answerNoRequest(error, socket, headers),
    // Raised before any hook: a path that cannot be decoded, a part of it that is too long.
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      secure(reply, headers);
      sendProblem(reply, { reason: frameworkReason(error) ?? "not_found" });
    },
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  endUnusedOnClose(app);
  const routes: ServedRoute[] = [];
  served.set(app, routes);
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  const callers = new Callers();
  app.decorate("callers", callers);
  acceptJsonBytes(app);
  // Counting down in answers would tell two equal refusals apart.
  const hidden = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };
  await app.register(rateLimit, {
    ...RATE,
    global: true,
    keyGenerator: (request: FastifyRequest) => callers.whoAsks(request),
    addHeaders: hidden,
    addHeadersOnExceeding: hidden,
  });
  await app.register(websocket, { options: { maxPayload: LIVE_MESSAGE_BYTES_MAX } });

  const issuer = new URL(core.issuer);
  app.addHook("onRequest", async (request, reply) => {
    secure(reply, headers);
    // The library would open a socket on any route, only to close it.
    if (request.headers.upgrade !== undefined && request.routeOptions.url !== LIVE_ROUTE)
      return sendProblem(reply.header("connection", "close"), { reason: "not_found" });
    if (isCrooked(request)) return sendProblem(reply.header("connection", "close"), { reason: "invalid_request" });
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
  // Counted like any other request: looking for what is not there is no way around the limits.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_request, reply) =>
    sendProblem(reply, { reason: "not_found" }),
  );

  app.get("/healthz", async () => ({ ok: true }));
  app.get("/readyz", async (_request, reply) =>
    parts.isReady() ? { ok: true } : sendProblem(reply, { reason: "busy" }),
  );
  registerAgentApi(app, parts);
  registerWellKnown(app, parts);
  registerProtocols(app, parts);
  registerLog(app, parts);
  if (core.outsideIssuer === undefined) await registerOAuth(app, parts.oauth);
  registerTrusted(app, parts);
  await registerContributed(app, { core, port: parts.port, calling: parts.calling, ...parts.contributed });
  if (parts.console !== undefined) await registerConsole(app, parts.console);
  return app;
}

function secure(reply: FastifyReply, headers: HeaderPairs): void {
  for (const [name, value] of headers) reply.header(name, value);
}

/** An absolute target would choose its own host, and of two hosts each reader takes another (RFC 9112 section 3.2). */
function isCrooked({ url, raw }: FastifyRequest): boolean {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  return hosts.length !== 1 || url.length > URL_CHARS_MAX || !url.startsWith("/");
}
