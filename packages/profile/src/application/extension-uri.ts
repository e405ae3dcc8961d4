import { parseHttpUrl } from "@countersign/wire";
import { looksLikeCredential } from "./credential-names.ts";

/** What stands under it is ours: a plugin or an application that published it would speak in the gateway's name. */
export const OWN_EXTENSION_PREFIX = "urn:countersign:";
/** All of them. */
export const OWN_EXTENSION_PREFIXES: readonly string[] = [OWN_EXTENSION_PREFIX];

const URI_CHARS_MAX = 500;
/** RFC 8141: `urn:`, a namespace, a name; no white space and nothing that needs escaping. */
const URN = /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:[a-z0-9()+,\-.:=@;$_!*'/%]+$/i;
/** An identifier is compared, and never read by a person: no letters that look like others. */
const PRINTABLE = /^[!-~]+$/;
const BROKEN_PERCENT = /%(?![0-9a-f]{2})/i;
/** Enough for whoever decodes more than once; what still changes after that is nobody's honest URI. */
const ROUNDS_MAX = 5;

/** An `https://` URL or a `urn:`, and nothing that could be read in two ways or that carries a credential. */
export function isExtensionUri(text: string): boolean {
  if (text.length > URI_CHARS_MAX || !PRINTABLE.test(text) || BROKEN_PERCENT.test(text)) return false;
  if (URN.test(text)) return true;
  const url = parseHttpUrl(text);
  if (!url.ok || url.value.protocol !== "https:") return false;
  return ![...url.value.searchParams.keys()].some(looksLikeCredential);
}

/** The URI as it is compared with others: two that differ only in case of host, port, dots or escapes are one. */
export function extensionKey(uri: string): string {
  if (/^urn:/i.test(uri)) {
    const [, space = "", name = ""] = /^urn:([^:]*):(.*)$/is.exec(uri) ?? [];
    return `urn:${space.toLowerCase()}:${decodeUnreserved(name)}`;
  }
  const url = URL.parse(uri);
  if (url === null) return uri;
  // Decoding may uncover dot segments, which the URL standard then resolves.
  const again = URL.parse(`${url.origin}${decodeUnreserved(url.pathname)}${decodeUnreserved(url.search)}`) ?? url;
  const host = again.hostname.replace(/\.+$/, "");
  const path = again.pathname.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return `${again.protocol}//${host}${again.port === "" ? "" : `:${again.port}`}${path}${again.search}${url.hash}`;
}

/**
 * Whether a URI stands under one of the prefixes, however it is spelt: compared without regard to case, with every
 * escape undone, so that neither a port nor a dot segment nor a percent sign leads past (plugins.md section 3 rule 2).
 */
export function isReservedExtension(uri: string, prefixes: readonly string[] = OWN_EXTENSION_PREFIXES): boolean {
  const key = bare(uri);
  return prefixes.some((prefix) => {
    const own = bare(prefix);
    return key === own || key.startsWith(/[:/]$/.test(own) ? own : `${own}/`);
  });
}

function bare(uri: string): string {
  let text = uri;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === text) break;
    text = next;
  }
  return extensionKey(text.replaceAll("\\", "/")).toLowerCase();
}

/** RFC 3986 section 6.2.2.2: escapes of letters, digits and `-._~` say the same as the characters themselves. */
function decodeUnreserved(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : triplet.toUpperCase();
  });
}
