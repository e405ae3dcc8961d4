import { URL_MAX_CHARS } from "./limits.ts";
import { decodePunycode } from "./punycode.ts";
import { err, ok, type Result } from "./result.ts";
import { hasMixedScripts, imitatesLatin } from "./scripts.ts";

/** `not_an_origin`: something stands after scheme, host and port. */
export type UrlProblem = "malformed" | "too_long" | "scheme" | "userinfo" | "forbidden_character" | "not_an_origin";

// White space, controls, format characters (bidi, zero width) and half surrogates: the URL parser drops or encodes
// them silently, so that what a person reads is not what is fetched. It also reads a backslash as a slash.
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HTTP = /^https?:\/\/([^/?#]*)/i;

/** An absolute http or https URL without user name or password, as the URL standard normalises it. */
export function parseHttpUrl(text: string): Result<URL, UrlProblem> {
  if (text.length > URL_MAX_CHARS) return err("too_long");
  if (FORBIDDEN.test(text)) return err("forbidden_character");
  if (!SCHEME.test(text)) return err("malformed");
  if (!/^https?:/i.test(text)) return err("scheme");
  const authority = HTTP.exec(text)?.[1];
  if (authority === undefined || authority === "") return err("malformed");
  // Also the empty user name of `https://@shop.example`, which the URL standard forgets.
  if (authority.includes("@")) return err("userinfo");
  return URL.canParse(text) ? ok(new URL(text)) : err("malformed");
}

/**
 * Scheme, host and port and nothing else, not even a slash. The answer is the origin as the URL standard writes it:
 * lower case, host in ASCII, default port left out.
 */
export function parseOrigin(text: string): Result<string, UrlProblem> {
  const url = parseHttpUrl(text);
  if (!url.ok) return url;
  if (!/^https?:\/\/[^/?#]+$/i.test(text)) return err("not_an_origin");
  // `shop.example.` reaches the same server under another origin.
  if (url.value.hostname.endsWith(".")) return err("malformed");
  return ok(url.value.origin);
}

/** Whether two http(s) URLs or origins share scheme, host and port. What cannot be read is nobody's origin: false. */
export function sameOrigin(a: string | URL, b: string | URL): boolean {
  const [first, second] = [parseHttpUrl(String(a)), parseHttpUrl(String(b))];
  return first.ok && second.ok && first.value.origin === second.value.origin;
}

export interface HostDisplay {
  /** The host as it goes on the wire (`xn--...`); only printable ASCII, whatever was given. */
  readonly ascii: string;
  /**
   * `mixed_scripts`: a label mixes Latin with letters of a script that pass for Latin. `whole_script`: a label is written
   * in such letters altogether. `punycode`: not plain ASCII.
   */
  readonly warning?: "mixed_scripts" | "whole_script" | "punycode" | "not_a_host";
}

/** How a host is shown to a person (lessons U31): in ASCII, with a warning where it may imitate another. */
export function hostDisplay(host: string): HostDisplay {
  const origin = parseOrigin(`https://${host}`);
  if (!origin.ok) return { ascii: asciiOnly(host), warning: "not_a_host" };
  const ascii = origin.value.slice("https://".length);
  const labels = ascii.replace(/:[0-9]+$/, "").split(".");
  const encoded = labels.filter((label) => label.startsWith("xn--"));
  if (encoded.length === 0) return { ascii };
  const names = encoded.map((label) => decodePunycode(label.slice("xn--".length)) ?? "");
  if (names.some(hasMixedScripts)) return { ascii, warning: "mixed_scripts" };
  return { ascii, warning: names.some(imitatesLatin) ? "whole_script" : "punycode" };
}

function asciiOnly(text: string): string {
  return Array.from(text, (c) =>
    /^[!-~]$/.test(c) ? c : `[U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  ).join("");
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether the host name of a URL, as the URL standard spells it, is this very machine's (RFC 8252 section 7.3). */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}
