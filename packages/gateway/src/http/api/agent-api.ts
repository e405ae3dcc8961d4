import type { JsonObject, Result } from "@countersign/wire";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../admission/caller.ts";
import type { Refusal } from "../../admission/refusal.ts";
import type { CallingIdentity } from "../../calling-identity/judge.ts";
import type { Core } from "../../core.ts";
import { AGENT_STREAMS_MAX, AGENTS_STREAMS_MAX } from "../../limits.ts";
import { apiResource, resourceChallenge } from "../../oauth/protected-resource.ts";
import type { GatewayPort } from "../../port.ts";
import { bodyBytes, readJson } from "../json-body.ts";
import { presentedProof } from "../presented-proof.ts";
import { sendProblem } from "../problems.ts";
import { identifiedCaller } from "../received-request.ts";
import { Slots } from "../slots.ts";
import { streamEvents } from "./events.ts";

/** Each try makes an authority verify signatures, and may make it ask somebody. */
const EVIDENCE_TRIES = { max: 60, timeWindow: 60_000 } as const;

type Handler = (caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The gateway's own binding for agents, under `/v1`. No route here decides anything for the person (AUT-2). */
export function registerAgentApi(
  app: FastifyInstance,
  parts: {
    readonly core: Pick<Core, "issuer">;
    readonly port: GatewayPort;
    readonly calling: CallingIdentity | undefined;
  },
): void {
  const { core, port, calling } = parts;
  const { issuer } = core;
  const guarded = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("cache-control", "no-store");
    const caller = await port.authenticate(request.headers.authorization, undefined, presentedProof(issuer, request));
    if (!caller.ok) {
      reply.header("www-authenticate", resourceChallenge(issuer, apiResource(issuer), request.headers.authorization));
      return sendProblem(reply, caller.reason);
    }
    request.server.callers.note(request.headers.authorization ?? "", `agent:${caller.value.clientId}`);
    const identified = await identifiedCaller({ issuer, calling }, caller.value, { request, reply });
    return identified === undefined ? reply : handler(identified, request, reply);
  };
  const streams = new Slots({ each: AGENT_STREAMS_MAX, all: AGENTS_STREAMS_MAX });
  const stopping = new AbortController();
  app.addHook("preClose", async () => stopping.abort());
  const answer = (reply: FastifyReply, result: Result<JsonObject, Refusal>, status = 200) =>
    result.ok ? reply.code(status).send(result.value) : sendProblem(reply, result.reason);

  app.post(
    "/v1/tasks",
    guarded(async (caller, request, reply) => {
      const submitted = await port.submit(caller, bodyBytes(request));
      if (!submitted.ok) return sendProblem(reply, submitted.reason);
      const { replayed, task } = submitted.value;
      if (replayed) reply.header("idempotency-replayed", "true");
      else reply.header("location", `/v1/tasks/${String(task["task_id"])}`);
      return reply.code(replayed ? 200 : 201).send(task);
    }),
  );
  app.get(
    "/v1/tasks",
    guarded(async (caller, request, reply) => answer(reply, await port.tasks(caller, query(request, "state")))),
  );
  app.get(
    "/v1/tasks/:id",
    guarded(async (caller, request, reply) => answer(reply, await port.task(caller, id(request)))),
  );
  app.get(
    "/v1/tasks/:id/result",
    guarded(async (caller, request, reply) => answer(reply, await port.result(caller, id(request)))),
  );
  app.get(
    "/v1/tasks/:id/receipt",
    guarded(async (caller, request, reply) => answer(reply, await port.receipt(caller, id(request)))),
  );
  app.get(
    "/v1/tasks/:id/events",
    { exposeHeadRoute: false },
    guarded((caller, request, reply) =>
      streamEvents({ port, streams, caller, taskId: id(request), request, reply, stopping: stopping.signal }),
    ),
  );
  app.post(
    "/v1/tasks/:id/evidence",
    { config: { rateLimit: EVIDENCE_TRIES } },
    guarded(async (caller, request, reply) => {
      const json = readJson(request);
      return json.ok
        ? answer(reply, await port.evidence(caller, id(request), json.value))
        : sendProblem(reply, json.reason);
    }),
  );
  app.post(
    "/v1/tasks/:id/cancel",
    guarded(async (caller, request, reply) => answer(reply, await port.cancel(caller, id(request)))),
  );
  app.get(
    "/v1/accounts",
    guarded(async (caller, _request, reply) => answer(reply, await port.accounts(caller))),
  );
  app.get(
    "/v1/accounts/:id/capabilities",
    guarded(async (caller, request, reply) => answer(reply, await port.capabilities(caller, id(request)))),
  );
  app.post(
    "/v1/consents",
    guarded(async (caller, request, reply) => {
      const json = readJson(request);
      return json.ok
        ? answer(reply, await port.requestConsent(caller, json.value), 201)
        : sendProblem(reply, json.reason);
    }),
  );
  app.get(
    "/v1/consents",
    guarded(async (caller, _request, reply) => answer(reply, await port.consents(caller))),
  );
  app.get(
    "/v1/webhooks",
    guarded(async (caller, _request, reply) => answer(reply, await port.webhooks(caller))),
  );
  app.post(
    "/v1/webhooks",
    guarded(async (caller, request, reply) => {
      const json = readJson(request);
      return json.ok ? answer(reply, await port.addWebhook(caller, json.value), 201) : sendProblem(reply, json.reason);
    }),
  );
  app.delete(
    "/v1/webhooks/:id",
    guarded(async (caller, request, reply) => {
      const removed = await port.removeWebhook(caller, id(request));
      return removed.ok ? reply.code(204).send() : sendProblem(reply, removed.reason);
    }),
  );
  app.get(
    "/v1/consents/:id",
    guarded(async (caller, request, reply) => answer(reply, await port.consent(caller, id(request)))),
  );
}

function id(request: FastifyRequest): string {
  const params: unknown = request.params;
  return typeof params === "object" && params !== null && "id" in params && typeof params.id === "string"
    ? params.id
    : "";
}

function query(request: FastifyRequest, name: string): Record<string, string> {
  const values: unknown = request.query;
  if (typeof values !== "object" || values === null || !Object.hasOwn(values, name)) return {};
  const value: unknown = Object.getOwnPropertyDescriptor(values, name)?.value;
  return typeof value === "string" ? { [name]: value } : {};
}
