import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sameText } from "../auth/credentials.ts";
import { SESSION_MS } from "../limits.ts";
import { randomToken } from "../site/random.ts";
import type { Session, SiteWorld } from "../site/world.ts";
import type { Reply } from "./reply.ts";

/** One request, read. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The browser's session id: from its cookie, or a new one that the answer will set. */
  readonly sid: string;
}

export interface SiteRoute<W extends SiteWorld> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Segments; `:name` matches one. */
  readonly path: string;
  readonly access: "anyone" | "signed_in";
  /** This route commits: its arrivals are counted and the fault switches act on it. */
  readonly commit?: string;
  /** This route is a read-back: the `readBack` switch acts on it. */
  readonly readBack?: "read_back";
  readonly handle: (world: W, exchange: Exchange) => Reply;
}

export function cookieSid(world: Pick<SiteWorld, "cookie">, headers: IncomingHttpHeaders): string | undefined {
  for (const pair of (headers.cookie ?? "").split(";")) {
    const [name, value] = pair.trim().split("=", 2);
    if (name === world.cookie && value && /^[\w-]{43}$/.test(value)) return value;
  }
  return undefined;
}

export function sessionCookie(world: Pick<SiteWorld, "cookie">, sid: string): string {
  return `${world.cookie}=${sid}; Path=/; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Lax`;
}

export function endedCookie(world: Pick<SiteWorld, "cookie">): string {
  return `${world.cookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;
}

export function sessionOf(world: SiteWorld, exchange: Exchange): Session | undefined {
  return world.state.sessions.get(exchange.sid, world.now());
}

export function isSignedIn(world: SiteWorld, exchange: Exchange): boolean {
  return sessionOf(world, exchange)?.stage === "signed_in";
}

/** Moves the browser to a new session id: an id known before a sign-in step must not be worth anything after it. */
export function renewSession(world: SiteWorld, exchange: Exchange, session: Session, lifeMs: number): string {
  world.state.sessions.delete(exchange.sid);
  const sid = randomToken(world.random);
  world.state.sessions.put(sid, session, world.now() + lifeMs);
  return sid;
}

/** The token every form of this browser session carries. */
export function csrfToken(world: SiteWorld, sid: string): string {
  return createHmac("sha256", world.csrfKey).update(sid).digest("base64url");
}

export function formOf(exchange: Exchange): URLSearchParams {
  return new URLSearchParams(exchange.body);
}

export function hasCsrf(world: SiteWorld, exchange: Exchange): boolean {
  return sameText(formOf(exchange).get("csrf") ?? "", csrfToken(world, exchange.sid));
}

/** Only a path of the site may follow a sign-in. */
export function safeNext(value: string | null): string {
  return value !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(value) ? value : "/";
}
