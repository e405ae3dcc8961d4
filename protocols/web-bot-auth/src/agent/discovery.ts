import { DIRECTORY_PATH, type PlainHttp } from "../profile.ts";
import { agentUrl, identifierOf } from "./url.ts";

/** How what is fetched is read: a directory (strict media type, `kid` is the thumbprint), a JWK Set, or a card. */
export type DocumentFormat = "well_known" | "jwks" | "card";

/** Where the keys of a member are, and whom a signature by one of them is attributed to. */
export interface AgentPlace {
  /** What is fetched, as it was named. */
  readonly url: string;
  readonly identifier: string;
  /** Only the well-known path speaks for a domain: it is reserved to whoever operates it. */
  readonly domain?: string;
  readonly format: DocumentFormat;
}

export type PlaceAnswer =
  | { readonly kind: "place"; readonly place: AgentPlace }
  /** The member says nothing that can be used: as if it were not there. */
  | { readonly kind: "ignored" }
  /** Plain HTTP: a signer may not name it, and nothing is fetched. */
  | { readonly kind: "scheme" };

/** One discovery type: what its member's value means. No I/O; the fetch is somebody else's, behind limits. */
export interface Discovery {
  /** The token of the member's `type`. */
  readonly type: string;
  place(value: string, plainHttp: PlainHttp): PlaceAnswer;
}

/** `type=directory`, and the default: an origin, whose well-known path is fetched. */
export const directoryDiscovery: Discovery = {
  type: "directory",
  place(value, plainHttp) {
    const read = agentUrl(value, plainHttp);
    if (!read.ok) return read.problem === "scheme" ? { kind: "scheme" } : { kind: "ignored" };
    const { origin, hostname } = read.url;
    // The ASCII serialisation of an origin and nothing else; a lone slash at the end may be overlooked.
    if (value !== origin && value !== `${origin}/`) return { kind: "ignored" };
    return { kind: "place", place: wellKnown(origin, hostname) };
  },
};

/** `type=jwks_uri`: the URL of a JWK Set. */
export const jwksUriDiscovery: Discovery = {
  type: "jwks_uri",
  place: (value, plainHttp) => direct(value, plainHttp, "jwks"),
};

/** `type=cimd`: the URL of a Client ID Metadata Document, which holds the keys or says where they are. */
export const cimdDiscovery: Discovery = {
  type: "cimd",
  place: (value, plainHttp) => direct(value, plainHttp, "card"),
};

export const DISCOVERIES: readonly Discovery[] = [directoryDiscovery, jwksUriDiscovery, cimdDiscovery];

/** The editors' copy: the value is the JWK Set; equal to the well-known URL, it still names a domain. */
export function directPlace(value: string, plainHttp: PlainHttp): PlaceAnswer {
  const read = agentUrl(value, plainHttp);
  if (read.ok && isWellKnown(read.url)) return { kind: "place", place: { ...wellKnown(read.url.origin), url: value } };
  return direct(value, plainHttp, "jwks");
}

/** The well-known URL itself as a value, which `ietf-00` strictly ignores. */
export function wellKnownPlace(value: string, plainHttp: PlainHttp): PlaceAnswer {
  const read = agentUrl(value, plainHttp);
  return read.ok && isWellKnown(read.url) ? { kind: "place", place: wellKnown(read.url.origin) } : { kind: "ignored" };
}

export function wellKnown(origin: string, domain = new URL(origin).hostname): AgentPlace {
  const url = `${origin}${DIRECTORY_PATH}`;
  return { url, identifier: url, domain, format: "well_known" };
}

function isWellKnown(url: Readonly<URL>): boolean {
  return url.pathname === DIRECTORY_PATH && url.search === "";
}

function direct(value: string, plainHttp: PlainHttp, format: DocumentFormat): PlaceAnswer {
  const read = agentUrl(value, plainHttp);
  if (!read.ok) return read.problem === "scheme" ? { kind: "scheme" } : { kind: "ignored" };
  return { kind: "place", place: { url: value, identifier: identifierOf(read.url), format } };
}
