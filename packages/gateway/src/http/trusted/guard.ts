import { err, ok, type Result, secret } from "@countersign/wire";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../../admission/refusal.ts";
import type { Core } from "../../core.ts";
import { findSession, type PersonSession } from "../../people/sessions.ts";

/** Secure and host-only by its name; browsers treat `http://localhost` as a secure origin. */
export const SESSION_COOKIE = "__Host-countersign";

/**
 * The person's own authenticated session, from the trusted interface's own pages and nowhere else (APR-3, U35).
 * An agent's token is no part of it: a request that carries one is refused outright.
 */
export async function requirePerson(core: Core, request: FastifyRequest): Promise<Result<PersonSession, Refusal>> {
  const allowed = sameOriginOnly(core.issuer, request);
  if (!allowed.ok) return allowed;
  const token = sessionToken(request);
  const session =
    token === undefined ? undefined : await core.store.as("system", () => findSession(core, secret(token)));
  return session === undefined ? err({ reason: "unauthenticated" }) : ok(session);
}

/** Cross-site requests are refused by what browsers say of them; changes also need a header that no form can send. */
export function sameOriginOnly(issuer: string, request: FastifyRequest): Result<undefined, Refusal> {
  if (request.headers.authorization !== undefined) return err({ reason: "forbidden" });
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return err({ reason: "forbidden" });
  const { origin } = request.headers;
  if (origin !== undefined && origin !== issuer) return err({ reason: "forbidden" });
  if (request.method === "GET" || request.method === "HEAD") return ok(undefined);
  if (origin !== issuer || request.headers["x-countersign"] !== "1") return err({ reason: "forbidden" });
  return ok(undefined);
}

export function sessionToken(request: FastifyRequest): string | undefined {
  return cookieValue(request, SESSION_COOKIE);
}

export function cookieValue(request: FastifyRequest, wanted: string): string | undefined {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === wanted && value) return value;
  }
  return undefined;
}

export function setSessionCookie(reply: FastifyReply, token: string, maxAgeSeconds: number): void {
  reply.header(
    "set-cookie",
    `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`,
  );
}
