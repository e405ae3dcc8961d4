import { assert, err, isLoopbackHost, ok, type Result, type Secret, secret } from "@countersign/wire";
import type { Presents } from "../credential.ts";
import { COOKIE_CHARS_MAX, TOKEN_LIFE_MS_MAX } from "../limits.ts";

/** A session cookie as it is kept: what a browser would remember of it, for one origin alone. */
export interface SessionCookie {
  readonly name: string;
  readonly value: Secret<string>;
  /** Epoch milliseconds; absent when it lasts as long as the site honours it. */
  readonly expiresAtMs?: number;
}

export type Taken =
  | { readonly kind: "kept"; readonly cookie: SessionCookie }
  /** The site took it back: it is empty, or its time is over already. */
  | { readonly kind: "ended" };

export type CookieProblem = "malformed" | "too_long" | "another_host" | "another_path" | "not_secure" | "prefix_broken";

const VALUE = /^(?:"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"|[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)$/;

/**
 * The cookie of this name in one `Set-Cookie` (RFC 6265 section 5.2), undefined when it sets another. Held to what a
 * browser holds it to: no other host's, `Secure` only where that can be kept, name prefixes as they promise. It goes
 * to one origin only, whatever `Domain` would allow.
 */
export function readSetCookie(
  line: string,
  name: string,
  at: { readonly url: URL; readonly now: number },
): Result<Taken, CookieProblem> | undefined {
  const [pair = "", ...attributes] = line.split(";");
  const equals = pair.indexOf("=");
  if (equals < 1 || pair.slice(0, equals).trim() !== name) return undefined;
  const value = pair.slice(equals + 1).trim();
  if (value.length > COOKIE_CHARS_MAX) return err("too_long");
  if (!VALUE.test(value)) return err("malformed");
  const said = attributesOf(attributes);
  const domain = said.get("domain")?.toLowerCase().replace(/^\./, "") ?? "";
  if (domain !== "" && !coversHost(domain, at.url.hostname)) return err("another_host");
  const secure = said.has("secure");
  // Browsers take this machine itself for safe; on any other plain connection the attribute is a promise broken.
  if (secure && at.url.protocol !== "https:" && !isLoopbackHost(at.url.hostname)) return err("not_secure");
  const given = said.get("path") ?? "";
  // One that belongs to another part of the site is not this session's.
  if (given.startsWith("/") && !coversPath(given, at.url.pathname)) return err("another_path");
  if (/^__secure-/i.test(name) && !secure) return err("prefix_broken");
  if (/^__host-/i.test(name) && (!secure || domain !== "" || given !== "/")) return err("prefix_broken");
  const expiresAtMs = expiryOf(said, at.now);
  if (value === "" || value === '""' || (expiresAtMs !== undefined && expiresAtMs <= at.now))
    return ok({ kind: "ended" });
  const until = expiresAtMs === undefined ? {} : { expiresAtMs };
  return ok({ kind: "kept", cookie: { name, value: secret(value), ...until } });
}

/** The one cookie of a session, alone in its header. */
export function presentsCookie(name: string): Presents {
  assert(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name), "a cookie's name is a token");
  return (value) => ({ header: "cookie", value: secret(`${name}=${value.reveal()}`) });
}

/** Whether a browser would send it with a request to this path (RFC 6265 section 5.1.4). */
function coversPath(cookiePath: string, path: string): boolean {
  if (path === cookiePath) return true;
  return path.startsWith(cookiePath) && (cookiePath.endsWith("/") || path[cookiePath.length] === "/");
}

/** The last of each name counts; names without regard to case. */
function attributesOf(parts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    parts.map((part) => {
      const equals = part.indexOf("=");
      const [name, value] = equals < 0 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
      return [name.trim().toLowerCase(), value.trim()] as const;
    }),
  );
}

/** Its own host, or one above it. An address has none above it. */
function coversHost(domain: string, host: string): boolean {
  if (domain === host) return true;
  return host.endsWith(`.${domain}`) && domain.includes(".") && !/^[0-9.]+$|:/.test(host);
}

/** `Max-Age` wins over `Expires`; what cannot be read says nothing. */
function expiryOf(said: ReadonlyMap<string, string>, now: number): number | undefined {
  const age = said.get("max-age") ?? "";
  if (/^-?[0-9]{1,15}$/.test(age)) return now + Math.min(Number(age) * 1_000, TOKEN_LIFE_MS_MAX);
  const expires = Date.parse(said.get("expires") ?? "");
  return Number.isNaN(expires) ? undefined : Math.min(expires, now + TOKEN_LIFE_MS_MAX);
}
