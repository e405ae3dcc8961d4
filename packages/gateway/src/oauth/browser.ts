import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { cookieIn } from "../http/cookie.ts";

/**
 * What ties a request at the authorization endpoint to the browser that made it (U39): whoever answers it must show the
 * same cookie, so a link to it that was sent to somebody else opens nothing. `Lax`, because the client's page or program
 * sends the browser here from elsewhere; alone the cookie is worth nothing.
 */
export const AUTHORIZE_COOKIE = "__Host-countersign-authorize";
const COOKIE_BYTES = 32;
const COOKIE_FORM = /^[A-Za-z0-9_-]{43}$/;
const COOKIE_SECONDS = 24 * 3_600;

/** The browser's value; one without any is given one. Several requests of one browser share it. */
export function cookieForBrowser(req: IncomingMessage, res: ServerResponse): string {
  const shown = cookieIn(req.headers.cookie, AUTHORIZE_COOKIE);
  if (shown !== undefined && COOKIE_FORM.test(shown)) return shown;
  const fresh = randomBytes(COOKIE_BYTES).toString("base64url");
  res.appendHeader(
    "set-cookie",
    `${AUTHORIZE_COOKIE}=${fresh}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; Secure; SameSite=Lax`,
  );
  return fresh;
}

const LIBRARY_SESSION = /^_session(?:\.|$)/;

/**
 * The library makes a session of whoever answered last, and would let the next client in by it. Who is signed in here is
 * the trusted interface's to say, each time: that session never reaches the browser.
 */
export function withoutSessionCookie(res: ServerResponse): void {
  const set = res.getHeader("set-cookie");
  if (!Array.isArray(set)) return;
  const kept = set.filter((line) => !LIBRARY_SESSION.test(line.split("=", 1)[0] ?? ""));
  if (kept.length === 0) res.removeHeader("set-cookie");
  else res.setHeader("set-cookie", kept);
}
