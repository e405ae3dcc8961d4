import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Core } from "../../core.ts";
import { tokenHash } from "../../ids.ts";
import { CEREMONY_LIFE_MS, OUTSIDE_SIGN_IN_LIFE_MS, SIGN_IN_TRIES_PER_MINUTE } from "../../limits.ts";
import { sendProblem } from "../problems.ts";
import { cookieValue, sameOriginOnly } from "./guard.ts";
import type { Answer } from "./trusted.ts";

/**
 * The few routes of the trusted interface that take nobody's session, because they begin one. They are same-origin like
 * all the others. Tries are counted by address, whatever cookies they show; what a browser is asked it alone may answer,
 * by a cookie of its own that is worth nothing else.
 */
const TRIES = {
  max: SIGN_IN_TRIES_PER_MINUTE,
  timeWindow: 60_000,
  keyGenerator: (request: FastifyRequest) => `sign-in:${request.ip}`,
};

export const BROWSER_COOKIE = "__Host-countersign-browser";
const BROWSER_BYTES = 32;
const BROWSER_SECONDS = Math.max(CEREMONY_LIFE_MS, OUTSIDE_SIGN_IN_LIFE_MS) / 1_000;

export type AddOpenRoute = (
  method: "GET" | "POST",
  path: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>,
) => void;

/** Adds routes that take no session. Their work runs as the system: nobody is known before it is done. */
export function openRoutes(app: FastifyInstance, core: Core): AddOpenRoute {
  return (method, path, handler) => {
    app.route({
      method,
      url: `/trusted/v1${path}`,
      ...(method === "GET" ? {} : { config: { rateLimit: TRIES } }),
      handler: async (request, reply) => {
        reply.header("cache-control", "no-store");
        const allowed = sameOriginOnly(core.issuer, request);
        if (!allowed.ok) return sendProblem(reply, allowed.reason);
        const answer = await core.store.as("system", () => handler(request, reply));
        if (!answer.ok) return sendProblem(reply, answer.reason);
        return answer.value === undefined ? reply.code(204).send() : reply.send(answer.value);
      },
    });
  };
}

/** The hash of this browser's pre-session cookie; a browser without one is given one. */
export function browserOf(request: FastifyRequest, reply: FastifyReply): string {
  const shown = cookieValue(request, BROWSER_COOKIE);
  if (shown !== undefined) return tokenHash(shown);
  const fresh = randomBytes(BROWSER_BYTES).toString("base64url");
  reply.header("set-cookie", cookie(fresh, BROWSER_SECONDS));
  return tokenHash(fresh);
}

/** The same, where it must be there already: an answer from a browser that was asked nothing is none. */
export function askedBrowser(request: FastifyRequest): string | undefined {
  const shown = cookieValue(request, BROWSER_COOKIE);
  return shown === undefined ? undefined : tokenHash(shown);
}

/** Whoever is signed in needs it no more, and whoever signs in next must not find it. */
export function forgetBrowser(reply: FastifyReply): void {
  reply.header("set-cookie", cookie("", 0));
}

function cookie(value: string, maxAgeSeconds: number): string {
  return `${BROWSER_COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`;
}
