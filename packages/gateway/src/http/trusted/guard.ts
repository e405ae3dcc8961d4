import { createHash, timingSafeEqual } from "node:crypto";
import { err, ok, type Result, secret } from "@countersign/wire";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../../admission/refusal.ts";
import type { Core } from "../../core.ts";
import { findSession, type PersonSession } from "../../people/sessions.ts";
import { cookieIn } from "../cookie.ts";

/** Secure and host-only by its name; browsers treat `http://localhost` as a secure origin. */
export const SESSION_COOKIE = "__Host-countersign";
export const PAGE_COOKIE = "__Host-countersign-page";
/** Before anybody is signed in it holds `1`: no form can send it at all. */
export const PAGE_HEADER = "x-countersign";

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
  if (token === undefined || session === undefined) return err({ reason: "unauthenticated" });
  if (isChange(request) && !showsPageToken(request, token)) return err({ reason: "forbidden" });
  request.server.callers.note(token, `person:${session.sessionHash}`);
  return ok(session);
}

/** Cross-site requests are refused by what browsers say of them; changes also need a header that no form can send. */
export function sameOriginOnly(issuer: string, request: FastifyRequest): Result<undefined, Refusal> {
  if (request.headers.authorization !== undefined) return err({ reason: "forbidden" });
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return err({ reason: "forbidden" });
  const { origin } = request.headers;
  if (origin !== undefined && origin !== issuer) return err({ reason: "forbidden" });
  if (!isChange(request)) return ok(undefined);
  if (origin !== issuer || request.headers[PAGE_HEADER] === undefined) return err({ reason: "forbidden" });
  return ok(undefined);
}

function isChange(request: FastifyRequest): boolean {
  return request.method !== "GET" && request.method !== "HEAD";
}

/**
 * The session's own token for its pages (U35): a change has to show it in a header. Strict cookies, the origin and what
 * the browser says of the request already keep other sites out; this holds where one of them fails (a browser that
 * forgets one, a proxy that strips one, another page on our own host), and it ties each decision to the session whose
 * page made it: a token taken from another session, the attacker's own or an earlier one, is refused. It is made from
 * the session's secret one way, so that it needs no row, ends with the session, and says nothing about the cookie.
 */
export function pageTokenOf(token: string): string {
  return createHash("sha256").update(`countersign page token\n${token}`, "utf8").digest("base64url");
}

function showsPageToken(request: FastifyRequest, token: string): boolean {
  const shown = request.headers[PAGE_HEADER];
  const wanted = Buffer.from(pageTokenOf(token), "utf8");
  const given = Buffer.from(typeof shown === "string" ? shown : "", "utf8");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export function sessionToken(request: FastifyRequest): string | undefined {
  return cookieValue(request, SESSION_COOKIE);
}

export function cookieValue(request: FastifyRequest, wanted: string): string | undefined {
  return cookieIn(request.headers.cookie, wanted);
}

export function setSessionCookie(reply: FastifyReply, token: string, maxAgeSeconds: number): void {
  reply.header(
    "set-cookie",
    `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`,
  );
  // Our own pages read this one and show it; alone it is worth nothing.
  const page = token === "" ? "" : pageTokenOf(token);
  reply.header("set-cookie", `${PAGE_COOKIE}=${page}; Path=/; Max-Age=${maxAgeSeconds}; Secure; SameSite=Strict`);
}
